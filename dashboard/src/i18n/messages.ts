/**
 * Message catalogues: one per folder of screens, a file per language, loaded with the screens. English is the source: its keys and the
 * values of its messages are the type that every other language must have.
 */
import { createContext, use } from 'react'
import { isInformal, languageTag } from '../../../src/lib/locale.ts'
import { createFormat, type Format } from './format.ts'
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

/** Languages with messages of their own. */
const sources = ['en', 'de'] as const
type Source = (typeof sources)[number]
const isSource = (value: string): value is Source => sources.includes(value as Source)

type Loaders<M> = { readonly [L in Source]: () => Promise<{ readonly messages: L extends 'en' ? M : Translation<M> }> }

export interface Catalogue<M> {
  /** Loads the messages of a locale. They stay loaded. */
  readonly load: (locale: string) => Promise<void>
  readonly isLoaded: (locale: string) => boolean
  /** @throws Error when the messages of this locale are not loaded */
  readonly translate: (locale: string) => Translate<M>
}

/** The language whose messages and formats a locale has: pseudo-locales have those of English. */
export function sourceLocale(locale: string): Source {
  const language = languageTag(locale)
  return isSource(language) ? language : 'en'
}

const known: Catalogue<never>[] = []

/** Loads what is in use in another locale too. */
export const loadAll = (locale: string): Promise<unknown> =>
  Promise.all(known.filter(({ isLoaded }) => sources.some(isLoaded)).map((each) => each.load(locale)))

/** Loads all catalogues: on the server, which renders any page. */
export const loadEvery = (locale: string): Promise<unknown> => Promise.all(known.map((each) => each.load(locale)))

export function catalogue<M extends { readonly [K in keyof M]: Message }>(loaders: Loaders<M>): Catalogue<M> {
  const loaded = new Map<Source, Messages>()
  const translators = new Map<string, Translate<M>>()
  const own: Catalogue<M> = {
    async load(locale) {
      const source = sourceLocale(locale)
      if (loaded.has(source)) return
      const { messages } = await loaders[source]()
      loaded.set(source, messages as Messages)
    },
    isLoaded: (locale) => loaded.has(sourceLocale(locale)),
    translate(locale) {
      const made = translators.get(locale)
      if (made) return made
      const messages = loaded.get(sourceLocale(locale))
      if (!messages) throw new Error(`The messages for ${locale} are not loaded`)
      const translator = createTranslate<M>(messages, locale)
      translators.set(locale, translator)
      return translator
    },
  }
  known.push(own as Catalogue<never>)
  return own
}

function createTranslate<M>(messages: Messages, locale: string): Translate<M> {
  const format = createFormat(sourceLocale(locale))
  const form = isInformal(locale) ? 1 : 0
  const transform = pseudoLocales[locale] ?? ((text: string) => text)
  return (key, ...[values]) => {
    // Codes of errors are looked up too, and those of a redirect may be any text, such as "constructor".
    const message = Object.hasOwn(messages, key) ? messages[key] : undefined
    if (message === undefined) throw new Error(`There is no message "${key}"`)
    const text = typeof message === 'function' ? message(values as never, format) : message
    return transform(typeof text === 'string' ? text : text[form])
  }
}

const rightToLeft = new Set(['ar'])
export const directionOf = (locale: string): 'ltr' | 'rtl' => (rightToLeft.has(locale.split('-')[0] ?? '') ? 'rtl' : 'ltr')

interface LocaleContext {
  readonly locale: string
  readonly format: Format
  readonly setLocale: (locale: string) => void
}
export const LocaleContext = createContext<LocaleContext>({
  locale: 'en',
  format: createFormat('en'),
  setLocale: () => undefined,
})

export const useLocale = (): LocaleContext => use(LocaleContext)
export const useMessages = <M>(messages: Catalogue<M>): Translate<M> => messages.translate(useLocale().locale)
