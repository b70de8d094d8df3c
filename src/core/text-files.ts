/** Texts of emails and text messages in files: one per language, loaded when an app that uses the language is opened. */
import { languages, languageTag } from '../lib/locale.ts'
import type { App } from './app.ts'
import type { MailContent, TextContext } from './message.ts'

type Render<Content> = (data: never, context: TextContext) => Content

/** What the file of a language exports. */
interface TextModule {
  readonly mails?: Readonly<Record<string, Render<MailContent>>>
  readonly texts?: Readonly<Record<string, Render<string>>>
}

interface Files {
  /** Loads the file of a language, and the English one. They stay loaded. */
  readonly load: (locale: string) => Promise<void>
}

/** The texts of emails of one feature. `Mails`: the data of each kind. */
export interface MailFiles<Mails> extends Files {
  /** Only a type. */
  readonly mails?: Mails
  readonly mail: <K extends keyof Mails & string>(
    kind: K,
    locale: string,
  ) => (data: Mails[K], context: TextContext) => MailContent
}

/** The same of text messages. */
export interface MessageFiles<Texts> extends Files {
  /** Only a type. */
  readonly texts?: Texts
  readonly text: <K extends keyof Texts & string>(kind: K, locale: string) => (data: Texts[K], context: TextContext) => string
}

/** The language of the files for a locale. */
const fileOf = (locale: string): string => languages.find((language) => language === languageTag<string>(locale)) ?? 'en'

/** @param open imports the file of a language: `(language) => import(`./texts/${language}.ts`)` */
export function textFiles<Mails = object, Texts = object>(
  open: (language: string) => Promise<TextModule>,
): MailFiles<Mails> & MessageFiles<Texts> {
  const loaded = new Map<string, TextModule>()
  const find = (part: 'mails' | 'texts', kind: string, locale: string) => {
    const found = (loaded.get(fileOf(locale)) ?? loaded.get('en'))?.[part]?.[kind]
    if (!found) throw new Error(`The text of ${kind} is not loaded`)
    return found
  }
  return {
    async load(locale) {
      for (const language of new Set(['en', fileOf(locale)]))
        if (!loaded.has(language)) loaded.set(language, await open(language))
    },
    mail: (kind, locale) => find('mails', kind, locale) as (data: unknown, context: TextContext) => MailContent,
    text: (kind, locale) => find('texts', kind, locale) as (data: unknown, context: TextContext) => string,
  }
}

/** Loads the texts of the enabled features in the languages of the configuration. */
export async function loadTexts({ features, config }: Pick<App, 'features' | 'config'>): Promise<void> {
  const kinds = features.flatMap(({ mails = {}, texts = {} }) => [...Object.values(mails), ...Object.values(texts)])
  const loaders = new Set(kinds.flatMap(({ load }) => load ?? []))
  await Promise.all([...loaders].flatMap((load) => config.dashboard.locales.map(load)))
}
