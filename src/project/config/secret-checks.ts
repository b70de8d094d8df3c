/** Rules about secrets of the configuration: each is used for one purpose, so that who knows one of them knows no other. */
import type { ConfigIssue } from '../../core/config.ts'
import type { Config } from '../../features/index.ts'
import { isObject } from '../../lib/objects.ts'

/** Shorter texts are part of other texts by chance. */
const leastLength = 12

/** Issues of the private tokens, and of every option that contains the secret or one of the tokens. */
export function checkSecrets(config: Config): ConfigIssue[] {
  const { secret = [], server, environment } = config
  const tokens = [
    { path: 'server.private.token', value: server.private.token },
    { path: 'server.private.api.token', value: server.private.api.token },
  ]
  const weak = tokens.flatMap(({ path, value = '' }) => {
    const message = environment === 'production' && value !== '' ? weaknessOf(value) : null
    return message === null ? [] : [{ id: 'private-token-weak', path, message, hint: 'Generate one with `latchkey secret`.' }]
  })
  const powerful = [...[secret].flat().map((value, position) => ({ path: secretPath(secret, position), value })), ...tokens]
  const leaves = textsOf(config)
  const reused = powerful.flatMap(({ path, value }) => {
    if (value === undefined || value.length < leastLength) return []
    const other = leaves.find((leaf) => leaf.path !== path && contains(leaf.value, value))
    return other ? [reuse(path, other.path)] : []
  })
  return [...weak, ...reused]
}

/** A header has no spaces at its ends, so that no request could have such a token. */
const weaknessOf = (token: string): string | null =>
  token !== token.trim()
    ? 'The token starts or ends with a space, which no header can.'
    : new Set(token).size < 10
      ? 'The token is easy to guess.'
      : null

const secretPath = (secret: string | readonly string[], position: number): string =>
  Array.isArray(secret) ? `secret.${position}` : 'secret'

/** Also as the password in a URL, in which special characters are encoded. */
const contains = (text: string, value: string): boolean =>
  text.trim() === value.trim() || (text.includes('://') && text.includes(`:${encodeURIComponent(value)}@`))

const reuse = (path: string, other: string): ConfigIssue => ({
  id: 'secret-reused',
  path,
  message: `It has the same value as ${other}: who knows one of them can use the other.`,
  hint: 'Generate one for each with `latchkey secret`.',
})

/** Every text of the configuration with its path. Other objects than plain ones and lists are not read. */
function textsOf(value: unknown, path = ''): { readonly path: string; readonly value: string }[] {
  if (typeof value === 'string') return [{ path, value }]
  if (!isObject(value)) return []
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return []
  return Object.entries(value).flatMap(([name, member]) => textsOf(member, path ? `${path}.${name}` : name))
}
