/** Organizations: the pages of one of them, the user's own, and the page of an invitation. */
import type { PublicSettings } from '../../../../src/features/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { loadOrganizationErrors } from '../../messages.ts'
import { type Screen, screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'
import { loadInvitations } from './invitation-messages.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

const every = {
  access: 'session',
  exists: ({ organization }: PublicSettings) => organization !== null,
  preload: loadOrganizationErrors,
} as const

/** A page of one organization. Entries of its navigation are in `frame/organization-navigation.tsx`, which only its frame loads. */
const page = (title: keyof typeof english, load: Screen<typeof english>['load'], name = title): Screen<typeof english> => ({
  ...every,
  path: `/organizations/$organizationId/${name}`,
  title,
  frame: 'organization',
  load,
})

export const organizations = screenFolder({
  messages,
  screens: [
    {
      ...every,
      path: '/accept-invitation',
      title: 'invitation',
      frame: 'hosted',
      access: 'optional-session',
      load: () => import('./invitation-landing.tsx'),
      preload: (locale) => Promise.all([loadInvitations(locale), messages.load(locale)]),
    },
    {
      ...every,
      path: '/organizations',
      title: 'organizations',
      frame: 'account',
      load: () => import('./own-organizations.tsx'),
      preload: loadInvitations,
      navigation: { icon: 'organization', group: 'account', notice: 'invitations' },
    },
    {
      ...every,
      path: '/organizations/create',
      title: 'createOrganization',
      frame: 'account',
      load: () => import('./create.tsx'),
    },
    {
      ...every,
      path: '/organizations/$organizationId',
      title: 'overview',
      frame: 'organization',
      load: () => import('./overview.tsx'),
    },
    page('members', () => import('./members.tsx')),
    { ...page('invitations', () => import('./invitations.tsx')), preload: loadInvitations },
    {
      ...page('teams', () => import('./teams.tsx')),
      exists: ({ organization }) => organization?.teams ?? false,
    },
    page('roles', () => import('./roles.tsx')),
    page('activity', () => import('./activity.tsx')),
    page('settings', () => import('./settings.tsx')),
  ],
})
