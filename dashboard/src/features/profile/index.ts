/** The profile of the current user. */
import { User } from 'lucide-react'
import { catalogueOf } from '../../i18n/messages.ts'
import { usernameMessages } from '../../messages/index.ts'
import { screenFolder } from '../../routes/screens.ts'

export const messages = catalogueOf('profile', { en: () => import('./en.ts'), de: () => import('./de.ts') })

export const profile = screenFolder({
  messages,
  screens: [
    {
      path: '/account',
      title: 'profile',
      frame: 'account',
      access: 'session',
      load: () => import('./profile.tsx'),
      preload: (locale) => usernameMessages.load(locale),
      navigation: { icon: User, order: 10, group: 'account' },
    },
  ],
})
