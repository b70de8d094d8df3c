/** Checks and formats of texts that several features share. */

const emailAddress = /^(?!\.)(?!.*\.\.)(?:[a-z0-9_'+\-.]*)[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i

/** Checks the form of an email address (contract 00 §12); at most 320 characters (RFC 3696 erratum 1690). */
export const isEmailAddress = (text: string): boolean => text.length <= 320 && emailAddress.test(text)

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

/** Formats seconds as a text: `1 hour`, `90 minutes`, `2 days`. */
export function formatDuration(seconds: number): string {
  if (seconds >= 86_400 * 2 && seconds % 86_400 === 0) return counted(seconds / 86_400, 'day')
  if (seconds >= 3600 && seconds % 3600 === 0) return counted(seconds / 3600, 'hour')
  return seconds < 60 ? counted(seconds, 'second') : counted(Math.floor(seconds / 60), 'minute')
}

/** The start of a text, with whole characters only. @param bytes of UTF-8, at most */
export const cutToBytes = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true })

/** `1 session`, `2 sessions`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A word in single quotes, for bash, zsh and fish. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A word of a command that a hint shows: texts of users must not become commands when it is pasted. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text))
