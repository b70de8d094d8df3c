/** Invitations: the page of the recipient, those of an organization, and those of the user beside their organizations. */
import { Building2 } from 'lucide-react'
import { lazy } from 'react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { loadOrganizationErrors } from '../../messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './invitations-en.ts'

export const messages = catalogue<typeof english>({
  en: () => import('./invitations-en.ts'),
  de: () => import('./invitations-de.ts'),
})

const every = {
  exists: ({ organization }: PublicSettings) => organization !== null,
  preload: loadOrganizationErrors,
} as const

export const invitations = screenFolder({
  messages,
  screens: [
    {
      ...every,
      path: '/accept-invitation',
      title: 'invitation',
      frame: 'hosted',
      access: 'optional-session',
      load: () => import('./invitation-landing.tsx'),
    },
    {
      ...every,
      path: '/organizations',
      title: 'organizations',
      frame: 'account',
      access: 'session',
      load: () => import('./own-organizations.tsx'),
      navigation: {
        icon: Building2,
        group: 'account',
        notice: lazy(() => import('./own-notice.tsx').then(({ OwnNotice }) => ({ default: OwnNotice }))),
      },
    },
    {
      ...every,
      path: '/organizations/$organizationId/invitations',
      title: 'invitations',
      frame: 'organization',
      access: 'session',
      load: () => import('./invitations.tsx'),
    },
  ],
})
