import type { Format } from '../../i18n/format.ts'

export const messages = {
  organizations: 'Organizations',
  waiting: ({ count }: { readonly count: number }, { plural }: Format) =>
    plural(count, { one: '# invitation is waiting', other: '# invitations are waiting' }),
  createOrganization: 'Create organization',
  overview: 'Overview',
  members: 'Members',
  invitations: 'Invitations',
  teams: 'Teams',
  roles: 'Roles',
  activity: 'Activity',
  settings: 'Settings',
  notAMember: 'You cannot open this organization',
  notAMemberText: 'You are not a member of it, or it does not exist any more. Ask one of its members for an invitation.',
  allOrganizations: 'All organizations',
} as const
