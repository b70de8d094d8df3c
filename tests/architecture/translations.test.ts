/** The texts of user-facing pages in every language: complete, with the same values, all plural forms, and the terms of the language. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findForbidden } from '../../scripts/translation-terms.ts'
import { languages, pluralOf } from '../../src/lib/locale.ts'

const root = fileURLToPath(new URL('../../dashboard/src/', import.meta.url))
const further = languages.filter((language) => language !== 'en' && language !== 'de')

type Message = string | ((values: unknown, format: object) => string | readonly [string, string])
type Messages = Readonly<Record<string, Message>>

async function messagesOf(file: string): Promise<Messages> {
  const module: { readonly messages: Messages } = await import(pathToFileURL(root + file).href)
  return module.messages
}

/** By name, the files of a language as its index names them. */
const { catalogues }: { readonly catalogues: Readonly<Record<string, () => Promise<{ readonly messages: Messages }>>> } =
  await import(pathToFileURL(`${root}languages/fr.ts`).href)
const names = Object.keys(catalogues)

interface Made {
  readonly text: string
  readonly plurals: readonly object[]
}

/** A message with the name of each value in place of the value, and the plural forms that it has. */
function make(message: Message, values: unknown): Made {
  const plurals: object[] = []
  const format = new Proxy(
    {},
    {
      get: (_, name) => (value: unknown, forms?: Readonly<Record<string, string>>) => {
        if (name !== 'plural' || !forms) return String(value)
        plurals.push(forms)
        return Object.values(forms).join(' ').replaceAll('#', String(value))
      },
    },
  )
  const made = typeof message === 'function' ? message(values, format) : message
  return { text: typeof made === 'string' ? made : made[0], plurals }
}

const named = new Proxy({}, { get: (_, name) => (typeof name === 'symbol' ? undefined : `{${name}}`) })
const others = [0, 1, 2, null, true, false].map((value) => new Proxy({}, { get: () => value }))

/** What a message may be, by some values; those that it does not take are left out. */
const variants = (message: Message): Made[] =>
  [named, ...(typeof message === 'function' ? others : [])].flatMap((values) => {
    try {
      const made = make(message, values)
      return typeof made.text === 'string' ? [made] : []
    } catch {
      return []
    }
  })

