/** The list of users, and what is done with one or several of them. */
import type { Format } from '../../i18n/format.ts'

/** One user by name, several by number. */
export interface Target {
  readonly name: string
  readonly count: number
}
export interface Sessions extends Target {
  readonly sessions: number
}
const users = ({ name, count }: Target, { plural }: Format) =>
  count === 1 ? name : plural(count, { one: '# user', other: '# users' })
const ended = (count: number, { plural }: Format) =>
  plural(count, { one: '# session was revoked.', other: '# sessions were revoked.' })

/** What a search finds in addition: what the configuration enables. */
export interface Searched {
  readonly username: boolean
  readonly phoneNumber: boolean
}

const startsOf = ({ username, phoneNumber }: Searched): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format([
    'email',
    ...(username ? ['username'] : []),
    ...(phoneNumber ? ['phone number'] : []),
  ])

export const messages = {
  users: 'Users',
  usersLead: 'Everyone with an account on this instance.',
  user: 'User',
  createUser: 'Create user',
  export: 'Export users',
  exportText:
    'The users that match the search and the filters, in the order of the list, with their profile and status. The command line exports all users, with their sign-in methods:',
  views: 'Views',
  all: 'All',
  unverifiedView: 'Unverified',
  bannedView: 'Banned',
  administrators: 'Administrators',
  saveView: 'Save view',
  saveViewText: 'Saves the filters and the sorting in this browser. The search is not saved.',
  viewName: 'Name',
  viewExists: 'There is a view with this name.',
  removeView: 'Remove view',
  searchUsers: 'Search users',
  searchUsersHint: 'Email, name or exact ID',
  searchUsersNote: (also: Searched) =>
    `Finds an exact ID or email, the start of an ${startsOf(also)}, and the words of a name by their start, such as “ida wolfs”.`,
  name: 'Name',
  email: 'Email',
  status: 'Status',
  role: 'Role',
  roles: 'Roles',
  organizations: 'Organizations',
  lastSignIn: 'Last sign-in',
  created: 'Created',
  active: 'Active',
  unverified: 'Unverified',
  banned: 'Banned',
  locked: 'Locked',
  bannedUntil: ({ date }: { readonly date: string }) => `Until ${date}`,
  never: 'Never',
  noName: 'No name',
  columns: 'Columns',
  rowsPerPage: 'Rows',
  selectAll: 'Select all users of this page',
  select: ({ name }: { readonly name: string }) => `Select ${name}`,
  selected: ({ count }: { readonly count: number }, { plural }: Format) =>
    plural(count, { one: '# selected', other: '# selected' }),
  onThisPage: 'on this page',
  selectMatching: ({ count }: { readonly count: string }) => `Select all ${count} that match`,
  selectAboutMatching: ({ count }: { readonly count: string }) => `Select all that match, about ${count}`,
  matchingSelected: 'All users that match are selected',
  clearSelection: 'Clear selection',
  actionsFor: ({ name }: { readonly name: string }) => `Actions for ${name}`,
  openUser: 'Open user',
  copyId: 'Copy ID',
  idCopied: 'The ID was copied.',
  userCreated: ({ name }: { readonly name: string }) => `${name} was created.`,
  you: 'You',
  ownAccount: 'This is your own account.',

  filterUsers: 'Filter users',
  showUsers: 'Show users',
  clearFilters: 'Clear filters',
  anyStatus: 'Any status',
  anyRole: 'Any role',
  anyProvider: 'Any sign-in method',
  password: 'Password',
  provider: 'Sign-in method',
  secondFactor: 'Second factor',
  anyFactor: 'With or without',
  with: 'With',
  without: 'Without',
  yes: 'Yes',
  no: 'No',
  organization: 'Organization',
  organizationId: 'ID of an organization',
  anyOrganization: 'Any organization',
  clearOrganization: 'Remove the organization',
  searching: 'Searching…',
  noOrganizationFound: 'No organization found',
  createdAfter: 'Created after',
  createdBefore: 'Created before',
  lastSignInAfter: 'Last sign-in after',
  lastSignInBefore: 'Last sign-in before',
  statusIs: 'Status is',
  roleIs: 'Role is',
  providerIs: 'Signs in with',
  memberOf: 'Member of',
  sortBy: 'Sort by',
  newestFirst: 'Created, newest first',
  oldestFirst: 'Created, oldest first',
  byEmail: 'Email, A to Z',
  byName: 'Name, A to Z',
  recentFirst: 'Last sign-in, newest first',

  noUserFound: 'No user matches',
  noUserFoundText: (also: Searched) =>
    `Search for an exact ID or email, for the start of an ${startsOf(also)}, or for words of a name. Filters apply too.`,
  noMoreUsers: 'No more users',
  noMoreUsersText: 'This page is empty, because users were deleted or changed.',
  showFirstPage: 'Show the first page',
  noUsers: 'No users yet',
  noUsersText: 'Users appear here when they sign up. Create one here, or in the terminal:',
  command: 'Command',
  copyCommand: 'Copy the command',
  tooSlowText: 'Search for an exact ID or email, for the start of an email, or for words of a name, with fewer filters.',

  oneUser: '1 user',
  bulkTargets: ({ count }: { readonly count: number }, { plural }: Format) =>
    plural(count, {
      one: '# user will be changed by the server. You can close the page in the meantime.',
      other: '# users will be changed by the server, one after the other. You can close the page in the meantime.',
    }),
  bulkNoTargets: 'No user will be changed.',
  skipped: 'Skipped:',
  skipsSelf: 'your own account',
  skipsAdministrators: ({ count }: { readonly count: number }, { plural }: Format) =>
    plural(count, { one: '# administrator, to be changed alone', other: '# administrators, to be changed one by one' }),
  skipsNotPermitted: ({ count }: { readonly count: number }, { plural }: Format) =>
    plural(count, { one: '# user whose role permits more than yours', other: '# users whose roles permit more than yours' }),
  skipsUnchanged: ({ count }: { readonly count: number }, { plural }: Format) =>
    plural(count, { one: '# user for whom nothing would change', other: '# users for whom nothing would change' }),

  lock: 'Lock account',
  unlock: 'Unlock account',
  ban: 'Ban user',
  banShort: 'Ban',
  banQuestion: (target: Target, format: Format) => `Ban ${users(target, format)}?`,
  banText: 'All sessions end immediately, and sign-in is blocked until the ban expires or is lifted.',
  banConfirm: (target: Target, format: Format) => (target.count === 1 ? 'Ban user' : `Ban ${users(target, format)}`),
  banReason: 'Reason',
  banReasonHint: 'Other administrators see it. It stays in the audit log.',
  banExpires: 'Ends',
  banForever: 'When it is lifted',
  banDay: 'In 1 day',
  banWeek: 'In 7 days',
  banMonth: 'In 30 days',
  banUntil: 'On a day…',
  banDate: 'Last day of the ban',
  banDone: (target: Sessions, format: Format) =>
    `${users(target, format)} ${target.count === 1 ? 'was' : 'were'} banned. ${ended(target.sessions, format)}`,

  unban: 'Lift ban',
  unbanQuestion: (target: Target, format: Format) => `Lift the ban of ${users(target, format)}?`,
  unbanText: 'They can sign in again.',
  unbanConfirm: 'Lift ban',
  unbanDone: (target: Target, format: Format) => `${users(target, format)} can sign in again.`,

  revoke: 'Revoke sessions',
  revokeQuestion: (target: Target, format: Format) => `Revoke all sessions of ${users(target, format)}?`,
  revokeText: 'They are signed out immediately on all devices, and can sign in again.',
  revokeDone: (target: Sessions, format: Format) => `${users(target, format)}: ${ended(target.sessions, format)}`,

  setRole: 'Set role',
  setRoleQuestion: (target: Target, format: Format) => `Set the role of ${users(target, format)}`,
  setRoleText: 'The new role takes effect immediately, in all sessions.',
  setRoleDone: (target: Target & { readonly roles: string }, format: Format) =>
    `${users(target, format)} now ${target.count === 1 ? 'has' : 'have'} this role: ${target.roles}.`,
  roleUser: 'User',
  roleAdmin: 'Admin',
  permitsNothing: 'Permits nothing in administration.',
  permitsEverything: 'Permits everything.',
  more: ({ count }: { readonly count: string }) => `${count} more`,

  delete: 'Delete user',
  deleteShort: 'Delete',
  deleteQuestion: (target: Target, format: Format) => `Delete ${users(target, format)}?`,
  deleteText: 'Profile, sign-in methods, sessions and memberships are deleted. This cannot be undone.',
  deleteConfirm: (target: Target, format: Format) => (target.count === 1 ? 'Delete user' : `Delete ${users(target, format)}`),
  typeEmail: ({ email }: { readonly email: string }) => `Type ${email} to confirm`,
  typeNumber: ({ count }: { readonly count: string }) => `Type ${count} to confirm`,
  deleteDone: (target: Target, format: Format) => `${users(target, format)} ${target.count === 1 ? 'was' : 'were'} deleted.`,

  sendReset: 'Send reset link',
  sendResetQuestion: (target: Target, format: Format) => `Send a reset link to ${users(target, format)}?`,
  sendResetText: 'An email with a link to set a new password. The current password works until the link is used.',
  sendResetDone: ({ email }: { readonly email: string }) => `The reset link was sent to ${email}.`,

  impersonate: 'Impersonate',
  impersonateQuestion: ({ name }: { readonly name: string }) => `Impersonate ${name}?`,
  impersonateText: ({ minutes }: { readonly minutes: number }, { plural }: Format) =>
    `You act as this user for ${plural(minutes, { one: '# minute', other: '# minutes' })} at most. Everything you do is recorded under both names. Passwords, email addresses and sign-in methods cannot be changed during this time.`,
  impersonateReason: 'Reason',
  impersonateReasonHint: 'Such as a ticket number. It stays in the audit log.',
  impersonateConfirm: 'Start impersonation',
  terms: 'Terms',
} as const
