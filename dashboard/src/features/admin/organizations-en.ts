/** The organizations of the instance. */
import type { Format } from '../../i18n/format.ts'

export interface Name {
  readonly name: string
}

export const messages = {
  organizations: 'Organizations',
  organization: 'Organization',
  organizationsLead: 'All organizations of this instance, newest first.',
  searchOrganizations: 'Search organizations',
  searchOrganizationsHint: 'Name, slug or exact ID',
  searchOrganizationsNote: 'Finds an exact ID, and the start of a name or slug.',
  members: 'Members',
  created: 'Created',
  noOrganizationFound: 'No organization found',
  noOrganizationFoundText: 'Search for an exact ID, or for the start of a name or slug.',
  clearSearch: 'Clear the search',
  noOrganizations: 'No organizations yet',
  noOrganizationsText: 'Organizations that users create appear here. To create one in the terminal:',
  command: 'Command',
  copyCommand: 'Copy the command',
  notFound: 'This organization does not exist',
  notFoundText: 'It may have been deleted.',
  showOrganizations: 'Show all organizations',
  slug: 'Slug',
  copyId: 'Copy the ID',
  facts: 'Facts',
  invitations: 'Pending invitations',
  teams: 'Teams',
  owners: 'Owners',
  noOwners: 'No member has the role that every organization keeps.',
  member: 'Member',
  role: 'Role',
  joined: 'Joined',
  searchMembers: 'Search members',
  searchMembersHint: 'Name or email',
  noMembers: 'No members',
  noMembersText: 'This organization has no members.',
  noMemberFoundText: 'No member has such a name or email address.',
  recentEvents: 'Recent events',
  allEvents: 'View all events',
  noEvents: 'No events',
  noEventsText: 'Changes to this organization appear here.',
  dangerZone: 'Danger zone',
  deleteOrganization: 'Delete organization',
  deleteText: 'Members lose access immediately. This cannot be undone. Users keep their accounts.',
  deleteQuestion: ({ name }: Name) => `Delete ${name}?`,
  deleteLosses: ({ count }: { readonly count: number }, { plural }: Format) =>
    `${plural(count, { one: '# member loses', other: '# members lose' })} access immediately. Invitations, teams and roles are deleted. Users keep their accounts.`,
  typeSlug: ({ slug }: { readonly slug: string }) => `Type ${slug} to confirm`,
  deleted: ({ name }: Name) => `${name} was deleted.`,
} as const
