/** Texts of the operator, which replace those of the catalogues (`dashboard.texts`). */
import { fillText, type OwnTexts } from '../../../src/lib/own-text.ts'
import { formatOf } from './format.ts'
import { languageOf, replaceTexts } from './messages.ts'

type ByLocale = Readonly<Record<string, OwnTexts>>

function find(texts: ByLocale, locale: string, key: string, values: object): string | null {
  const own = Object.hasOwn(texts, locale) ? texts[locale] : undefined
  const found = own && Object.hasOwn(own, key) ? own[key] : undefined
  if (!found) return null
  const language = languageOf(locale)
  const format = formatOf(language)
  const write = (value: unknown, name: string): string => {
    const kind = found.formats?.[name]
    if (kind !== undefined && kind in format) return (format[kind as 'date'] as (value: unknown) => string)(value)
    return typeof value === 'number' ? format.number(value) : String(value)
  }
  return fillText(found.text, { language, read: (name) => Reflect.get(values, name), write })
}

/** On the server, which renders pages of several installations: the texts are in place while `work` runs, which is not asynchronous. */
export function withOwnTexts<T>(texts: ByLocale, work: () => T): T {
  if (Object.keys(texts).length === 0) return work()
  replaceTexts({ find: (locale, key, values) => find(texts, locale, key, values) })
  try {
    return work()
  } finally {
    replaceTexts(null)
  }
}

/**
 * In the browser: loads the texts with each language that has some. Without its file, a page has the texts of Latchkey.
 * @param files by locale, below the path of the pages
 */
export async function loadOwnTexts(files: Readonly<Record<string, string>>, locale: string): Promise<void> {
  const texts: Record<string, OwnTexts> = {}
  const load = async (wanted: string) => {
    const file = Object.hasOwn(files, wanted) ? files[wanted] : undefined
    if (file === undefined || texts[wanted]) return
    try {
      const response = await fetch(new URL(file, document.baseURI))
      if (response.ok) texts[wanted] = await response.json()
    } catch (error) {
      console.error(error)
    }
  }
  await load(locale)
  replaceTexts({ find: (wanted, key, values) => find(texts, wanted, key, values), load })
}
