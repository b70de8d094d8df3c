/**
 * Lists the texts that operators can replace, with their English text, for `src/features/dashboard/texts.json`: those of user-facing pages,
 * emails and text messages. Texts are functions of their values, so each is called with the names of its values in place of them.
 */
import { readFileSync } from 'node:fs'
import type { TextEntry } from '../src/features/dashboard/text-list.ts'
import type { TextForms, TextValue } from '../src/lib/own-text.ts'
import { messageTexts } from './message-texts.ts'
import { inAll, namesIn } from './text-names.ts'

type Message = string | ((values: unknown, format: object) => string)
type Values = Readonly<Record<string, unknown>>

interface Made {
  readonly text: string
  /** Names of the values that the text has read. */
  readonly read: ReadonlySet<string>
  readonly formats: Readonly<Record<string, string>>
  readonly plural: { readonly by: string; readonly forms: Readonly<Record<string, string>> } | null
}

const nameOf = (value: unknown): string | null => /^\{(\w+)\}$/.exec(String(value))?.[1] ?? null

/** @param given values in place of names @param form of plural texts @returns null when the message does not take such values */
function make(message: Message, given: Values = {}, form = 'other'): Made | null {
  const read = new Set<string>()
  const formats: Record<string, string> = {}
  const plurals: NonNullable<Made['plural']>[] = []
  const values = new Proxy(given, {
    get: (_, name) => {
      if (typeof name === 'symbol') return undefined
      read.add(name)
      return Object.hasOwn(given, name) ? given[name] : `{${name}}`
    },
  })
  const plural = (count: unknown, forms: Readonly<Record<string, string>>) => {
    const by = nameOf(count)
    if (by === null) return (forms.other ?? '').replaceAll('#', String(count))
    if (plurals.length > 0 && plurals[0]?.by !== by) return (forms.other ?? '').replaceAll('#', `{${by}}`)
    plurals.push({ by, forms })
    return forms[form] ?? forms.other ?? ''
  }
  const format = new Proxy(
    {},
    {
      get: (_, kind) => (kind === 'plural' ? plural : (value: unknown) => written(value, String(kind))),
    },
  )
  const written = (value: unknown, kind: string) => {
    const name = nameOf(value)
    if (name !== null && kind !== 'number') formats[name] = kind
    return String(value)
  }
  try {
    const text = typeof message === 'function' ? message(values, format) : message
    return typeof text === 'string' ? { text, read, formats, plural: plurals[0] ?? null } : null
  } catch {
    return null
  }
}

function textOf(message: Message, made: Made, given: Values = {}): TextValue {
  if (!made.plural) return made.text
  const { by, forms } = made.plural
  const none = make(message, { ...given, [by]: 0 })
  const each = Object.keys(forms).map((form) => [form, make(message, given, form)?.text ?? made.text])
  return { by, ...(none && !/^0|\b0\b/.test(none.text) && { '=0': none.text }), ...Object.fromEntries(each) } as TextForms
}

const leavesOf = (text: TextValue): string[] =>
  typeof text === 'string'
    ? [text]
    : Object.entries(text)
        .filter(([form]) => form !== 'by')
        .flatMap(([, each]) => leavesOf(each))

/** The text of a message that converts its number first, such as hours to days. */
function converted(message: Message, [name, ...more]: readonly string[]): string | null {
  if (name === undefined || more.length > 0 || !/NaN|true/.test(make(message, { [name]: true })?.text ?? '')) return null
  return make(message, { [name]: 48 })?.text.replaceAll('48', `{${name}}`) ?? null
}

function entryOf(message: Message): TextEntry | null {
  const made = make(message)
  if (!made) return null
  const texts = leavesOf(textOf(message, made))
  const shown = new Set([...texts.flatMap(namesIn), made.plural?.by])
  const varies = [...made.read].filter((name) => !shown.has(name))
  const others = varies.flatMap((name) => [true, false, null, '', 0, 1].map((value) => make(message, { [name]: value })?.text))
  const branches = (varies.length === 1 ? [true, false] : []).map((value) => {
    const given = { [varies[0] ?? '']: value }
    const one = make(message, given)
    return one && textOf(message, one, given)
  })
  const [yes, no] = branches
  const isBranch = yes && no && JSON.stringify(yes) !== JSON.stringify(no) && !/\b(true|false)\b/.test(JSON.stringify([yes, no]))
  const text: TextValue = isBranch
    ? { by: varies[0] ?? '', true: yes, other: no }
    : (converted(message, varies) ?? textOf(message, made))
  const required = inAll([...texts, ...others.filter((each) => each !== undefined)]).filter((name) => name !== 'appName')
  return {
    text,
    values: [...made.read].sort(),
    ...(required.length > 0 && { required }),
    ...(made.plural && { plural: made.plural.by }),
    ...(varies.length > 0 && { varies }),
    ...(Object.keys(made.formats).length > 0 && { formats: made.formats }),
  }
}

/** The English file of each catalogue, by name: next to the one that the index of another language names. */
function catalogueFiles(): [name: string, file: string][] {
  const folder = new URL('../dashboard/src/languages/', import.meta.url)
  const lines = readFileSync(new URL('es.ts', folder), 'utf8').matchAll(/^ {2}'?([\w-]+)'?: \(\) => import\('(.+)es\.ts'\)/gm)
  return [...lines].map(([, name = '', path]) => [name, new URL(`${path}en.ts`, folder).href])
}

async function catalogueTexts(): Promise<[string, TextEntry][]> {
  const all = await Promise.all(
    catalogueFiles().map(async ([name, file]) => {
      const { messages }: { readonly messages: Readonly<Record<string, Message>> } = await import(file)
      return Object.entries(messages).map(([key, message]) => [`${name}.${key}`, entryOf(message)] as const)
    }),
  )
  return all.flat().map(([key, entry]) => {
    if (!entry) throw new Error(`The text of ${key} cannot be written with the names of its values`)
    return [key, entry]
  })
}

/** One line for each text, so that versions are easy to compare. */
export async function textList(): Promise<string> {
  const entries = [...(await catalogueTexts()), ...(await messageTexts())]
  const byKey = entries.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{\n${byKey.map(([key, entry]) => `${JSON.stringify(key)}:${JSON.stringify(entry)}`).join(',\n')}\n}\n`
}
