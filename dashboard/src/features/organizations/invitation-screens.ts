/** The texts of invitations, and the page on which the recipient of one accepts it. */
import { catalogue } from '../../i18n/messages.ts'
import { loadOrganizationErrors } from '../../messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './invitations-en.ts'

export const messages = catalogue<typeof english>({
  en: () => import('./invitations-en.ts'),
  de: () => import('./invitations-de.ts'),
})
export const loadInvitations = (locale: string) => Promise.all([messages.load(locale), loadOrganizationErrors(locale)])

export const invitations = screenFolder({
  messages,
  screens: [
    {
      path: '/accept-invitation',
      title: 'invitation',
      frame: 'hosted',
      access: 'optional-session',
      load: () => import('./invitation-landing.tsx'),
      // With the names of roles.
      preload: (locale) => Promise.all([loadInvitations(locale), import('./index.ts').then((own) => own.messages.load(locale))]),
      exists: ({ organization }) => organization !== null,
    },
  ],
})
