/** Stories of the parts of the frames. */
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { DeviceIcon } from '../components/device.tsx'
import { signInAgainMethods } from '../features/sign-in-again.ts'
import { Breadcrumb } from '../frame/admin-page.tsx'
import { Keyline, Logo, Mark } from '../frame/mark.tsx'
import { PendingCount } from '../frame/pending-count.tsx'
import { FooterPreferences } from '../frame/preferences.tsx'
import { RedirectNote } from '../frame/redirect-note.tsx'
import { LoadFailed, NotFound } from '../frame/root.tsx'
import { SignInAgain } from '../frame/sign-in-again.tsx'
import { OrDivider, ProviderButtons } from '../frame/social-sign-in.tsx'
import type { SignInRequest } from '../session/sign-in-request.ts'
import { longText, type Story } from './story.ts'

function SignInAgainStory({ reason, demand = null }: Pick<SignInRequest, 'reason'> & Partial<Pick<SignInRequest, 'demand'>>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {isOpen ? <SignInAgain request={{ reason, demand, finish: () => setOpen(false) }} methods={signInAgainMethods} /> : null}
    </>
  )
}

const logo = {
  url: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4'/%3E%3C/svg%3E",
  ratio: 1,
}
const known = [
  { id: 'github', name: 'GitHub' },
  { id: 'google', name: 'Google' },
]
const factors = {
  factors: [{ type: 'totp' }, { type: 'otp', channel: 'sms', to: '•••• ••67' }, { type: 'backup-code', left: 7 }],
}
const nothing = async () => undefined
const never = () => new Promise<void>(() => undefined)

export const frame: readonly Story[] = [
  { component: 'Mark', states: { normal: <Mark className="size-6" /> } },
  {
    component: 'Logo',
    states: {
      normal: <Logo branding={{ logo, logoDark: logo }} theme={null} height={24} alt="Halden Ferry" className="h-6 w-6" />,
    },
  },
  {
    component: 'Breadcrumb',
    states: {
      normal: (
        <Breadcrumb to="/" list="Users">
          {longText}
        </Breadcrumb>
      ),
    },
  },
  {
    component: 'PendingCount',
    states: {
      few: <PendingCount count={3} title="3 wait" />,
      'more than are counted': <PendingCount count={20_000} title="More than 10,000 wait" />,
    },
  },
  { component: 'Keyline', states: { normal: <Keyline /> } },
  { component: 'FooterPreferences', states: { normal: <FooterPreferences /> } },
  { component: 'DeviceIcon', states: { normal: <DeviceIcon kind="computer" /> } },
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
  {
    component: 'RedirectNote',
    states: {
      'known code': <RedirectNote code="access_denied" title="You were not signed in with GitHub" />,
      'unknown code': <RedirectNote code={'very_long_code_of_a_provider_'.repeat(3)} title={longText} />,
    },
  },
  {
    component: 'SignInAgain',
    states: {
      expired: <SignInAgainStory reason="expired" />,
      'not fresh': <SignInAgainStory reason="not-fresh" />,
      'second factor': <SignInAgainStory reason="not-fresh" demand={factors} />,
    },
  },
]
