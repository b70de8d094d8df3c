/** The second factors of the current user, and the browsers that need none. */
import { ShieldCheck } from 'lucide-react'
import { factorErrors } from '../../messages/index.ts'
import { screenFolder } from '../../routes/screens.ts'
import { challengeMessages } from './challenge-messages.ts'

/** Its texts are loaded with it: the navigation needs only its title. */
const loadTexts = async (locale: string) => (await import('./messages.ts')).messages.load(locale)

export const secondFactor = screenFolder({
  messages: challengeMessages,
  screens: [
    {
      path: '/account/security',
      title: 'security',
      frame: 'account',
      access: 'session',
      exists: ({ twoFactor }) => twoFactor !== null,
      load: () => import('./security.tsx'),
      preload: (locale) => Promise.all([loadTexts(locale), factorErrors.load(locale)]),
      navigation: { icon: ShieldCheck, order: 25, group: 'account' },
    },
  ],
})
