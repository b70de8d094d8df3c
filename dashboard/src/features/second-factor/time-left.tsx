/** How long a sign-in waits for its second factor. Without a script it is the time that was left when the page was opened. */

import { languageTag } from '../../../../src/lib/locale.ts'
import { usePage } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { recoveryMessages as messages } from './recovery-messages.ts'

export function TimeLeft({ seconds }: { readonly seconds: number }) {
  const t = useMessages(messages)
  const { locale } = usePage().page
  const minutes = new Intl.NumberFormat(languageTag(locale), { style: 'unit', unit: 'minute', unitDisplay: 'long' })
  return (
    <p
      role="status"
      aria-live="off"
      data-left={seconds}
      data-text={t('timeLeft', { time: '{time}' })}
      className="text-14 text-muted"
    >
      {t('timeLeft', { time: minutes.format(Math.floor(seconds / 60)) })}
    </p>
  )
}
