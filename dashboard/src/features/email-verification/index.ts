/** Pages around mailed links: that an email was sent, and those of verification links. */
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const emailVerification = screenFolder({
  messages,
  screens: [
    {
      path: '/check-email',
      title: 'checkEmail',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./check-email.tsx'),
    },
    {
      path: '/verify-email',
      title: 'emailVerification',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./verify-email.tsx'),
    },
    {
      path: '/email-verified',
      title: 'emailVerification',
      frame: 'hosted',
      access: 'optional-session',
      load: () => import('./email-verified.tsx'),
    },
  ],
})
