/** Finds an option in the source text of a configuration. Best effort: objects that code builds are not found. */

interface Range {
  readonly start: number
  readonly end: number
}

export interface OptionSource {
  /** Of the option, or of the nearest section around it that the text has. */
  readonly line: number
  /** The environment variable that the option reads, as in `process.env.NAME`. */
  readonly variable: string | null
}

/** @param path as in `genericOAuth.config.0.clientId` @returns null when the text does not have the first name of the path */
export function findOption(source: string, path: string): OptionSource | null {
  const text = withoutPunctuationInTexts(source)
  const [first = '', ...rest] = path.split('.')
  const start = text.search(new RegExp(`(?<![\\w$.])${keyPattern(first)}\\s*[:,(}]`))
  if (start < 0) return null
  let found: Range = { start, end: endOfMember(text, start) }
  for (const name of rest) {
    const inner = findMember(text, found, name)
    if (!inner) return { line: lineAt(source, found.start), variable: null }
    found = inner
  }
  const [, variable = null] = /\bprocess\.env\.(\w+)/.exec(source.slice(found.start, found.end)) ?? []
  return { line: lineAt(source, found.start), variable }
}

const lineAt = (source: string, position: number): number => source.slice(0, position).split('\n').length

const keyPattern = (name: string): string => `['"]?${name.replaceAll(/\W/g, '\\$&')}['"]?`

/** Keeps all positions. Comments become spaces; texts keep their letters, since a key may be quoted. */
const withoutPunctuationInTexts = (source: string): string =>
  source.replaceAll(/(['"`])(?:\\.|(?!\1)[^\\])*\1|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.replaceAll(part.startsWith('/') ? /[^\n]/g : /[{}[\](),:]/g, ' '),
  )

/** A member of the object, or an element of the list, that is the value of a member. */
function findMember(text: string, { start, end }: Range, name: string): Range | null {
  const isElement = '{['.includes(text[start] ?? '')
  const colon = isElement ? start - 1 : text.indexOf(':', start)
  const open = colon + 1 + text.slice(colon + 1, end).search(/\S/)
  if (colon >= end || !'{['.includes(text[open] ?? '')) return null
  const members = membersOf(text, open)
  if (text[open] === '[') return members[Number(name)] ?? null
  const key = new RegExp(`^${keyPattern(name)}\\s*([:(]|$)`)
  return members.find((member) => key.test(text.slice(member.start, member.end))) ?? null
}

/** @param open position of the opening bracket */
function membersOf(text: string, open: number): Range[] {
  const members: Range[] = []
  let start = open + 1
  while (start < text.length) {
    const end = endOfMember(text, start)
    const content = text.slice(start, end)
    if (content.trim()) members.push({ start: start + content.search(/\S/), end: start + content.trimEnd().length })
    if (text[end] !== ',') break
    start = end + 1
  }
  return members
}

/** The comma or the closing bracket after a member. */
function endOfMember(text: string, start: number): number {
  let depth = 0
  for (let position = start; position < text.length; position++) {
    const character = text[position] ?? ''
    if (depth === 0 && ',}])'.includes(character)) return position
    if ('{[('.includes(character)) depth++
    else if ('}])'.includes(character)) depth--
  }
  return text.length
}
