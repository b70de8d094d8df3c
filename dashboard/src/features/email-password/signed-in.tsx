/** In place of the sign-in form for users who are signed in already. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type User, useSettings } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { ContinueButton } from '../../frame/continue.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { signOut } from '../../session.ts'
import { messages } from './index.ts'

export function SignedIn({ user }: { readonly user: User }) {
  const t = useMessages(messages)
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const { multiSession } = useSettings()
  const navigate = useNavigate()
  const change = () => {
    // The account stays signed in with this browser.
    if (multiSession)
      return void navigate({ to: '.', search: ((search: object) => ({ ...search, account: 'another' })) as never })
    setBusy(true)
    // Without the fragment, such as that of the skip link: with it the browser would not load the page again.
    signOut(location.href.replace(/#.*/, '')).catch((failure: unknown) => {
      setError(failure)
      setBusy(false)
    })
  }
  return (
    <HostedPage title={t('signedInAs')} lead={t('signedInLead', { email: user.email })}>
      {error === undefined ? null : <ErrorNote error={error} />}
      <div className="grid gap-3">
        <ContinueButton label={t('continueAs', { name: user.name })} />
        <Button size="large" isBusy={isBusy} onClick={change}>
          {t('useAnotherAccount')}
        </Button>
      </div>
    </HostedPage>
  )
}
