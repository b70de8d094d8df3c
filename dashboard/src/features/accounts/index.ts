/** The email address, the password and the other sign-in methods of the current user. */
import { LockKeyhole } from 'lucide-react'
import { catalogueOf } from '../../i18n/messages.ts'
import { phoneMessages, redirectMessages } from '../../messages/index.ts'
import { screenFolder } from '../../routes/screens.ts'

export const messages = catalogueOf('accounts', { en: () => import('./en.ts'), de: () => import('./de.ts') })

export const accounts = screenFolder({
  messages,
  screens: [
    {
      path: '/account/password',
      title: 'passwordAndSignIn',
      frame: 'account',
      access: 'session',
      load: () => import('./accounts.tsx'),
      preload: (locale) => Promise.all([redirectMessages.load(locale), phoneMessages.load(locale)]),
      navigation: { icon: LockKeyhole, order: 20, group: 'account' },
    },
  ],
})
