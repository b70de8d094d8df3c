/** Sign-in with providers: the page that a second window ends on, and the list for administrators. The buttons are part of the frame. */
import { catalogue } from '../../i18n/messages.ts'
import { loadSocialMessages } from '../../messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const socialSignIn = screenFolder({
  messages,
  screens: [
    {
      path: '/signed-in-again',
      title: 'signedInAgain',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./signed-in-again.tsx'),
      preload: loadSocialMessages,
    },
    {
      path: '/admin/social-providers',
      title: 'socialProviders',
      frame: 'admin',
      access: 'session',
      load: () => import('./social-providers.tsx'),
      navigation: { icon: 'providers', group: 'security', permission: ['provider', 'list'] },
    },
  ],
})
