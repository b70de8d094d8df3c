import type { App } from '../../core/app.ts'
import { shellWord } from '../../lib/text.ts'
import { Failure, usageError } from '../../project/failure.ts'
import { argument, command, flag, option } from '../command.ts'
import { quoteValue } from '../wrong-value.ts'

export const organizationArgument = argument('<organization>', 'ID or slug', (z) => z.string().min(1).max(255))
const userArgument = argument('<user>', 'ID or email address', (z) => z.string().min(1))

const memberOptions = {
  role: option('--role <names>', 'Role names, separated by commas [member]', (z) =>
    z.string().min(1, 'expected the name of a role').max(255, 'is too long').default('member'),
  ),
  team: option('--team <team>', 'ID or name of a team of the organization', (z) =>
    z.string().min(1, 'expected a team').max(255, 'is too long').optional(),
  ),
}

/** What an operator can do about errors of the API. */
const hints: Readonly<Record<string, string>> = {
  ORGANIZATION_ALREADY_EXISTS: 'Another organization has this slug. Choose one with --slug <slug>.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: 'Raise organization.organizationLimit, or choose another owner.',
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 'Raise organization.membershipLimit in the configuration.',
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'List the members: latchkey orgs show <organization>',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'Add --resend to send the invitation again.',
  INVITATION_LIMIT_REACHED: 'Raise organization.invitationLimit in the configuration.',
  TOO_MANY_ROLES: 'Raise organization.dynamicAccessControl.maximumRolesPerOrganization in the configuration.',
  ROLE_NAME_IS_ALREADY_TAKEN: 'Choose a name that no role of the configuration, of seed.roles or of the organization has.',
  ROLE_NOT_FOUND: 'List the roles of the organization: latchkey orgs roles <organization>',
  ROLE_IS_ASSIGNED_TO_MEMBERS: 'Give these members and pending invitations another role first: latchkey orgs show <organization>',
  CANNOT_DELETE_A_PRE_DEFINED_ROLE: 'Remove it from organization.roles in the configuration.',
  TEAM_MEMBER_LIMIT_REACHED: 'Raise organization.teams.maximumMembersPerTeam in the configuration.',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    'This is the last owner. Add another one first: latchkey orgs add-member <organization> <user> --role <owner role>. To make a member an owner, remove them and add them again.',
}

/** @param value of which an error says that it exists already @throws Failure with a hint in place of an error of the API that has one */
export async function explained<T>(work: Promise<T>, value?: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { ApiError } = await import('../../core/errors.ts')
    if (!(error instanceof ApiError)) throw error
    const { code, message } = error.entry
    const shown = value !== undefined && /(^|_)ALREADY_/.test(code) ? `${message}: ${value}` : message
    throw new Failure(code, shown, { hint: hints[code], cause: error })
  }
}

/** @throws Failure USAGE with the known names */
async function checkRole(app: App, organizationId: string, role: string): Promise<void> {
  const { findUnknownMemberRoles, listMemberRoles, listOwnRoles, permitsOwnRoles } = await import(
    '../../features/organizations/index.ts'
  )
  const unknown = await findUnknownMemberRoles(app, { organizationId, role })
  if (unknown.length === 0) return
  const own = permitsOwnRoles(app.config) ? await listOwnRoles(app, organizationId) : []
  const known = [...(await listMemberRoles(app)), ...own].map((one) => one.role).join(', ')
  const hint = `Known roles: ${known}. Declare others in organization.roles, or in seed.roles and run latchkey seed.`
  throw usageError(`--role: there is no role ${unknown.map((name) => `"${name}"`).join(', ')}`, hint)
}

/** @returns the id; null without a team @throws Failure TEAMS_ARE_NOT_ENABLED, TEAM_NOT_FOUND, TEAM_AMBIGUOUS */
async function findTeamId(app: App, organizationId: string, idOrName: string | undefined): Promise<string | null> {
  if (idOrName === undefined) return null
  if (!app.config.organization.teams.enabled) {
    throw new Failure('TEAMS_ARE_NOT_ENABLED', 'Teams are disabled: organization.teams is off', {
      hint: 'Set organization: { teams: true } in the configuration.',
    })
  }
  const { listTeamSizes } = await import('../../features/organizations/index.ts')
  const teams = await listTeamSizes(app, organizationId)
  const byId = teams.find(({ id }) => id === idOrName)
  if (byId) return byId.id
  const [found, another] = teams.filter(({ name }) => name === idOrName)
  const known = teams.map(({ id, name }) => ({ id: 'team', path: id, message: name }))
  if (found && another) {
    const details = known.filter(({ message }) => message === idOrName)
    throw new Failure('TEAM_AMBIGUOUS', `Several teams are named ${idOrName}`, { hint: 'Give the ID of one of them.', details })
  }
  if (found) return found.id
  throw new Failure('TEAM_NOT_FOUND', `The organization has no team ${idOrName}`, {
    hint: 'List its teams: latchkey orgs show <organization>',
    details: known,
  })
}

