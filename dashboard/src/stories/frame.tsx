/** Stories of the parts of the frames. */
import { useState } from 'react'
import { Button, TextLink } from '../components/button.tsx'
import { ContinueButton } from '../frame/continue.tsx'
import { DeviceIcon } from '../frame/devices.tsx'
import { HostedAlternative, HostedPage } from '../frame/hosted-frame.tsx'
import { Brand, Keyline, Mark } from '../frame/mark.tsx'
import { PhoneAgain } from '../frame/phone-again.tsx'
import { FooterPreferences } from '../frame/preferences.tsx'
import { RedirectNote } from '../frame/redirect-note.tsx'
import { LoadFailed, NotFound } from '../frame/root.tsx'
import { SignInAgain } from '../frame/sign-in-again.tsx'
import { OrDivider, ProviderButtons, SocialError, SocialSignIn } from '../frame/social-sign-in.tsx'
import type { SignInRequest } from '../sign-in-request.ts'
import { longText, type Story } from './story.ts'

function SignInAgainStory({ reason }: Pick<SignInRequest, 'reason'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {isOpen ? <SignInAgain request={{ reason, finish: () => setOpen(false) }} /> : null}
    </>
  )
}

const known = [
  { id: 'github', name: 'GitHub' },
  { id: 'google', name: 'Google' },
]
const nothing = async () => undefined
const never = () => new Promise<void>(() => undefined)

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
  { component: 'DeviceIcon', states: { normal: <DeviceIcon kind="computer" /> } },
  { component: 'ContinueButton', states: { normal: <ContinueButton /> } },
  { component: 'NotFound', states: { normal: <NotFound /> } },
  { component: 'LoadFailed', states: { normal: <LoadFailed error={new TypeError('Failed to fetch')} /> } },
  {
    component: 'ProviderButtons',
    states: {
      normal: <ProviderButtons providers={known} start={nothing} after="stay" />,
      'busy once pressed': <ProviderButtons providers={known} start={never} />,
      'with long names and without a mark': (
        <ProviderButtons
          providers={[
            { id: 'acme', name: longText },
            { id: 'slack-like', name: 'Élan' },
          ]}
          start={nothing}
        />
      ),
      'offline once pressed': <ProviderButtons providers={known} start={() => Promise.reject(new TypeError('offline'))} />,
    },
  },
  { component: 'OrDivider', states: { normal: <OrDivider /> } },
  { component: 'SocialSignIn', states: { 'as configured': <SocialSignIn page="/sign-in" isAlternative /> } },
  { component: 'SocialError', states: { 'without an error': <SocialError /> } },
  {
    component: 'RedirectNote',
    states: {
      'known code': <RedirectNote code="access_denied" title="You were not signed in with GitHub" />,
      'unknown code': <RedirectNote code={'very_long_code_of_a_provider_'.repeat(3)} title={longText} />,
    },
  },
  {
    component: 'PhoneAgain',
    states: {
      normal: <PhoneAgain number="+491701234567" cancel={<Button>Cancel</Button>} onSignedIn={() => Promise.resolve()} />,
    },
  },
  {
    component: 'SignInAgain',
    states: { expired: <SignInAgainStory reason="expired" />, 'not fresh': <SignInAgainStory reason="not-fresh" /> },
  },
]
