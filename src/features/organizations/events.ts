/** What the audit log records about organizations. Users are named by id only; names of organizations and teams are kept. */
import type { AuditEvent } from '../audit/index.ts'
import type { MemberRow, OrganizationRoleRow, OrganizationRow, TeamRow } from './model.ts'

export const auditActions = {
  'organization.created': 'An organization was created',
  'organization.updated': 'Name, slug, logo or metadata of an organization were changed',
  'organization.deleted': 'An organization was deleted with its members, invitations and teams',
  'organization.two-factor-policy-changed': 'The policy that members need a second factor was changed',
  'organization.two-factor-reminded': 'Members without a second factor got an email about it; `members` is their number',
  'member.added': 'A user was added to an organization without an invitation',
  'member.joined': 'A user accepted an invitation, or joined by an invite link',
  'member.role-changed': 'The role of a member was changed',
  'member.removed': 'A member was removed from an organization',
  'member.left': 'A member left an organization, or deleted their account',
  'invitation.created': 'A user was invited to an organization',
  'invitation.resent': 'An invitation was sent again',
  'invitation.canceled': 'An invitation was canceled',
  'invitation.rejected': 'An invitation was rejected',
  'team.created': 'A team was created',
  'team.updated': 'A team was renamed',
  'team.removed': 'A team was removed',
  'team.member-added': 'A member was added to a team',
  'team.member-removed': 'A member was removed from a team',
  'organization-role.created': 'A role of an organization was created',
  'organization-role.updated': 'A role of an organization was changed: what it permits, or its name',
  'organization-role.deleted': 'A role of an organization was deleted',
}
type OrganizationAction = keyof typeof auditActions
type ActionOn<R extends string> = Extract<OrganizationAction, `${R}.${string}`>
export type MemberAction = ActionOn<'member'> | 'team.member-added' | 'team.member-removed'

export const organizationEvent = (
  action: ActionOn<'organization'>,
  { id, name, slug }: Pick<OrganizationRow, 'id' | 'name' | 'slug'>,
  details: AuditEvent['details'] = {},
): AuditEvent => ({
  action,
  target: { type: 'organization', id },
  organizationId: id,
  details: { name, slug, ...details },
})

/** The target is the user: memberships are deleted. */
export const memberEvent = (
  action: MemberAction,
  { organizationId, userId }: Pick<MemberRow, 'organizationId' | 'userId'>,
  details: AuditEvent['details'] = {},
): AuditEvent => ({ action, target: { type: 'user', id: userId }, organizationId, details })

export const teamEvent = (
  action: ActionOn<'team'>,
  { id, organizationId }: TeamRow,
  details: AuditEvent['details'] = {},
): AuditEvent => ({
  action,
  target: { type: 'team', id },
  organizationId,
  details,
})

export const roleEvent = (
  action: ActionOn<'organization-role'>,
  { id, organizationId }: Pick<OrganizationRoleRow, 'id' | 'organizationId'>,
  details: NonNullable<AuditEvent['details']>,
): AuditEvent => ({ action, target: { type: 'organization-role', id }, organizationId, details })
