/** Sign in and sign up with email and password. */
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const emailPassword = screenFolder({
  messages,
  screens: [
    { path: '/sign-in', title: 'signIn', frame: 'hosted', access: 'optional-session', load: () => import('./sign-in.tsx') },
    {
      path: '/sign-up',
      title: 'signUp',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./sign-up.tsx'),
      exists: (settings) => settings.emailPassword?.signUp === true,
    },
  ],
})
