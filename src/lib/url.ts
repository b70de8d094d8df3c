/** Which addresses a browser may come from or be sent to (contract 00 §6). */

const relativePath = /^\/(?!\/|\\|%2f|%5c)[\w\-.+/@]*(?:\?[\w\-.+/=&%@]*)?$/i

/** A path on our own origin that no browser reads as another host. */
export const isRelativePath = (text: string): boolean => relativePath.test(text)

/** An origin as it is compared: without a trailing slash. */
const normalizeOrigin = (text: string): string => text.trim().replace(/\/+$/, (slashes) => (slashes.length === 1 ? '' : slashes))

/** A test of one configured origin; made once, since every call with a body asks it. */
export function originMatcher(pattern: string): (url: string) => boolean {
  const normalized = normalizeOrigin(pattern)
  if (!normalized) return () => false
  if (normalized.includes('*')) return wildcardMatcher(normalized)
  return (text) => {
    const url = parse(text)
    if (url && url.protocol !== 'http:' && url.protocol !== 'https:') return text.startsWith(normalized)
    return normalized === url?.origin
  }
}

function wildcardMatcher(pattern: string): (url: string) => boolean {
  const withProtocol = pattern.includes('://')
  const expression = new RegExp(`^${pattern.split('*').map(escapePattern).join('[^/\\\\]*')}[/\\\\]*$`, 'i')
  return (text) => {
    const url = parse(text)
    // A user name in front of the host is refused: `https://app.example.com@evil.test` must not look like ours to anybody.
    if (!url || url.username || url.password || !/^https?:$/.test(url.protocol)) return false
    // No name in DNS has an empty label, and programs differ in what they make of one.
    if (url.hostname.startsWith('.') || url.hostname.includes('..')) return false
    return expression.test(withProtocol ? url.origin : url.host)
  }
}

const escapePattern = (text: string) => text.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '[^/\\\\]')

const parse = (text: string): URL | null => (hasHiddenCharacters(text) ? null : URL.parse(text))

/** URL parsers strip or reinterpret these, each in its own way. */
const hasHiddenCharacters = (text: string) => /[\p{Cc}\u0020\u00a0\u2028\u2029\\]/u.test(text)

/** Whether a URL lies on one of these origins. A text that begins with `/` never does. */
export const isOnOrigin = (url: string, matchers: readonly ((url: string) => boolean)[]): boolean =>
  !url.startsWith('/') && matchers.some((matches) => matches(url))

/** The address with one more parameter, appended as it stands; a fragment stays at the end (RFC 3986 §3.5). */
export function withParameter(url: string, name: string, value: string): string {
  const [place = '', ...fragment] = url.split('#')
  const appended = `${place}${place.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
  return [appended, ...fragment].join('#')
}
