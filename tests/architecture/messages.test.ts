/** The texts of the hosted pages: complete in every language, with a sentence for every error. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { errors as coreErrors, type ErrorEntry } from '../../src/core/errors.ts'
import { featureList } from '../../src/features/index.ts'
import { capitalized, formal, informal } from '../kit/german.ts'

const root = fileURLToPath(new URL('../../dashboard/src/', import.meta.url))

/** Two: the formal and the informal text of a translation. */
type Text = string | readonly [string, string]
type Messages = Readonly<Record<string, Text | ((values: unknown, format: object) => Text)>>

/** Loaded by name: pages are compiled with the types of a browser. */
async function messagesOf(file: string): Promise<Messages> {
  const module: { readonly messages: Messages } = await import(pathToFileURL(root + file).href)
  return module.messages
}

const englishFiles = globSync('**/{en,*-en}.ts', { cwd: root }).sort()
const germanOf = (file: string) => file.replace(/\ben\.ts$/, 'de.ts')

/** Each value becomes its name, and each plural its last form. */
const values = new Proxy({}, { get: (_, name) => String(name) })
const format = new Proxy({}, { get: () => (_: unknown, forms: unknown) => JSON.stringify(forms ?? '') })
const madeOf = (message: Messages[string], given: unknown = values) =>
  typeof message === 'function' ? message(given, format) : message
const textsOf = (message: Messages[string]) => [madeOf(message)].flat()
const textOf = (message: Messages[string]) => textsOf(message)[0] ?? ''

/** Whether the text is nothing but one of its values. */
const isName = (message: Messages[string]) => typeof message === 'function' && /^\w+$/.test(textOf(message))

/** The same in both languages: names, and words that German has taken over. */
const shared = new Set([
  'Passkey',
  'Code',
  'Status',
  'System',
  'optional',
  'Administrator',
  'Export',
  'ID',
  'Logo',
  'Name',
  'Passkeys',
  'Team',
  'Teams',
  'time UTC',
  'actor: action',
])

describe.each(englishFiles)('%s', (file) => {
  test('has all of its texts in German', async () => {
    const [english, german] = [await messagesOf(file), await messagesOf(germanOf(file))]
    expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort())
    const same = Object.entries(english).filter(([key, text]) => textOf(german[key] ?? '') === textOf(text) && !isName(text))
    expect(same.map(([, text]) => textOf(text)).filter((text) => !shared.has(text))).toEqual([])
  })

  test('has no empty text, and no text that ends with a space', async () => {
    for (const each of [file, germanOf(file)]) {
      for (const text of Object.values(await messagesOf(each)).flatMap(textsOf)) expect(text).toMatch(/\S$/)
    }
  })
})

/** "They", with a verb in the plural. */
const theirs = /Sie werden nach 30 Tagen gelöscht|Sie gelten auf jeder Seite|Ihr Inhalt wird nie/

/** Functions may have sentences for one, for many, and for nothing. */
const numbers = [0, 1, 2].map((count) => new Proxy({}, { get: () => count }))
const absent = new Proxy({}, { get: () => null })

/** Every text of a message that some values make. */
function everyText(message: Messages[string]): Text[] {
  if (typeof message !== 'function') return [message]
  const others = [...numbers, absent].flatMap((given) => {
    try {
      return [madeOf(message, given)]
    } catch {
      // It does not take values of this kind.
      return []
    }
  })
  return [madeOf(message), ...others]
}

test('a German text that addresses the user has both forms, each with its own words', async () => {
  const catalogues = await Promise.all(englishFiles.map((file) => messagesOf(germanOf(file))))
  const texts = catalogues.flatMap((messages) => Object.values(messages)).flatMap(everyText)
  // Some texts are one of their values.
  const pairs = texts.filter((text): text is readonly [string, string] => Array.isArray(text))
  expect(pairs.length).toBeGreaterThan(400)
  const isAlike = (text: string) => !formal.test(text.replace(theirs, '')) && !informal.test(text)
  expect(texts.filter((text) => typeof text === 'string' && !isAlike(text))).toEqual([])
  const isMixed = ([one, other]: readonly [string, string]) =>
    informal.test(one) || !formal.test(one) || formal.test(other) || capitalized.test(other) || other.includes('!')
  expect(pairs.filter(isMixed)).toEqual([])
})

