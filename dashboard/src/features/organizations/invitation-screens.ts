/** Invitations: the page of the recipient. */
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './invitations-en.ts'

export const messages = catalogue<typeof english>({
  en: () => import('./invitations-en.ts'),
  de: () => import('./invitations-de.ts'),
})

export const invitations = screenFolder({
  messages,
  screens: [
    {
      path: '/accept-invitation',
      title: 'invitation',
      frame: 'hosted',
      access: 'optional-session',
      load: () => import('./invitation-landing.tsx'),
      exists: ({ organization }) => organization !== null,
    },
  ],
})
