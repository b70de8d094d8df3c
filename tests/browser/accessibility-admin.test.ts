/** The pages of administrators: accessible, usable at 320 px, translated, and right to left. */
import type { Page } from 'playwright-core'
import { withChromium } from '../kit/hosted-pages.ts'
import { inspectScreens } from './accessibility.ts'
import { adminStates } from './admin-states.ts'
import { eventStates } from './event-states.ts'
import { loadError, type States, withResponse } from './leads.ts'
import { operationsStates } from './operations-states.ts'
import { signInPolicyStates } from './sign-in-policy-states.ts'
import { signUpStates } from './sign-up-states.ts'
import { termsStates } from './terms-states.ts'

const { hostedPages } = withChromium({ reusesProfiles: true })

const githubAsListed = {
  id: 'github',
  name: 'GitHub',
  signUp: 'always',
  redirectURI: 'https://accounts.example.com/api/auth/callback/github',
  scopes: [
    { name: 'read:user', grants: 'Read the profile' },
    { name: 'https://www.example.com/auth/calendar.readonly.and.more', grants: null },
  ],
  linking: 'always',
  usesPKCE: true,
  canRefresh: true,
  idTokenSignIn: false,
}

const listsProviders = (providers: readonly object[], text: string) => async (page: Page) => {
  await withResponse('/admin/social-providers', 200, providers)(page)
  await page.getByText(text).first().waitFor()
}

const states: States = {
  '/admin/social-providers': {
    providers: listsProviders([githubAsListed], 'Read the profile'),
    empty: listsProviders([], 'No social provider is configured'),
    'load error': loadError('/admin/social-providers'),
  },
}

const searches = {
  '/admin/events': ['?group=users,signIns&range=7d', '?search=unknown'],
  '/admin/limits': ['?account=ada@example.com&address=127.0.0.1'],
  '/admin/configuration': ['?search=limit'],
}

inspectScreens('admin', hostedPages, {
  states: [states, operationsStates, adminStates, eventStates, signInPolicyStates, signUpStates, termsStates],
  searches,
})
