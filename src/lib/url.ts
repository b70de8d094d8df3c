/** Matchers for trusted origins, redirect URLs and paths (contract 00 §6, §7). */

const relativePath = /^\/(?!\/|\\|%2f|%5c)[\w\-.+/@]*(?:\?[\w\-.+/=&%@]*)?$/i

/** Whether a text is a path on our own origin that no browser reads as another host. */
export const isRelativePath = (text: string): boolean => relativePath.test(text)

/** Removes a trailing slash, so that origins can be compared. */
const normalizeOrigin = (text: string): string => text.trim().replace(/\/+$/, (slashes) => (slashes.length === 1 ? '' : slashes))

/** Compiles the test of one configured origin; compile it once, because every request with a body uses it. */
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
    // No user name before the host: `https://app.example.com@evil.test` must not look like a trusted origin.
    if (!url || url.username || url.password || !/^https?:$/.test(url.protocol)) return false
    // Host names have no empty labels in DNS, and programs interpret them differently.
    if (url.hostname.startsWith('.') || url.hostname.includes('..')) return false
    return expression.test(withProtocol ? url.origin : url.host)
  }
}

const escapePattern = (text: string) => text.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '[^/\\\\]')

const parse = (text: string): URL | null => (hasHiddenCharacters(text) ? null : URL.parse(text))

/** URL parsers strip or reinterpret these, each in its own way. */
const hasHiddenCharacters = (text: string) => /[\p{Cc}\u0020\u00a0\u2028\u2029\\]/u.test(text)

/** Whether a URL is on one of these origins. A text that starts with `/` never is. */
export const isOnOrigin = (url: string, matchers: readonly ((url: string) => boolean)[]): boolean =>
  !url.startsWith('/') && matchers.some((matches) => matches(url))

/** Appends a parameter to a URL without changing the rest; a fragment stays at the end (RFC 3986 §3.5). */
export function withParameter(url: string, name: string, value: string): string {
  const [place = '', ...fragment] = url.split('#')
  const appended = `${place}${place.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
  return [appended, ...fragment].join('#')
}

/** Compiles a test of paths: exact, or with `*` for any characters within one segment and `**` for any depth (contract 00 §6, §7). */
export function wildcardPath(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*') && !pattern.includes('?')) return (path) => path === pattern
  const parts = pattern.split(/(\*\*|\*|\?)/).map((part) => wildcards[part] ?? part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('')}/*$`)
  return (path) => expression.test(path)
}

const wildcards: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '[^/]' }
