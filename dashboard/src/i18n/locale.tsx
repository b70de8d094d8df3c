/** The language of the pages: `?lang=`, the user's last choice, the languages of the browser, or the first configured one. */
import { type ReactNode, useLayoutEffect, useMemo, useState } from 'react'
import { chooseLocale as chooseAmong, directionOf, languageTag } from '../../../src/lib/locale.ts'
import { formatOf } from './format.ts'
import { LocaleContext, languageOf, loadAll } from './messages.ts'

/** @param configured locales of the installation, the default first @param last the last choice */
export const chooseLocale = (configured: readonly string[], last: string | null): string =>
  chooseAmong([new URLSearchParams(location.search).get('lang'), last], navigator.languages.join(','), configured)

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
      format: formatOf(languageOf(locale)),
      setLocale: (next: string) => {
        onChoice(next)
        void loadAll(next).then(() => setLocale(next))
      },
    }),
    [locale, onChoice],
  )
  return <LocaleContext value={context}>{children}</LocaleContext>
}