const valuesIn = (message: Message): string[] =>
  [...new Set([...make(message, named).text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort()

/** Forms that a language needs for the counts of a page; `many` of Spanish and French is for millions. */
const formsOf = (language: string): string[] =>
  ['ru', 'uk', 'pl'].includes(language) ? ['few', 'many', 'one', 'other'] : ['one', 'other']

/** The same as in English: file names, and words that the language shares with it. */
const shared: ReadonlySet<string> = new Set([
  'backup-codes.txt',
  'auth.config.ts',
  ...[
    'Admin',
    'Administrator',
    'Logo',
    'Status',
    'Team',
    'Passkey',
    'Export',
    'Roles',
    'Code',
    'Type',
    'Date',
    'optional',
    'Slug',
  ],
  ...[
    'Confirmation',
    'Active',
    'Instance',
    'Administration',
    'Production',
    'Pages',
    'Sessions',
    'Actions',
    'Invitations',
    'Session',
  ],
  ...['Photo', 'System', 'Region', 'Error', 'General', 'Expiration', 'Notifications', 'Invitation'],
  ...['Document', 'Version', 'Version {version}', 'Zoom', 'Incident'],
])
const isShared = (text: string): boolean => shared.has(text) || !/\p{Ll}{3}/u.test(text.replaceAll(/\{\w+\}/g, ''))

describe.each(further)('the catalogues in %s', (language) => {
  const load = async () => {
    const { catalogues: own }: { readonly catalogues: typeof catalogues } = await import(
      pathToFileURL(`${root}languages/${language}.ts`).href
    )
    return Promise.all(
      names.map(async (name) => ({ name, own: (await own[name]?.())?.messages ?? {}, english: await englishOf(name) })),
    )
  }

  test('have the keys and the values of English', async () => {
    for (const { name, own, english } of await load()) {
      expect(Object.keys(own).sort(), name).toEqual(Object.keys(english).sort())
      for (const [key, message] of Object.entries(english))
        expect(valuesIn(own[key] ?? ''), `${name}.${key}`).toEqual(valuesIn(message))
    }
  })

  test('have each text, in their language', async () => {
    const all = await load()
    const texts = all.flatMap(({ name, own }) =>
      Object.entries(own).flatMap(([key, message]) => variants(message).map(({ text }) => ({ at: `${name}.${key}`, text }))),
    )
    expect(texts.filter(({ text }) => text !== '' && !/^\S(.*\S)?$/su.test(text))).toEqual([])
    const same = all.flatMap(({ name, own, english }) =>
      Object.entries(english)
        .map(([key, message]) => ({
          at: `${name}.${key}`,
          text: make(message, named).text,
          own: make(own[key] ?? '', named).text,
        }))
        .filter((one) => one.text === one.own && !isShared(one.text)),
    )
    expect(same).toEqual([])
  })

  test('have every plural form that the language needs', async () => {
    const missing = (await load()).flatMap(({ name, own }) =>
      Object.entries(own).flatMap(([key, message]) =>
        variants(message)
          .flatMap(({ plurals }) => plurals)
          .filter((forms) => Object.keys(forms).length > 1 && formsOf(language).some((form) => !Object.hasOwn(forms, form)))
          .map((forms) => `${name}.${key}: ${Object.keys(forms).join(', ')}`),
      ),
    )
    expect([...new Set(missing)]).toEqual([])
  })

  test('use one word for each thing', async () => {
    const found = (await load()).flatMap(({ name, own }) =>
      Object.entries(own).flatMap(([key, message]) =>
        variants(message).flatMap(({ text }) =>
          findForbidden(language, text.replaceAll(/\{\w+\}/g, '')).map(({ found, say }) => `${name}.${key}: "${found}": ${say}`),
        ),
      ),
    )
    expect([...new Set(found)]).toEqual([])
  })
})

const sources = fileURLToPath(new URL('../../src/features/', import.meta.url))
const mailFiles = globSync('*/texts/{*-,}en.ts', { cwd: sources })

describe.each(languages)('the emails and text messages in %s', (language) => {
  const files = mailFiles.map((file) => file.replace(/en\.ts$/, `${language}.ts`))
  const read = (file: string) => readFileSync(sources + file, 'utf8')

  test('have every plural form that the language needs', () => {
    const found = files.flatMap((file) =>
      [...read(file).matchAll(/plural\([\w.]+, \{([^}]*)\}/g)].map(([, forms = '']) =>
        [...forms.matchAll(/\b(\w+):/g)].map(([, form]) => form),
      ),
    )
    expect(found.length).toBeGreaterThan(5)
    const isComplete = (forms: readonly unknown[]) =>
      forms.length === 1 || formsOf(language).every((form) => forms.includes(form))
    expect(found.filter((forms) => !isComplete(forms))).toEqual([])
  })

  test('use one word for each thing', () => {
    const texts = files.flatMap((file) =>
      [...read(file).matchAll(/'(?:[^'\\\n]|\\.)*'|`[^`]*`|"[^"\n]*"/g)]
        .map(([text]) => text.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, ''))
        // Names of kinds and of pages are code.
        .filter((text) => /\s/.test(text))
        .map((text) => ({ file, text })),
    )
    const found = texts.flatMap(({ file, text }) =>
      findForbidden(language, text).map(({ found, say }) => `${file}: "${found}" in "${text}": ${say}`),
    )
    expect([...new Set(found)]).toEqual([])
  })
})

/** The English file next to the file of a language. */
async function englishOf(name: string): Promise<Messages> {
  const path = String(catalogues[name]).match(/["'`]([^"'`]+fr\.ts)["'`]/)?.[1] ?? ''
  return messagesOf(
    path
      .replace(/^.*dashboard\/src\//, '')
      .replace(/^(\.\.\/)+/, '')
      .replace(/fr\.ts$/, 'en.ts'),
  )
}

const numbers = [0, 1, 2, 5, 11, 21, 1.5]
const slavic = { one: 'one', few: 'few', many: 'many', other: 'other' }
const western = { one: 'one', other: 'other' }

test.each([
  ['en', western, ['other', 'one', 'other', 'other', 'other', 'other', 'other']],
  ['de', western, ['other', 'one', 'other', 'other', 'other', 'other', 'other']],
  ['es', western, ['other', 'one', 'other', 'other', 'other', 'other', 'other']],
  ['tr', western, ['other', 'one', 'other', 'other', 'other', 'other', 'other']],
  // Zero and one and a half are singular in French.
  ['fr', western, ['one', 'one', 'other', 'other', 'other', 'other', 'one']],
  // 21 is one thing in Russian and Ukrainian, and many in Polish.
  ['pl', slavic, ['many', 'one', 'few', 'many', 'many', 'many', 'other']],
  ['ru', slavic, ['many', 'one', 'few', 'many', 'many', 'one', 'other']],
  ['uk', slavic, ['many', 'one', 'few', 'many', 'many', 'one', 'other']],
])('in %s, 0, 1, 2, 5, 11, 21 and 1.5 have the plural forms of CLDR', (language, forms, expected) => {
  expect(numbers.map((number) => pluralOf(language, number, forms))).toEqual(expected)
  expect(pluralOf(language, 1.5, { other: '#' })).toBe(language === 'en' ? '1.5' : '1,5')
})
