/** The account that was used last in this browser, which only the script knows: it shows the button. */
import { buttonLook, linkLook } from '../components/look.ts'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { OrDivider } from './layout.tsx'
import { usePage, useSettings } from './page.ts'
import { messages } from './sign-in-messages.ts'
import type { SignInMethod } from './sign-in-method.ts'

export function LastAccount({ methods }: { readonly methods: readonly SignInMethod[] }) {
  const t = useMessages(messages)
  const { locale } = useLocale()
  const { lastMethod } = usePage().page
  const settings = useSettings()
  const method = lastMethod === null ? undefined : methods.find(({ isLast }) => isLast(lastMethod, settings))
  if (!settings.signIn.rememberAccount || lastMethod === null || !method) return null
  const text = t('continueAsWith', { name: '{name}', how: method.phrase(locale, lastMethod, settings) })
  return (
    <div data-last-account={lastMethod} data-of={method.names[0]} hidden className="space-y-6">
      <div className="space-y-2">
        <button type="button" data-continue={text} className={buttonLook({ variant: 'primary', size: 'large' })} />
        <p className="flex flex-wrap items-center justify-between gap-x-5 text-14 text-muted">
          <bdi data-masked />
          <button type="button" data-remove={t('notAnn', { name: '{name}' })} className={linkLook()} />
        </p>
      </div>
      <OrDivider />
    </div>
  )
}
