/** Whether a secret of a configuration is one that an attacker tries: of placeholders, sequences and repetitions (CWE-521, CWE-1394). */

/** Words of examples and placeholders; the longer ones come first, so that no part of one is left. */
const words = [
  ...['development', 'production', 'generate', 'changeme', 'insecure', 'password', 'latchkey', 'default', 'example', 'replace'],
  ...['dontuse', 'betterauth', 'random', 'secret', 'please', 'sample', 'string', 'better', 'change', 'secure', 'private'],
  ...['nextauth', 'public', 'super', 'token', 'local', 'admin', 'value', 'auth', 'here', 'long', 'this', 'very', 'your', 'with'],
  ...[
    'test',
    'demo',
    'prod',
    'some',
    'only',
    'must',
    'dont',
    'pass',
    'key',
    'api',
    'jwt',
    'dev',
    'for',
    'not',
    'use',
    'the',
    'my',
  ],
]
const placeholder = new RegExp(words.join('|'), 'g')

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '1qaz2wsx3edc4rfv5tgb']
const lines = rows.flatMap((row) => [row, [...row].reverse().join('')])

/** Fewer consecutive neighbours are there by chance. */
const shortestRun = 4

/** Without runs of neighbours in the alphabet, of digits and on a keyboard. */
function withoutRuns(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    let length = 1
    while (at + length < text.length && lines.some((line) => line.includes(text.slice(at, at + length + 1)))) length += 1
    if (length < shortestRun) rest += text.slice(at, at + length)
    at += length
  }
  return rest
}

/** Once what is repeated as a whole, such as `abc` for `abcabcabc`. */
const withoutRepetition = (text: string): string => /^(.{1,16}?)\1+.{0,15}$/s.exec(text)?.[1] ?? text

/** @param least characters that must be left, and half as many different ones, when all that is easy to guess is removed */
export function isGuessable(secret: string, least: number): boolean {
  const bare = withoutRepetition(secret.toLowerCase().replaceAll(/[^a-z0-9]+/g, ''))
  const letters = withoutRepetition(withoutRuns(bare).replaceAll(placeholder, ''))
  // Symbols count too, in a secret of any characters.
  const rest = letters + secret.replaceAll(/[\sa-z0-9_.:/-]+/gi, '')
  return rest.length < least || new Set(rest).size < least / 2
}
