/** Checks and formats of texts that several features share. */

/** Alphabet of the random part of tokens that the contract gives 64 characters. */
export const tokenAlphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'

/** At most 64 octets (RFC 5321 §4.5.3.1.1). The lookaheads reject a dot at the start, and two consecutive ones. */
const localPart = "(?!\\.)(?![^@]*\\.\\.)[\\w'+\\-.&/#=!$%*?^`{|}~]{0,63}[\\w+\\-&/#=!$%*?^`{|}~]"
/** At most 63 octets (RFC 1035 §2.3.4). */
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** Letters, or a label in Punycode (RFC 5890 §2.3.2.1). */
const topLabel = '(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])'
const emailAddress = new RegExp(`^${localPart}@(?:${label}\\.)+${topLabel}$`, 'i')
/** A path of a mail has 256 octets, with its angle brackets (RFC 5321 §4.5.3.1.3). */
const longestEmailAddress = 254

/** Checks the form of an email address (contract 00 §12). */
export const isEmailAddress = (text: string): boolean => text.length <= longestEmailAddress && emailAddress.test(text)

/**
 * Whether a text is the URL of an image that apps may use as a source: `http:`, `https:`, an image as `data:`, or a relative URL.
 * URL parsers strip tabs and line breaks, with which other schemes are hidden.
 */
export function isImageURL(text: string): boolean {
  const url = URL.parse(text, 'https://relative.invalid')
  return url !== null && (/^https?:$/.test(url.protocol) || /^data:image\//i.test(url.href))
}

/** One form for all slugs that look alike in a URL. */
export const normalizeSlug = (slug: string): string => slug.trim().toLowerCase()
/** Whether a slug, once normalized, needs no escapes in a path (RFC 3986 §2.3), and is not a segment of dots, which a path drops. */
export const isSlug = (slug: string): boolean => /^(?!\.{1,2}$)[a-z0-9._~-]{1,255}$/.test(normalizeSlug(slug))

/** A name in SQL of MySQL. */
export const backticked = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** A name in standard SQL. */
export const doubleQuoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Names of roles: the roles of a member are a list separated by commas. */
export const roleName = /^[^,\p{C}]+$/u

/**
 * Whether no text in a JSON value, at any depth, has half of a surrogate pair. Of such texts some databases store other characters,
 * and some reject them in JSON.
 */
export function isWellFormed(value: unknown): boolean {
  // A list of what is left instead of recursion: JSON may be nested deeper than the stack.
  const rest = [value]
  const seen = new Set<unknown>()
  while (rest.length > 0) {
    const one = rest.pop()
    if (typeof one === 'string' && !one.isWellFormed()) return false
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    for (const member of Object.entries(one)) rest.push(...member)
  }
  return true
}

/** The start of a text, with whole characters only. @param bytes of UTF-8, at most */
export const cutToBytes = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true })

/** The value of a decimal digit of any script; in Unicode each script has its ten digits consecutively. */
function digitValue(digit: string): number {
  const at = digit.codePointAt(0) ?? 0
  let first = at
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1
  return (at - first) % 10
}

/** A code as a person types it: without spaces and hyphens, and with the digits of ASCII for those of any script. */
export const plainCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit)))

/** `1 session`, `2 sessions`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A word in single quotes, for bash, zsh and fish. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A word of a command that a hint shows: texts of users must not become commands when it is pasted. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text))

/** The names in a comma-separated list, such as that of the roles of a member. */
export const listedNames = (list: string | null): string[] => (list ?? '').split(',').filter((name) => name !== '')

/** An email address as it is compared: two that look the same are one. */
export const addressForm = (text: string): string => text.trim().normalize('NFC').toLowerCase()
