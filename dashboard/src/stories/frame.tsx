/** Stories of the parts of the frames. */
import { useState } from 'react'
import { Button, TextLink } from '../components/button.tsx'
import { ContinueButton } from '../frame/continue.tsx'
import { HostedAlternative, HostedPage } from '../frame/hosted-frame.tsx'
import { Brand, Keyline, Mark } from '../frame/mark.tsx'
import { FooterPreferences } from '../frame/preferences.tsx'
import { LoadFailed, NotFound } from '../frame/root.tsx'
import { SignInAgain } from '../frame/sign-in-again.tsx'
import type { SignInRequest } from '../session.ts'
import type { Story } from './story.ts'

function SignInAgainStory({ reason }: Pick<SignInRequest, 'reason'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {isOpen ? <SignInAgain request={{ reason, finish: () => setOpen(false) }} /> : null}
    </>
  )
}

export const frame: readonly Story[] = [
  { component: 'Brand', states: { normal: <Brand /> } },
  { component: 'Mark', states: { normal: <Mark className="size-6" /> } },
  { component: 'Keyline', states: { normal: <Keyline /> } },
  { component: 'FooterPreferences', states: { normal: <FooterPreferences /> } },
  {
    component: 'HostedPage',
    states: {
      normal: (
        <HostedPage title="Check your email" lead="We sent a link to ada@example.com.">
          <Button size="large">Send it again</Button>
        </HostedPage>
      ),
    },
  },
  {
    component: 'HostedAlternative',
    states: {
      normal: (
        <HostedAlternative>
          No account yet? <TextLink to="/sign-up">Create an account</TextLink>
        </HostedAlternative>
      ),
    },
  },
  { component: 'ContinueButton', states: { normal: <ContinueButton /> } },
  { component: 'NotFound', states: { normal: <NotFound /> } },
  { component: 'LoadFailed', states: { normal: <LoadFailed error={new TypeError('Failed to fetch')} /> } },
  {
    component: 'SignInAgain',
    states: { expired: <SignInAgainStory reason="expired" />, 'not fresh': <SignInAgainStory reason="not-fresh" /> },
  },
]
