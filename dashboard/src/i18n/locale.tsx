/** The language of the pages: `?lang=`, the user's last choice, the languages of the browser, or the first configured one. */
import { type ReactNode, useLayoutEffect, useMemo, useState } from 'react'
import { closestLocale, languageTag } from '../../../src/lib/locale.ts'
import { createFormat } from './format.ts'
import { directionOf, LocaleContext, loadAll, sourceLocale } from './messages.ts'
import { pseudoLocales } from './pseudo.ts'

/** @param configured locales of the installation, the default first @param last the last choice */
export function chooseLocale(configured: readonly string[], last: string | null): string {
  const asked = [new URLSearchParams(location.search).get('lang') ?? '', last ?? '']
  const chosen = asked.map((locale) => (Object.hasOwn(pseudoLocales, locale) ? locale : closestLocale(locale, configured)))
  const accepted = navigator.languages.map((language) =>
    configured.find((locale) => languageTag(locale) === language.split('-')[0]),
  )
  return [...chosen, ...accepted, configured[0]].find(Boolean) ?? 'en'
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
    document.documentElement.lang = languageTag(locale)
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
