/** Organizations: the pages of one of them, the user's own, and the page of an invitation. */
import { Building2 } from 'lucide-react'
import { lazy } from 'react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { exportMessages } from '../../exports/index.ts'
import { loadOrganizationErrors } from '../../messages/index.ts'
import { type Area, type Screen, screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'
import { loadInvitations } from './invitation-messages.ts'
import { messages } from './messages.ts'

const every = {
  access: 'session',
  exists: ({ organization }: PublicSettings) => organization !== null,
  preload: loadOrganizationErrors,
} as const

const OwnNotice = lazy(() => import('./own-notice.tsx').then((module) => ({ default: module.OwnNotice })))

/** A page of one organization. Entries of its navigation are in `organization-navigation.tsx`, which only the area loads. */
const page = (title: keyof typeof english, load: Screen<typeof english>['load'], name = title): Screen<typeof english> => ({
  ...every,
  path: `/organizations/$organizationId/${name}`,
  title,
  frame: 'organization',
  load,
})

/** What all pages of organizations need, and the switcher, which every page has. */
async function loadArea(): Promise<Area> {
  const [{ OrganizationFrame }, { OrganizationNavigation }, { OrganizationSwitcher }] = await Promise.all([
    import('./organization-frame.tsx'),
    import('./organization-navigation.tsx'),
    import('./organization-switcher.tsx'),
  ])
  return { Frame: OrganizationFrame, Navigation: OrganizationNavigation, Switcher: OrganizationSwitcher }
}

export const organizations = screenFolder({
  messages,
  area: loadArea,
  screens: [
    {
      ...every,
      path: '/organizations',
      title: 'organizations',
      frame: 'account',
      load: () => import('./own-organizations.tsx'),
      preload: loadInvitations,
      navigation: { icon: Building2, order: 50, group: 'account', notice: OwnNotice },
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
    {
      ...page('members', () => import('./members.tsx')),
      preload: (locale) => Promise.all([loadOrganizationErrors(locale), exportMessages.load(locale)]),
    },
    { ...page('invitations', () => import('./invitations.tsx')), preload: loadInvitations },
    {
      ...page('teams', () => import('./teams.tsx')),
      exists: ({ organization }) => organization?.teams ?? false,
    },
    {
      ...page('roles', () => import('./roles.tsx')),
      preload: async (locale) => {
        const { messages: ownRoles } = await import('./own-role-messages.ts')
        return Promise.all([loadOrganizationErrors(locale), ownRoles.load(locale)])
      },
    },
    page('activity', () => import('./activity.tsx')),
    page('settings', () => import('./settings.tsx')),
  ],
})
