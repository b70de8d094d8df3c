/** The profile of the current user. */
import { catalogue } from '../../i18n/messages.ts'
import { usernameMessages } from '../../messages.ts'
import { screenFolder } from '../../screens.ts'
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
      navigation: { icon: 'user', group: 'account' },
    },
  ],
})
