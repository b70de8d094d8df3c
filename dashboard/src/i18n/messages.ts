/**
 * Message catalogues: one per folder of screens, a file per language, loaded with the screens. English is the source: its keys and the
 * values of its messages are the type that every other language must have.
 */
import { createContext, use } from 'react'
import { isInformal, languageTag } from '../../../src/lib/locale.ts'
import type { Catalogues, TranslatedCatalogues } from '../languages/catalogues.ts'
import { type Format, formatOf } from './format.ts'
import { pseudoLocales } from './pseudo.ts'

/** A text, or a function of its values. */
export type Message<V = never> = string | ((values: V, format: Format) => string)

/** A text of a translation; two where it differs by the form of address: the formal one, and the informal one. */
type Text = string | readonly [formal: string, informal: string]
type Translated<V = never> = Text | ((values: V, format: Format) => Text)
type Messages = Readonly<Record<string, Translated>>

/** What a translation of these messages must declare. */
export type Translation<M> = {
  readonly [K in keyof M]: M[K] extends (values: infer V, format: Format) => string
    ? (values: V, format: Format) => Text
    : Translated
}
type Values<M> = M extends (values: infer V, format: Format) => string ? V : undefined

export type Translate<M> = <K extends keyof M & string>(
  key: K,
  ...values: Values<M[K]> extends undefined ? [] : [values: Values<M[K]>]
) => string

type Loader<M> = () => Promise<{ readonly messages: M }>
/** The languages of all catalogues. */
interface Loaders<M> {
  readonly en: Loader<M>
  readonly de: Loader<Translation<M>>
}

/** Further languages: each has an index of its catalogues in a file of its own, so that no page names the files of all languages. */
const indexes: Readonly<Record<string, () => Promise<{ readonly catalogues: TranslatedCatalogues }>>> = {
  es: () => import('../languages/es.ts'),
  fr: () => import('../languages/fr.ts'),
  pl: () => import('../languages/pl.ts'),
  ru: () => import('../languages/ru.ts'),
  tr: () => import('../languages/tr.ts'),
  uk: () => import('../languages/uk.ts'),
}

export interface Catalogue<M> {
  /** Loads the messages of a locale. They stay loaded. */
  readonly load: (locale: string) => Promise<void>
  readonly isLoaded: (locale: string) => boolean
  /** Whether it is loaded in any locale. */
  readonly isInUse: () => boolean
  /** @throws Error when the messages of this locale are not loaded */
  readonly translate: (locale: string) => Translate<M>
}

/** Pseudo-locales have the messages and formats of English. */
export const languageOf = (locale: string): string => (locale in pseudoLocales ? 'en' : languageTag<string>(locale))

/** Texts of the operator in place of ours. Most installations have none. */
interface Replacement {
  /** @param key with the name of its catalogue @returns null when there is none for these values */
  readonly find: (locale: string, key: string, values: object) => string | null
  /** Loads those of a locale. */
  readonly load?: (locale: string) => Promise<void>
}
const replacement: { current: Replacement | null } = { current: null }

/** From now on, these texts replace those of the catalogues. */
export function replaceTexts(texts: Replacement | null): void {
  replacement.current = texts
}

const known: Catalogue<never>[] = []
/** Loads what is in use in another locale too. */
export const loadAll = (locale: string): Promise<unknown> =>
  Promise.all([replacement.current?.load?.(locale), ...known.filter(({ isInUse }) => isInUse()).map((each) => each.load(locale))])

/** Loads all catalogues: on the server, which renders any page. */
export const loadEvery = (locale: string): Promise<unknown> => Promise.all(known.map((each) => each.load(locale)))

/** A catalogue in English and German, which are the languages of the console: in other ones it is English. */
export const catalogue = <M extends { readonly [K in keyof M]: Message }>(loaders: Loaders<M>): Catalogue<M> =>
  create<M>(null, (language) => (language === 'de' ? ['de', loaders.de] : ['en', loaders.en]))

/** A catalogue in all languages. @param name of it in the index of each further language */
export const catalogueOf = <N extends keyof Catalogues>(name: N, loaders: Loaders<Catalogues[N]>): Catalogue<Catalogues[N]> =>
  create<Catalogues[N]>(name, (language) => {
    const index = Object.hasOwn(indexes, language) ? indexes[language] : undefined
    if (index) return [language, async () => (await index()).catalogues[name]()]
    return language === 'de' ? ['de', loaders.de] : ['en', loaders.en]
  })

type Source = readonly [language: string, load: Loader<Messages>]

/** @param name for texts of the operator; null: they replace none @param sourceOf the language of the messages for a language, and what loads them */
function create<M>(name: string | null, sourceOf: (language: string) => readonly [string, Loader<unknown>]): Catalogue<M> {
  const loaded = new Map<string, Messages>()
  const translators = new Map<string, Translate<M>>()
  const source = (locale: string) => sourceOf(languageOf(locale)) as Source
  const own: Catalogue<M> = {
    async load(locale) {
      const [language, load] = source(locale)
      if (!loaded.has(language)) loaded.set(language, (await load()).messages)
    },
    isLoaded: (locale) => loaded.has(source(locale)[0]),
    isInUse: () => loaded.size > 0,
    translate(locale) {
      const made = translators.get(locale)
      if (made) return made
      const [language] = source(locale)
      const messages = loaded.get(language)
      if (!messages) throw new Error(`The messages for ${locale} are not loaded`)
      const translator = createTranslate<M>({ name, messages, language, locale })
      translators.set(locale, translator)
      return translator
    },
  }
  known.push(own as Catalogue<never>)
  return own
}

interface TranslationSource {
  readonly name: string | null
  readonly messages: Messages
  /** Of the messages: a catalogue of the console may be English in another locale. */
  readonly language: string
  readonly locale: string
}

function createTranslate<M>({ name, messages, language, locale }: TranslationSource): Translate<M> {
  const format = formatOf(language)
  const form = isInformal(locale) ? 1 : 0
  const transform = pseudoLocales[locale] ?? ((text: string) => text)
  return (key, ...[values]) => {
    // Codes of errors are looked up too, and those of a redirect may be any text, such as "constructor".
    const message = Object.hasOwn(messages, key) ? messages[key] : undefined
    if (message === undefined) throw new Error(`There is no message "${key}"`)
    const own = name === null ? null : replacement.current?.find(locale, `${name}.${key}`, values ?? {})
    if (typeof own === 'string') return own
    const text = typeof message === 'function' ? message(values as never, format) : message
    return transform(typeof text === 'string' ? text : text[form])
  }
}

interface LocaleContext {
  readonly locale: string
  readonly format: Format
  readonly setLocale: (locale: string) => void
}
export const LocaleContext = createContext<LocaleContext>({
  locale: 'en',
  format: formatOf('en'),
  setLocale: () => undefined,
})

export const useLocale = (): LocaleContext => use(LocaleContext)
export const useMessages = <M>(messages: Catalogue<M>): Translate<M> => messages.translate(useLocale().locale)
