/** The language of the pages: `?lang=`, the user's last choice, the languages of the browser, or the first configured one. */
import { type ReactNode, useLayoutEffect, useMemo, useState } from 'react'
import { createFormat } from './format.ts'
import { directionOf, isLocale, LocaleContext, loadAll, sourceLocale } from './messages.ts'
import { pseudoLocales } from './pseudo.ts'

const storageKey = 'latchkey.locale'

const isKnown = (locale: string | null): locale is string =>
  locale !== null && (isLocale(locale) || Object.hasOwn(pseudoLocales, locale))

/** @param configured locales of the installation, the default first */
export function chooseLocale(configured: readonly string[]): string {
  const asked = [new URLSearchParams(location.search).get('lang'), localStorage.getItem(storageKey)]
  const chosen = asked.find((locale) => isKnown(locale) && (configured.includes(locale) || locale in pseudoLocales))
  if (chosen) return chosen
  const languages = navigator.languages.map((language) => language.split('-')[0] ?? '')
  return languages.find((language) => configured.includes(language)) ?? configured[0] ?? 'en'
}

/** @param initial locale whose messages are loaded */
export function LocaleProvider({ initial, children }: { readonly initial: string; readonly children: ReactNode }) {
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
        localStorage.setItem(storageKey, next)
        void loadAll(next).then(() => setLocale(next))
      },
    }),
    [locale],
  )
  return <LocaleContext value={context}>{children}</LocaleContext>
}
