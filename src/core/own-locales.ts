/** Locales that operators add: each has a file in the folder of `dashboard.texts`. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../features/index.ts'
import { languages } from '../lib/locale.ts'

/** Languages with complete texts, and the form of address of one of them. */
export const builtInLocales: readonly string[] = [...languages, 'de-informal']

/** The locales of the files in a folder. @returns none when it cannot be read: the check of the configuration reports that */
export function localesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .sort()
  } catch {
    return []
  }
}

/** The paths of these files. */
export const ownTextFiles = ({ dashboard: { texts } }: Config): string[] =>
  texts === undefined ? [] : localesIn(texts).map((locale) => join(texts, `${locale}.json`))

/** Whether Latchkey, or a file, can have texts for this tag: that of a language, such as `nl`. */
export function isLocaleName(locale: string): boolean {
  if (builtInLocales.includes(locale)) return true
  return (
    /^[a-z]{2,3}$/.test(locale) && new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(locale) !== undefined
  )
}
