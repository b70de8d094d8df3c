/** Texts of the operator in place of ours: the files of `dashboard.texts`, read once per configuration, and served with a hash in their name. */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigIssue } from '../../core/config.ts'
import { builtInLocales, isLocaleName, localesIn } from '../../core/own-locales.ts'
import type { PageFile } from '../../core/ports.ts'
import { readBoundedText } from '../../lib/bounded-file.ts'
import { isRecord } from '../../lib/objects.ts'
import type { OwnText, OwnTexts } from '../../lib/own-text.ts'
import type { Config } from '../index.ts'
import { checkText } from './text-check.ts'
import { textList } from './text-list.ts'

const mostKiB = 1024
/** Of one file: an operator who sees these has enough to fix. */
const mostIssues = 20

interface OwnTextFiles {
  /** By locale; of the locales that are in `dashboard.locales`. */
  readonly texts: Readonly<Record<string, OwnTexts>>
  /** What the application loads, by locale. */
  readonly files: ReadonlyMap<string, PageFile & { readonly name: string }>
  readonly issues: readonly ConfigIssue[]
}

/** By the list of locales, which previews of other brands share with the configuration: they have the same texts. */
const known = new WeakMap<Config['dashboard']['locales'], OwnTextFiles>()
const none: OwnTextFiles = { texts: {}, files: new Map(), issues: [] }

/** Reads and checks the files. Texts with an issue are left out. */
export function readOwnTexts(config: Config): OwnTextFiles {
  const { texts: folder, locales } = config.dashboard
  if (folder === undefined) return none
  const before = known.get(locales)
  if (before) return before
  const found = isFolder(folder)
    ? readFolder(config, folder)
    : { ...none, issues: [issueOf(`Cannot use ${folder}: it is not a folder.`)] }
  known.set(locales, found)
  return found
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const issueOf = (
  message: string,
  hint = 'Run `latchkey texts list` to see all keys, and the values that each text has.',
): ConfigIssue => ({
  ...{ id: 'dashboard-texts', path: 'dashboard.texts' },
  ...{ message, hint },
})

function readFolder({ dashboard: { locales } }: Config, folder: string): OwnTextFiles {
  const read = localesIn(folder).map((locale) => {
    const file = join(folder, `${locale}.json`)
    if (!isLocaleName(locale)) {
      const hint = 'Name the file by the tag of a language, such as nl.json.'
      return { locale, texts: {}, issues: [issueOf(`${file} has no name of a language.`, hint)] }
    }
    if (!locales.includes(locale)) {
      const hint = `Add ${locale} to dashboard.locales, or remove the file.`
      return { locale, texts: {}, issues: [issueOf(`${file} is for a language that is not in dashboard.locales.`, hint)] }
    }
    return { locale, ...readTextFile(file, locale) }
  })
  return {
    texts: Object.fromEntries(read.map(({ locale, texts }) => [locale, texts])),
    files: new Map(read.flatMap(({ locale, texts }) => assetOf(locale, texts))),
    issues: read.flatMap(({ issues }) => issues),
  }
}

interface ReadFile {
  readonly texts: OwnTexts
  readonly issues: readonly ConfigIssue[]
}

function readTextFile(file: string, locale: string): ReadFile {
  const source = readBoundedText(file, mostKiB * 1024)
  if ('problem' in source) return { texts: {}, issues: [issueOf(`Cannot use ${file}: ${source.problem}.`)] }
  const parsed = parse(source.text)
  if ('line' in parsed) return { texts: {}, issues: [issueOf(`${file}:${parsed.line}: this is not valid JSON.`)] }
  if (!isRecord(parsed.value)) return { texts: {}, issues: [issueOf(`${file}:1: expected an object with keys and texts.`)] }
  const checked = Object.entries(parsed.value).map(([key, value]) => ({ key, ...checkKey(key, value, locale) }))
  const wrong = checked.flatMap(({ key, problem }) =>
    problem === null ? [] : [issueOf(`${file}:${lineOf(source.text, key)}: "${key.slice(0, 100)}" ${problem}.`)],
  )
  return {
    texts: Object.fromEntries(checked.flatMap(({ key, own }) => (own ? [[key, own]] : []))),
    issues: wrong.slice(0, mostIssues),
  }
}

function checkKey(key: string, value: unknown, locale: string): { own: OwnText | null; problem: string | null } {
  const entry = textList().get(key)
  if (!entry) return { own: null, problem: 'is not the key of a text' }
  const checked = checkText(entry, value, locale)
  if (typeof checked === 'string') return { own: null, problem: checked }
  return { own: { text: checked.text, ...(entry.formats && { formats: entry.formats }) }, problem: null }
}

function parse(text: string): { value: unknown } | { line: number } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const [, line] = /\(line (\d+)/.exec(message) ?? []
    // The end of the text is the only place that the message does not name.
    return { line: line === undefined ? text.trimEnd().split('\n').length : Number(line) }
  }
}

function lineOf(text: string, key: string): number {
  const written = JSON.stringify(key)
  const starts = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?=\s*:)/g)]
  const at = starts.find(([each]) => each === written)?.index ?? 0
  return text.slice(0, at).split('\n').length
}

const isOfMessage = (key: string): boolean => key.startsWith('mail.') || key.startsWith('text.')

function assetOf(locale: string, texts: OwnTexts): [string, PageFile & { name: string }][] {
  const ofPages = Object.entries(texts).filter(([key]) => !isOfMessage(key))
  if (ofPages.length === 0) return []
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(ofPages)))
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12)
  return [[locale, { name: `assets/texts-${locale}-${hash}.json`, contentType: 'application/json', bytes }]]
}

/** The languages that Latchkey does not have, with the number of texts that their files leave out. */
export function countMissing(config: Config): { locale: string; missing: number; all: number }[] {
  const { texts } = readOwnTexts(config)
  const all = textList().size
  return Object.entries(texts)
    .filter(([locale]) => !builtInLocales.includes(locale))
    .map(([locale, own]) => ({ locale, missing: all - Object.keys(own).length, all }))
}
