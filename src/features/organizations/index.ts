/**
 * Organizations: their members with roles, teams and invitations. A member's roles decide what they may do in their organization;
 * they are not roles of the installation.
 */
import { z } from 'zod'
import type { Listeners } from '../../core/events.ts'
import { settings } from '../../core/feature.ts'
import type { SignUpRule } from '../../core/sign-up.ts'
import { isSent } from '../outbox/index.ts'
import { sortNameJob } from '../users/index.ts'
import { activeRoutes } from './active-routes.ts'
import { mails as invitationMails } from './invitation-mail.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { isInvited } from './invitations.ts'
import { memberRoutes } from './member-routes.ts'
import { errors, organizationRecord } from './model.ts'
import { deleteRows, deletions } from './organization-deletion.ts'
import { organizationRoutes } from './organization-routes.ts'
import { configuredStatements, permitsOwnRoles, statements } from './permissions.ts'
import { reminderMails } from './policy-reminders.ts'
import { policyRoutes } from './policy-routes.ts'
import { roleRoutes } from './role-routes.ts'
import { permitsPolicies, policyEvents } from './second-factor-policy.ts'
import { findOrganization } from './store.ts'
import { teamMemberRoutes } from './team-member-routes.ts'
import { teamRoutes } from './team-routes.ts'
import { teamRowsJob } from './team-rows.ts'
import { leaveAllOrganizations } from './user-deletion.ts'

export { checkConfig, config, enabled } from './config.ts'
export {
  describeOrganization,
  listPendingInvitations,
  listTeamSizes,
  streamMembers,
  streamOrganizations,
} from './directory.ts'
export { auditActions } from './events.ts'
export { joinByLink } from './invitation-acceptance.ts'
export { invitationURL } from './invitation-mail.ts'
export { inviteMember } from './invitations.ts'
export { exportSources } from './member-export.ts'
export { listMembers, memberPage, memberQuery } from './member-list.ts'
export { addMember, membershipLimit, removeMember } from './members.ts'
export { configuredTables, errors, indexes, memberRecord, type OrganizationRow, organizationRecord, tables } from './model.ts'
export { finishDeletion, readDeletions } from './organization-deletion.ts'
export { requireMembership } from './organization-routes.ts'
export { checkOrganizationLimit, createOrganization, deleteOrganization } from './organizations.ts'
export { createOwnRole, deleteOwnRole, listOwnRoles, maximumRoles, updateOwnRole } from './own-roles.ts'
export {
  declaredStatements,
  findUnknownRoles as findUnknownMemberRoles,
  hasOrganizationKeys,
  listRoles as listMemberRoles,
  memberAllows,
  permitsOwnRoles,
} from './permissions.ts'
export { findRecoveryContacts } from './recovery-contacts.ts'
export { checkPolicy as requirePolicy, findOwnMember } from './second-factor-policy.ts'
export { seed } from './seed.ts'
export { admit, findMember, findOldestCreator, findOrganization, findOrganizationBySlug, lockOrganization } from './store.ts'
export { findOrganizationsToHandOver } from './user-deletion.ts'

export const events = policyEvents

export const mails = { ...invitationMails, ...reminderMails }

export const area = 'Organizations'
export const plugin = 'organization'

export const publicSettings = settings(
  {
    organization: z
      .object({
        teams: z.boolean(),
        ownRoles: z.boolean().describe('Whether members may make roles for their organization'),
        canCreate: z
          .boolean()
          .describe('Whether users may create organizations; a function of the configuration may still reject it'),
        canDelete: z.boolean(),
        creatorRole: z.string().meta({ examples: ['owner'] }),
        requiresVerifiedEmail: z.boolean().describe('Whether accepting an invitation requires a verified email address'),
        membershipLimit: z.int().nullable().describe('Maximum number of members; null: a function of the configuration decides'),
        invitationExpiresIn: z.int().describe('In seconds'),
        secondFactorPolicies: z
          .object({ sendsReminders: z.boolean() })
          .nullable()
          .describe('Whether organizations may require a second factor of their members; null: they may not'),
        sendsInvitations: z.boolean().describe('Whether invitations are sent by email; otherwise their links must be passed on'),
      })
      .nullable(),
  },
  (config) => {
    const { organization } = config
    return organization.enabled
      ? {
          organization: {
            teams: organization.teams.enabled,
            ownRoles: permitsOwnRoles(config),
            canCreate: organization.allowUserToCreateOrganization !== false && !organization.organizationCreation.disabled,
            canDelete: !organization.organizationDeletion.disabled,
            creatorRole: organization.creatorRole,
            requiresVerifiedEmail: organization.requireEmailVerificationOnInvitation,
            membershipLimit: typeof organization.membershipLimit === 'number' ? organization.membershipLimit : null,
            invitationExpiresIn: organization.invitationExpiresIn,
            secondFactorPolicies: permitsPolicies(config)
              ? { sendsReminders: isSent(config, reminderMails['organization-two-factor']) }
              : null,
            sendsInvitations: isSent(config, invitationMails['organization-invitation']),
          },
        }
      : { organization: null }
  },
)

/** Actions in an organization that a role may be granted; the configuration may declare more. */
export const permissions = statements
export const configuredPermissions = configuredStatements

export const routes = {
  ...organizationRoutes,
  ...activeRoutes,
  ...memberRoutes,
  ...roleRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
  ...invitationRoutes,
  ...policyRoutes,
}

/** Calls that do not act in an organization as one of its members, so that its policy of second factors does not stop them. */
const outside: readonly string[] = [
  ...['POST /organization/create', 'POST /organization/check-slug', 'POST /organization/add-member', 'POST /organization/leave'],
  ...['GET /organization/list', 'GET /organization/list-memberships', 'GET /organization/list-user-invitations'],
  ...['GET /organization/get-invitation', 'POST /organization/reject-invitation'],
]
const stopped = [
  ...Object.keys(routes).filter((key) => !outside.includes(key)),
  'GET /organization/list-events',
  'POST /list-export/create',
]
export const rejections = Object.fromEntries(stopped.map((key) => [key, [errors.SECOND_FACTOR_REQUIRED]]))

/** Asked only about users whom a rule rejects. */
export const admitsSignUp: SignUpRule = {
  waives: async (app, { email, userId }) =>
    app.config.signUp.invitationsPass && userId === undefined && (await isInvited(app, email)) ? { waived: 'invitation' } : null,
}

export const jobs = { deletions, teamRows: teamRowsJob, organizationSortNames: sortNameJob('organization') }

export const on: Listeners = {
  'user.deleting': leaveAllOrganizations,
  'user.erasing': async (app, { user }) => {
    await deleteRows(app, 'invitation', 'email', [user.email])
  },
  'mail.row-shortened': async (app, { kind, id }) => {
    const found = kind === 'organization' ? await findOrganization(app, id) : null
    if (found) return { members: { ...organizationRecord(found), createdAt: found.createdAt.toISOString() } }
  },
}
