/** Matchers for trusted origins, redirect URLs and paths (contract 00 §6, §7). */

const relativePath = /^\/(?!\/|\\|%2f|%5c)[\w\-.+/@]*(?:\?[\w\-.+/=&%@]*)?$/i

/** Whether a text is a path on our own origin that no browser reads as another host. */
export const isRelativePath = (text: string): boolean =>
  relativePath.test(text) && !(text.includes('/.') && new URL(text, 'http://localhost').pathname.startsWith('//'))

/** Removes a trailing slash and the default port, and writes the host in lower case, so that origins can be compared. */
function normalizeOrigin(text: string): string {
  const trimmed = text.trim()
  const url = trimmed.includes('*') ? null : parse(trimmed)
  if (url && isWebURL(url) && isBare(url)) return url.origin
  return trimmed.endsWith('/') && !trimmed.endsWith('//') ? trimmed.slice(0, -1) : trimmed
}

const isBare = (url: URL): boolean => url.pathname === '/' && url.search === '' && url.hash === '' && !hasUserName(url)

/** Why no request can ever match a trusted origin; null when it is valid (contract 00 §6). */
export function originProblem(text: string): string | null {
  const origin = normalizeOrigin(text)
  const [, scheme, rest = origin] = /^([^:/?#]*):\/\/(.*)$/s.exec(origin) ?? []
  if (origin === '') return 'It is empty.'
  if (origin.includes('*')) {
    if (scheme !== undefined && !/^(https?|\*)$/i.test(scheme)) return 'A wildcard works only with http: and https:.'
    return /^[\w.*?[\]:-]+$/.test(rest) ? null : 'Only a scheme, a host and a port are compared.'
  }
  if (scheme === undefined) return 'The scheme is missing.'
  if (!/^https?$/i.test(scheme)) return /^[a-z][a-z0-9+.-]*$/i.test(scheme) ? null : 'The scheme is invalid.'
  const url = parse(origin)
  if (!url || !/^[\w.[\]:-]+$/.test(url.host)) return 'It is not a URL.'
  return isBare(url) ? null : 'Only a scheme, a host and a port are compared.'
}

/** Compiles the test of one configured origin; compile it once, because every request with a body uses it. */
export function originMatcher(pattern: string): (url: string) => boolean {
  const normalized = normalizeOrigin(pattern)
  if (!normalized) return () => false
  if (normalized.includes('*')) return wildcardMatcher(normalized)
  return (text) => {
    const url = parse(text)
    if (url && !isWebURL(url)) return startsWithWhole(text, normalized)
    return normalized === url?.origin && !hasUserName(url)
  }
}

const isWebURL = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'

/** A user name before the host can look like a trusted origin: `https://app.example.com@evil.test`. */
const hasUserName = ({ username, password }: URL): boolean => username !== '' || password !== ''

/** `myapp://open` includes `myapp://open/x`, but not `myapp://open.evil`. */
const startsWithWhole = (text: string, start: string): boolean =>
  text.startsWith(start) && (start.endsWith('/') || /^(?:$|[/?#])/.test(text.slice(start.length)))

function wildcardMatcher(pattern: string): (url: string) => boolean {
  const withProtocol = pattern.includes('://')
  const matches = globMatcher(pattern.toLowerCase())
  return (text) => {
    const url = parse(text)
    if (!url || !isWebURL(url) || hasUserName(url)) return false
    // Host names have no empty labels in DNS, and programs interpret them differently.
    if (url.hostname.startsWith('.') || url.hostname.includes('..')) return false
    return matches(withProtocol ? url.origin : url.host)
  }
}

const parse = (text: string): URL | null => (hasHiddenCharacters(text) ? null : URL.parse(text))

/** URL parsers strip or reinterpret these, each in its own way. */
const hasHiddenCharacters = (text: string) => /[\p{Cc}\u0020\u00a0\u2028\u2029\\]/u.test(text)

/** Whether a URL is on one of these origins. A text that starts with `/` never is. */
export const isOnOrigin = (url: string, matchers: readonly ((url: string) => boolean)[]): boolean =>
  !url.startsWith('/') && matchers.some((matches) => matches(url))

/** Appends a parameter to a URL without changing the rest; a fragment stays at the end (RFC 3986 §3.5). */
export function withParameter(url: string, name: string, value: string): string {
  const fragment = url.includes('#') ? url.slice(url.indexOf('#')) : ''
  const place = url.slice(0, url.length - fragment.length)
  return `${place}${place.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}${fragment}`
}

/**
 * A redirect target as the value of a header: one with other than visible ASCII characters is serialized by the URL parser, which
 * percent-encodes the path and writes the host in Punycode. Any other stays exactly as it is (contract 00 §4).
 * @param base resolves relative targets
 * @throws TypeError when it is not a URL
 */
export function headerTarget(target: string, base: string): string {
  if (/^[\x21-\x7e]+$/.test(target)) return target
  const url = new URL(target, base)
  return target.startsWith('/') ? `${url.pathname}${url.search}${url.hash}` : url.href
}

/** Compiles a test of paths: exact, or with wildcards as in `globMatcher` (contract 00 §6, §7). */
export const wildcardPath = (pattern: string): ((path: string) => boolean) =>
  /[*?]/.test(pattern) ? globMatcher(pattern) : (path) => path === pattern

/**
 * Compiles a glob (contract 00 §6): `*` is any run of characters except separators, `?` is one such character, and `**` as a whole
 * segment is any number of segments. Separators are `/` and `\`; trailing ones are ignored. The time is linear in the length of the
 * text, because a text comes from a client; no regular expression with several wildcards guarantees that.
 */
export function globMatcher(pattern: string): (text: string) => boolean {
  const segments = pattern.split('/')
  const start = /^[^*?]*\/|^/.exec(pattern)?.[0].slice(0, -1) ?? ''
  return (text) => {
    const path = text.replaceAll('\\', '/')
    if (!path.startsWith(start)) return false
    const parts = path.split('/')
    const end = parts.findLastIndex((part) => part !== '') + 1
    return matchRun(segments, parts, end, {
      isAnything: (segment) => segment === '**',
      matches: (segment, part) =>
        segment === part || matchRun(segment, part, part.length, { isAnything: (c) => c === '*', matches: isCharacter }),
    })
  }
}

const isCharacter = (wanted: string, found: string): boolean => wanted === '?' || wanted === found

interface MatchRules {
  readonly isAnything: (wanted: string) => boolean
  readonly matches: (wanted: string, found: string) => boolean
}

/**
 * Matches items in order. After a mismatch only the last "anything" takes one more item, since more for an earlier one could not
 * help: at most `wanted.length * found.length` comparisons.
 * @param end the items from here on may be left over
 */
function matchRun(wanted: ArrayLike<string>, found: ArrayLike<string>, end: number, rules: MatchRules): boolean {
  let [at, position, anything, resume] = [0, 0, -1, 0]
  while (at < wanted.length || position < end) {
    const next = wanted[at]
    const item = found[position]
    if (next !== undefined && rules.isAnything(next)) {
      anything = at
      resume = position
      at += 1
    } else if (next !== undefined && item !== undefined && rules.matches(next, item)) {
      at += 1
      position += 1
    } else if (anything >= 0 && resume < found.length) {
      resume += 1
      position = resume
      at = anything + 1
    } else return false
  }
  return true
}
