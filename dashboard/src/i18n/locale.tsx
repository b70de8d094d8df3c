/** The language of the pages: `?lang=`, the user's last choice, the languages of the browser, or the first configured one. */
import { type ReactNode, useLayoutEffect, useMemo, useState } from 'react'
import { createFormat } from './format.ts'
import { directionOf, isLocale, LocaleContext, loadAll, sourceLocale } from './messages.ts'
import { pseudoLocales } from './pseudo.ts'

const isKnown = (locale: string | null): locale is string =>
  locale !== null && (isLocale(locale) || Object.hasOwn(pseudoLocales, locale))

/** @param configured locales of the installation, the default first @param last the last choice */
export function chooseLocale(configured: readonly string[], last: string | null): string {
  const asked = [new URLSearchParams(location.search).get('lang'), last]
  const chosen = asked.find((locale) => isKnown(locale) && (configured.includes(locale) || locale in pseudoLocales))
  if (chosen) return chosen
  const languages = navigator.languages.map((language) => language.split('-')[0] ?? '')
  return languages.find((language) => configured.includes(language)) ?? configured[0] ?? 'en'
}

interface LocaleProviderProps {
  /** Its messages are loaded. */
  readonly initial: string
  readonly onChoice: (locale: string) => void
  readonly children: ReactNode
}

export function LocaleProvider({ initial, onChoice, children }: LocaleProviderProps) {
  const [locale, setLocale] = useState(initial)
  // Before the first paint, so that no page is shown in the wrong direction.
  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dir = directionOf(locale)
  }, [locale])
  const context = useMemo(
    () => ({
      locale,
      format: createFormat(sourceLocale(locale)),
      setLocale: (next: string) => {
        onChoice(next)
        void loadAll(next).then(() => setLocale(next))
      },
    }),
    [locale, onChoice],
  )
  return <LocaleContext value={context}>{children}</LocaleContext>
}
