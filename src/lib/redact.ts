/** What may not reach a log, by the name under which it stands or by its form. A second line of defence: nobody logs secrets. */
import { describeError } from './describe-error.ts'
import { maskSecrets } from './mask-secrets.ts'
import { printable } from './printable.ts'

const secretName =
  /^(?:(?:proxy-?)?authorization|(?:set-?)?cookies?|.*(?:password|passphrase|secret|token|private[-_]?key|api[-_]?key))$/i
const redacted = '[redacted]'
const maximumDepth = 5
const maximumMembers = 100

/**
 * A copy without the values of members named like a secret, at any depth, without credentials in addresses, and with
 * errors described as `describeError` does.
 */
export function redact(fields: object): Record<string, unknown> {
  if (fields instanceof Error) return { error: describeError(fields) }
  return members(fields, 0)
}

function members(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  let count = 0
  for (const [name, member] of Object.entries(value)) {
    if (++count > maximumMembers) break
    // The outermost names are written in our code; what stands in a value may come from anywhere.
    copy[depth === 0 ? name : printable(name)] =
      secretName.test(name) && member !== null && member !== undefined ? redacted : clean(member, depth + 1)
  }
  return copy
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskSecrets(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return describeError(value)
  // An invalid date has no JSON form and would throw.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return maskSecrets(value.href)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (depth >= maximumDepth) return '[…]'
  if (Array.isArray(value)) return value.slice(0, maximumMembers).map((item) => clean(item, depth + 1))
  return members(value, depth)
}
