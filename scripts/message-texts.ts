/** Lists the texts of emails and text messages: each kind is written with the names of its values in place of those of its preview. */

import type { Feature } from '../src/core/feature.ts'
import type { MailContent, TextContext } from '../src/core/message.ts'
import type { TextEntry } from '../src/features/dashboard/text-list.ts'
import { type Config, featureList } from '../src/features/index.ts'
import { englishLayout } from '../src/features/outbox/layout-texts.ts'
import { codeTail, partsOf } from '../src/features/outbox/own-messages.ts'
import { formatDuration, pluralOf } from '../src/lib/locale.ts'
import { isRecord } from '../src/lib/objects.ts'
import type { TextValue } from '../src/lib/own-text.ts'
import { parseConfig } from '../src/project/config/parse-config.ts'
import { inAll, namesIn } from './text-names.ts'

const required = { secret: '0123456789 abcdefghijklmnopqrstuvwxyz', baseURL: 'http://localhost:4000' }
const now = () => new Date('2026-11-25T02:29:00.000Z')

function exampleConfig(): Config {
  const parsed = parseConfig(featureList, { ...required, database: { url: 'sqlite::memory:' } })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return parsed.config
}

type Write = (data: object, context: TextContext) => Readonly<Record<string, string>>
type Leaf = readonly [name: string, value: unknown]

/** The values in the data of a kind, with the path of each as its name. */
const leavesOf = (data: object, path = ''): Leaf[] =>
  Object.entries(data).flatMap(([name, value]) => (isRecord(value) ? leavesOf(value, `${path}${name}.`) : [[path + name, value]]))

function withLeaf(data: object, [first = '', ...rest]: readonly string[], value: unknown): object {
  const inner: unknown = Reflect.get(data, first)
  return { ...data, [first]: rest.length === 0 ? value : withLeaf(isRecord(inner) ? inner : {}, rest, value) }
}

/** With a dot, so that it shows whether a text treats the value as a name that a user chose. */
const marker = (name: string) => `{v.${name}}`
const markerNumber = 7_654_301

/** The text with names as operators write them. */
const clean = (text: string) => text.replaceAll('\u2060', '').replaceAll(/\{v\.([\w.]+)\}/g, '{$1}')

interface Made {
  readonly parts: Readonly<Record<string, string>>
  readonly plural: string | null
  readonly forms: ReadonlySet<string>
  readonly formats: Readonly<Record<string, string>>
}

/** @param changes values in place of those of the preview, by name @param form of plural texts */
function make(
  write: Write,
  config: Config,
  data: object,
  changes: Readonly<Record<string, unknown>>,
  form = 'other',
): Made | null {
  const formats: Record<string, string> = {}
  const forms = new Set<string>()
  const found: { plural: string | null } = { plural: null }
  const names = Object.entries(changes)
  const nameOfNumber = (count: number) => names.find(([, value]) => value === count && count >= markerNumber)?.[0] ?? null
  const context: TextContext = {
    ...{ locale: 'en', timeZone: 'UTC', config, appName: '{appName}' },
    duration: (seconds) => (seconds > 0 ? '{duration}' : formatDuration(seconds)),
    time(time) {
      const [, name] = /^\{v\.([\w.]+)\}$/.exec(time) ?? []
      if (name !== undefined) formats[name] = 'time'
      return time
    },
    say: (formal) => formal,
    plural(count, given) {
      const name = nameOfNumber(count)
      if (name === null) return pluralOf('en', count, given)
      if (found.plural !== null && found.plural !== name) return given.other.replaceAll('#', `{${name}}`)
      found.plural = name
      for (const each of Object.keys(given)) forms.add(each)
      return Reflect.get(given, form) ?? given.other
    },
    button: (_, label) => ({ action: { label, url: '' } }),
    list: () => '{list}',
  }
  try {
    const changed = names.reduce((all, [name, value]) => withLeaf(all, name.split('.'), value), data)
    const written = Object.entries(write(changed, context)).map(([part, text]) => {
      for (const [, name = ''] of text.matchAll(/\{v\.\u2060([\w.\u2060]+)\}/g)) formats[name.replaceAll('\u2060', '')] = 'name'
      const numbers = names.filter(([, value]) => typeof value === 'number' && value >= markerNumber)
      const named = numbers.reduce((all, [name, value]) => all.replaceAll(String(value), `{${name}}`), text)
      return [part, clean(named)] as const
    })
    if (written.some(([, text]) => typeof text !== 'string' || /\b(undefined|null|NaN)\b/.test(text))) return null
    return { parts: Object.fromEntries(written), plural: found.plural, forms, formats }
  } catch {
    return null
  }
}

