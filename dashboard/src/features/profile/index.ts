/** The profile of the current user. */
import { User } from 'lucide-react'
import { catalogue } from '../../i18n/messages.ts'
import { usernameMessages } from '../../messages/index.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

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
