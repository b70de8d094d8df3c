/**
 * Message catalogues: one per folder of screens, a file per language, loaded with the screens. English is the source: its keys and the
 * values of its messages are the type that every other language must have.
 */
import { createContext, use } from 'react'
import { createFormat, type Format } from './format.ts'
import { pseudoLocales } from './pseudo.ts'

/** A text, or a function of its values. */
export type Message<V = never> = string | ((values: V, format: Format) => string)
type Messages = Readonly<Record<string, Message>>

/** What a translation of these messages must declare. */
export type Translation<M> = { readonly [K in keyof M]: M[K] extends string ? Message : M[K] }
type Values<M> = M extends (values: infer V, format: Format) => string ? V : undefined

export type Translate<M> = <K extends keyof M & string>(
  key: K,
  ...values: Values<M[K]> extends undefined ? [] : [values: Values<M[K]>]
) => string

export const locales = ['en', 'de'] as const
export type Locale = (typeof locales)[number]
export const isLocale = (value: unknown): value is Locale => locales.includes(value as Locale)

type Loaders<M> = { readonly [L in Locale]: () => Promise<{ readonly messages: L extends 'en' ? M : Translation<M> }> }

export interface Catalogue<M> {
  /** Loads the messages of a locale. They stay loaded. */
  readonly load: (locale: string) => Promise<void>
  readonly isLoaded: (locale: string) => boolean
  /** @throws Error when the messages of this locale are not loaded */
  readonly translate: (locale: string) => Translate<M>
}

/** The locale whose messages a locale has: pseudo-locales have those of English. */
export const sourceLocale = (locale: string): Locale => (isLocale(locale) ? locale : 'en')

const known: Catalogue<never>[] = []

/** Loads what is in use in another locale too. */
export const loadAll = (locale: string): Promise<unknown> =>
  Promise.all(known.filter(({ isLoaded }) => locales.some(isLoaded)).map((each) => each.load(locale)))

/** Loads all catalogues: on the server, which renders any page. */
export const loadEvery = (locale: string): Promise<unknown> => Promise.all(known.map((each) => each.load(locale)))

export function catalogue<M extends object>(loaders: Loaders<M>): Catalogue<M> {
  const loaded = new Map<Locale, Messages>()
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
  const transform = pseudoLocales[locale] ?? ((text: string) => text)
  return (key, ...[values]) => {
    // Codes of errors are looked up too, and those of a redirect may be any text, such as "constructor".
    const message = Object.hasOwn(messages, key) ? messages[key] : undefined
    if (message === undefined) throw new Error(`There is no message "${key}"`)
    return transform(typeof message === 'function' ? message(values as never, format) : message)
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