export const addMember = command('add-member', 'Add a user to an organization', {
  description:
    'Adds an existing user without an invitation. The limits of the configuration apply. To invite someone without an account, use `orgs invite`.',
  examples: [
    'latchkey orgs add-member acme bob@example.com',
    'latchkey orgs add-member acme bob@example.com --role admin --team Design',
  ],
  arguments: { organization: organizationArgument, user: userArgument },
  options: memberOptions,
  usesDatabase: true,
  deadline: 60,
  action: async ({ options, output, openReadyApp }) => {
    const { addMember: add, memberRecord } = await import('../../features/organizations/index.ts')
    const { getOrganization, getUser, requireOrganizations } = await import('../ready-app.ts')
    const { printable } = await import('../../lib/redact.ts')
    const tables = ['organization', 'member', 'team', 'auditEvent', 'user', 'role'] as const
    const { app } = await openReadyApp({ mode: 'write', tables })
    requireOrganizations(app)
    const organization = await getOrganization(app, options.organization)
    const user = await getUser(app, options.user)
    const { role } = options
    await checkRole(app, organization.id, role)
    const teamId = await findTeamId(app, organization.id, options.team)
    const member = await explained(
      add(app, { organizationId: organization.id, userId: user.id, role, teamIds: teamId ? [teamId] : [] }),
      user.email,
    )
    output.result('orgs-add-member/v1', { member: { ...memberRecord(member), email: user.email } }, [])
    output.success(printable(`Added ${user.email} to ${organization.slug} as ${role}`))
  },
})

export const removeMember = command('remove-member', 'Remove a user from an organization', {
  description:
    'The user keeps their account. The organization is no longer active in any of their sessions. The last owner cannot be removed.',
  examples: ['latchkey orgs remove-member acme bob@example.com'],
  arguments: { organization: organizationArgument, user: userArgument },
  usesDatabase: true,
  deadline: 60,
  action: async ({ options, output, openReadyApp }) => {
    const { findMember, memberRecord, removeMember: remove } = await import('../../features/organizations/index.ts')
    const { getOrganization, getUser, requireOrganizations, warnIfCacheStale } = await import('../ready-app.ts')
    const { printable } = await import('../../lib/redact.ts')
    const tables = ['organization', 'member', 'auditEvent', 'user', 'session'] as const
    const { app } = await openReadyApp({ mode: 'write', tables })
    requireOrganizations(app)
    const { id: organizationId, slug } = await getOrganization(app, options.organization)
    const user = await getUser(app, options.user)
    const member = await findMember(app, organizationId, user.id)
    if (!member) {
      throw new Failure('MEMBER_NOT_FOUND', `${user.email} is not a member of ${slug}`, {
        hint: `List the members: latchkey orgs show ${shellWord(slug)}`,
      })
    }
    await explained(remove(app, { organizationId, memberId: member.id, by: null }))
    await warnIfCacheStale(app, output)
    output.result('orgs-remove-member/v1', { member: { ...memberRecord(member), email: user.email } }, [])
    output.success(printable(`Removed ${user.email} from ${slug}`))
  },
})

const inviteTables = ['organization', 'member', 'team', 'invitation', 'auditEvent', 'user', 'role', 'outbox'] as const

export const invite = command('invite', 'Invite an email address to an organization', {
  description:
    'Sends an invitation in the name of an owner, or of the member given with --inviter, and prints its link. The recipient accepts it after signing in with this email address. The limits of the configuration apply. Without mail, pass the link on.',
  examples: [
    'latchkey orgs invite acme bob@example.com',
    'latchkey orgs invite acme bob@example.com --role admin --team Design',
    'latchkey orgs invite acme bob@example.com --inviter ann@example.com',
    'latchkey orgs invite acme bob@example.com --resend',
  ],
  arguments: {
    organization: organizationArgument,
    email: argument('<email>', 'Email address of the recipient', (z) => z.string().toLowerCase()),
  },
  options: {
    ...memberOptions,
    inviter: option('--inviter <user>', 'ID or email address of the member who invites [an owner]', (z) =>
      z.string().min(1, 'expected a user').optional(),
    ),
    resend: flag('--resend', 'Send a pending invitation again, with a new expiry'),
  },
  usesDatabase: true,
  deadline: 60,
  action: async ({ options, output, openReadyApp }) => {
    const { inviteMember, invitationURL } = await import('../../features/organizations/index.ts')
    const { isReachableEmail } = await import('../../lib/placeholder-email.ts')
    const { getOrganization, requireOrganizations } = await import('../ready-app.ts')
    const { email, role, resend } = options
    if (!isReachableEmail(email)) throw usageError(`<email>: expected an email address that receives mail, ${quoteValue(email)}`)
    const { app } = await openReadyApp({ mode: 'write', tables: inviteTables })
    requireOrganizations(app)
    const organization = await getOrganization(app, options.organization)
    await checkRole(app, organization.id, role)
    const teamId = await findTeamId(app, organization.id, options.team)
    const inviter = await getInviter(app, organization.id, options.inviter)
    const invitation = await explained(
      inviteMember(app, organization.id, { ...inviter, session: null }, { email, role, teamIds: teamId ? [teamId] : [], resend }),
      email,
    )
    const { id, expiresAt } = invitation
    const link = invitationURL(app.config, id)
    output.result('orgs-invite/v1', { invitation: { id, email, role, teamId, expiresAt, inviterId: inviter.user.id }, link }, [
      `${id}  ${email}`,
      ...(link ? [`Accept it at ${output.paint.bold(link)}`] : []),
    ])
    if (!link)
      output.warn('There is no page to accept it: dashboard is off. Call POST /organization/accept-invitation with the ID.')
  },
})

/** @throws Failure USER_NOT_FOUND, MEMBER_NOT_FOUND */
async function getInviter(app: App, organizationId: string, idOrEmail: string | undefined) {
  const { findMember, findOldestCreator } = await import('../../features/organizations/index.ts')
  const { getUser } = await import('../ready-app.ts')
  const owner = idOrEmail === undefined ? await findOldestCreator(app, organizationId) : null
  const user = await getUser(app, idOrEmail ?? owner?.userId ?? '')
  const member = owner ?? (await findMember(app, organizationId, user.id))
  if (member) return { user, member }
  const hint = 'Give a member: latchkey orgs show <organization> lists them.'
  throw new Failure('MEMBER_NOT_FOUND', `${user.email} is not a member of the organization`, { hint })
}