function entriesOf(write: Write, config: Config, data: object): [part: string, entry: TextEntry][] {
  const leaves = leavesOf(data)
  const base = make(write, config, data, {})
  if (!base) throw new Error(`A text cannot be written: ${JSON.stringify(data)}`)
  const markers = leaves.flatMap(([name, value], at): Leaf[] => {
    if (typeof value === 'number') return [[name, markerNumber + at]]
    if (typeof value !== 'string' || choices[name]) return []
    const made = make(write, config, data, { [name]: marker(name) })
    return made && Object.values(made.parts).some((text) => namesIn(text).includes(name)) ? [[name, marker(name)]] : []
  })
  const given = Object.fromEntries(markers)
  const named = make(write, config, data, given) ?? base
  const values = [...new Set(Object.values(named.parts).flatMap(namesIn))]
  const others = leaves.flatMap(([name, value]) =>
    variantsOf(name, value).flatMap((other) => {
      const made = make(write, config, data, { ...given, [name]: other })
      return made ? [{ name, other, made }] : []
    }),
  )
  const parts = [...new Set([named, ...others.map(({ made }) => made)].flatMap((made) => Object.keys(made.parts)))]
  return parts.map((part) => {
    // The same sentence with another value is not another text.
    const differs = others.filter(({ name, other, made }) => {
      const text = made.parts[part]
      return text !== undefined && name !== named.plural && named.parts[part]?.replaceAll(`{${name}}`, String(other)) !== text
    })
    const shown = [named, ...differs.map(({ made }) => made)].flatMap((made) => made.parts[part] ?? [])
    const varies = [...new Set(differs.map(({ name }) => name))]
    const plain = named.parts[part] ?? shown[0] ?? ''
    const branches = differs.filter(({ other }) => typeof other === 'boolean' || (typeof other === 'string' && other !== '-'))
    const [by] = varies
    const isBranch = by !== undefined && varies.length === 1 && branches.length > 0 && named.parts[part] !== undefined
    const text: TextValue = isBranch
      ? {
          by,
          ...Object.fromEntries(branches.map(({ other, made }) => [String(other), made.parts[part] ?? plain])),
          other: plain,
        }
      : pluralText(part, plain)
    const formats = Object.fromEntries(Object.entries(named.formats).filter(([name]) => values.includes(name)))
    const isPlural = typeof text !== 'string' && text.by === named.plural
    const required = inAll([...shown, ...formsIn(text)]).filter((name) => !['list', 'appName', named.plural].includes(name))
    return [
      part,
      {
        text,
        values: [...new Set([...values, 'appName', ...varies, ...(isPlural && named.plural ? [named.plural] : [])])].sort(),
        ...(required.length > 0 && { required }),
        ...(isPlural && named.plural !== null && { plural: named.plural }),
        ...(varies.length > 0 && { varies }),
        ...(Object.keys(formats).length > 0 && { formats }),
      },
    ]
  })

  function pluralText(part: string, plain: string): TextValue {
    if (named.plural === null) return plain
    const texts = [...named.forms].map((form) => [form, make(write, config, data, given, form)?.parts[part] ?? plain] as const)
    return texts.some(([, text]) => text !== plain) ? { by: named.plural, other: plain, ...Object.fromEntries(texts) } : plain
  }
}

const formsIn = (text: TextValue): string[] =>
  typeof text === 'string' ? [text] : Object.entries(text).flatMap(([form, each]) => (form === 'by' ? [] : formsIn(each)))

/** Values by which texts are chosen, by their name. */
const choices: Readonly<Record<string, readonly string[]>> = {
  stage: ['requested', 'soon', 'done', 'cancelled'],
  requestedBy: ['user', 'administrator', 'operator'],
  reason: ['unlinked', 'email-verified'],
  by: ['session', 'reset-link', 'setup-link', 'verification-link', 'code', 'administrator', 'operator'],
  type: ['sign-in', 'email-verification', 'forget-password', 'change-email'],
}

/** Other values by which a text may differ. */
function variantsOf(name: string, value: unknown): readonly unknown[] {
  const known = choices[name]
  if (known) return known.filter((each) => each !== value)
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [0, 1]
  return typeof value === 'string' ? ['-', null] : value === null ? ['-'] : []
}

export async function messageTexts(): Promise<[string, TextEntry][]> {
  const config = exampleConfig()
  const features: readonly Feature[] = Object.values(featureList)
  const mails = features.flatMap(({ mails: kinds = {} }) => Object.values(kinds))
  const texts = features.flatMap(({ texts: kinds = {} }) => Object.values(kinds))
  await Promise.all([...mails, ...texts].map(({ load }) => load('en')))
  const layout = Object.entries(englishLayout).map(([part, text]): [string, TextEntry] => [
    `mail.layout.${part}`,
    { text, values: [] },
  ])
  return [
    ...layout,
    ...mails.flatMap(({ kind, content, example }) => {
      const write: Write = (data, context) => partsOf(content('en')(data as never, context) as MailContent)
      return entriesOf(write, config, example({ config, now })).map(([part, entry]): [string, TextEntry] => [
        `mail.${kind}.${part}`,
        entry,
      ])
    }),
    ...texts.flatMap(({ kind, content }) => {
      const write: Write = (data, context) => ({ text: content('en')(data as never, context).replace(codeTail, '') })
      return entriesOf(write, config, textData).map(([, entry]): [string, TextEntry] => [`text.${kind}`, entry])
    }),
  ]
}

/** Text messages have no previews. */
const textData = {
  ...{ code: '482913', otp: '482913', phoneNumber: '+491701234567' },
  ...{
    stage: 'requested',
    requestedBy: 'user',
    effectiveAt: now().toISOString(),
    factors: ['totp'],
    url: 'https://x.example',
    token: '',
  },
}
