/** The second factors of the current user, and the browsers that need none. */
import { ShieldCheck } from 'lucide-react'
import { factorErrors, passkeyErrors } from '../../messages/index.ts'
import { screenFolder } from '../../routes/screens.ts'
import { challengeMessages } from './challenge-messages.ts'

/** Its texts are loaded with it: the navigation needs only its title. */
const loadTexts = async (locale: string) => {
  const [own, passkeys] = await Promise.all([import('./messages.ts'), import('./passkey-messages.ts')])
  await Promise.all([own.messages.load(locale), passkeys.messages.load(locale)])
}

const loadSetup = async (locale: string) => {
  const { setupMessages } = await import('./setup-messages.ts')
  await Promise.all([loadTexts(locale), setupMessages.load(locale), factorErrors.load(locale), passkeyErrors.load(locale)])
}

/** Between a sign-in and the application. */
export const secondFactorSetup = screenFolder({
  messages: challengeMessages,
  screens: [
    {
      path: '/two-factor/setup',
      title: 'title',
      frame: 'visitor',
      access: 'anyone',
      exists: ({ twoFactor }) => twoFactor?.isRequired === true,
      load: () => import('./setup-screen.tsx'),
      preload: loadSetup,
    },
    {
      path: '/two-factor/new-codes',
      title: 'backupCode',
      frame: 'visitor',
      access: 'session',
      exists: ({ twoFactor }) => twoFactor !== null,
      load: () => import('./setup-codes.tsx'),
      preload: loadSetup,
    },
  ],
})

export const secondFactor = screenFolder({
  messages: challengeMessages,
  screens: [
    {
      path: '/account/security',
      title: 'security',
      frame: 'account',
      access: 'session',
      exists: ({ passkey, twoFactor }) => passkey !== null || twoFactor !== null,
      load: () => import('./security.tsx'),
      preload: (locale) => Promise.all([loadTexts(locale), factorErrors.load(locale), passkeyErrors.load(locale)]),
      navigation: { icon: ShieldCheck, order: 25, group: 'account' },
    },
  ],
})
