/** What a change of a JSON object adds, changes and removes, by path. */
import { isRecord } from '../../../src/lib/objects.ts'

export interface Difference {
  /** `billing.plan` of `{ billing: { plan } }`. */
  readonly path: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** Undefined: it was not there, or is not any more. */
  readonly before: unknown
  readonly after: unknown
}

type Json = Readonly<Record<string, unknown>>

/** Lists are compared as a whole. Entries are in the order of the former value, and added ones follow. */
export function differencesOf(before: Json, after: Json, prefix = ''): readonly Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): readonly Difference[] => {
    const [former, next] = [before[key], after[key]]
    const path = `${prefix}${key}`
    if (!Object.hasOwn(after, key)) return [{ path, kind: 'removed', before: former, after: undefined }]
    if (!Object.hasOwn(before, key)) return [{ path, kind: 'added', before: undefined, after: next }]
    if (isRecord(former) && isRecord(next)) return differencesOf(former, next, `${path}.`)
    return JSON.stringify(former) === JSON.stringify(next) ? [] : [{ path, kind: 'changed', before: former, after: next }]
  })
}
