/** How old the data of a page is. */
import { useEffect, useState } from 'react'
import { languageOf, useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'

/** Milliseconds between two looks at the clock, and until which data is new. */
const stepMs = 5000

/** Said again every few seconds. @param at when the data was read, in milliseconds since 1970; 0: not yet */
export function Updated({ at }: { readonly at: number }) {
  const t = useFrameMessages()
  const { locale } = useLocale()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs)
    return () => clearInterval(timer)
  }, [])
  // Its place is kept, so that nothing moves.
  if (at === 0) return <span className="invisible">{t('updatedNow')}</span>
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds * 1000 < stepMs) return <span>{t('updatedNow')}</span>
  const [unit, size] = seconds < 60 ? (['second', 1] as const) : (['minute', 60] as const)
  const time = new Intl.RelativeTimeFormat(languageOf(locale), { style: 'short' }).format(-Math.floor(seconds / size), unit)
  return <span className="tabular-nums">{t('updated', { time })}</span>
}