const features = Object.values(featureList)
const errorCodes = [coreErrors, ...features.map(({ errors = {} }) => errors)]
  .flatMap((catalogue) => Object.values<ErrorEntry>(catalogue))
  .map(({ code }) => code)
/** `<error>` stands for codes of others. */
const redirectCodes = features
  .flatMap(({ routes = {} }) => Object.values(routes).flatMap(({ declaration }) => declaration.redirects ?? []))
  .filter((code) => !code.startsWith('<'))

test('there is a sentence for each error code and each code of a redirect', async () => {
  const known = new Set(
    (await Promise.all(englishFiles.filter((file) => /errors|redirects/.test(file)).map(messagesOf))).flatMap((messages) =>
      Object.keys(messages),
    ),
  )
  expect(redirectCodes).toContain('account_not_linked')
  const missing = [...errorCodes, ...redirectCodes].filter((code) => !known.has(code) && !known.has(code.toUpperCase()))
  expect([...new Set(missing)].sort()).toEqual([])
})

test('there is no sentence for a redirect code that does not exist', async () => {
  const existing = new Set([...errorCodes, ...redirectCodes])
  const explained = Object.keys(await messagesOf('messages/redirects-en.ts'))
  expect(explained.filter((code) => !existing.has(code))).toEqual([])
})

test('no message key is unused', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/(^|[/-])(en|de)\.ts$/.test(file))
  const code = sources.map((file) => readFileSync(root + file, 'utf8')).join('\n')
  const ends = [...code.matchAll(/\}(\w+)`/g)].map(([, end = '']) => end)
  const isUsed = (key: string) => code.includes(`'${key}'`) || ends.some((end) => key.endsWith(end))
  const unused = englishFiles
    .filter((file) => !/errors|redirects|mail-kinds/.test(file))
    .flatMap((file) =>
      [...readFileSync(root + file, 'utf8').matchAll(/^ {2}(\w+):/gm)]
        .map(([, key = '']) => key)
        .filter((key) => !isUsed(key))
        .map((key) => `${file}: ${key}`),
    )
  expect(unused).toEqual([])
})

test('there is a sentence for each action of the audit log, in one group of actions', async () => {
  const recorded = Object.values(featureList).flatMap(({ auditActions = {} }) => Object.keys(auditActions))
  const { actionGroups }: { readonly actionGroups: Readonly<Record<string, readonly string[]>> } = await import(
    pathToFileURL(`${root}events/index.ts`).href
  )
  const grouped = Object.values(actionGroups).flat()
  const sentences = Object.keys(await messagesOf('events/en.ts')).filter((key) => key.includes('.'))
  expect(grouped).toContain('user.signed-in')
  expect(grouped.toSorted()).toEqual([...new Set(recorded)].sort())
  expect(sentences.sort()).toEqual(grouped.toSorted())
})

/** Anyone may make them, and they are not limited. */
const openCalls = ['GET /public-settings', 'GET /continue', 'GET /ok', 'GET /error', 'GET /reference/:asset', 'GET /mailbox/list']

test('there are words for each call that may be denied, and for each kind of email and text message', async () => {
  const calls = features
    .flatMap(({ routes = {} }) => Object.entries(routes))
    .filter(([key, { declaration }]) => !declaration.undocumented && !openCalls.includes(key))
    .map(([key]) => key)
  expect(calls).toContain('POST /organization/accept-invitation')
  expect(Object.keys(await messagesOf('events/attempts-en.ts')).sort()).toEqual(calls.sort())
  // An email and a text message may be of one kind.
  const kinds = [...new Set(features.flatMap(({ mails = {}, texts = {} }) => [...Object.keys(mails), ...Object.keys(texts)]))]
  expect(kinds).toContain('reset-password')
  expect(Object.keys(await messagesOf('messages/mail-kinds-en.ts')).sort()).toEqual(kinds.sort())
})
