/** The calls for roles that members make for their organization. All but the list exist only when the configuration permits them. */
import { z } from 'zod'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { freshSession, sensitiveCalls, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { roleName } from '../../lib/text.ts'
import { errors, type MemberRow } from './model.ts'
import { requireMembership, type SignedInCall } from './organization-routes.ts'
import {
  createOwnRole,
  deleteOwnRole,
  describeOwnRoles,
  describeRoles,
  findOwnRole,
  maximumRoles,
  updateOwnRole,
} from './own-roles.ts'
import { permitsOwnRoles } from './permissions.ts'
import { anyId } from './schemas.ts'
import { admit, organizationOf } from './store.ts'

const notAMember = errors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION

const name = z.string().max(64)
const newName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(roleName)
  .toLowerCase()
  .meta({ examples: ['auditor'] })
const permission = z
  .record(z.string().max(64), z.array(z.string().max(64)).max(64))
  .refine((given) => Object.keys(given).length <= 64)
  .meta({ examples: [{ member: ['create', 'update'] }] })
const actions = z.record(z.string(), z.array(z.string()).readonly()).readonly()

const named = { roleName: name.optional(), roleId: anyId.optional(), organizationId: anyId.optional() }
const namesOne = ({ roleName, roleId }: { readonly roleName?: string | undefined; readonly roleId?: string | undefined }) =>
  Boolean(roleName) || Boolean(roleId)

const roleMembers = {
  id: z.string(),
  organizationId: z.string(),
  role: z.string().meta({ examples: ['auditor'] }),
  permission: actions.meta({ examples: [{ member: ['create', 'update'] }] }),
  createdAt: isoDate,
  updatedAt: isoDate.nullable(),
}
const roleView = z.object(roleMembers).meta({ title: 'OrganizationRole' })

/** The membership of a user who may do this with roles. @throws ApiError in the order of better-auth */
async function requireRolePermission(
  ctx: SignedInCall,
  organizationId: string | undefined,
  action: string,
  refusal: ErrorEntry,
): Promise<MemberRow> {
  const member = await requireMembership(ctx, { organizationId }, notAMember)
  await admit(ctx, member, refusal, { ac: [action] })
  return member
}

export const roleRoutes = {
  'GET /organization/list-roles': route({
    summary: 'List roles of members',
    description:
      'Returns the roles that members can have: what each permits, and whether the current user may give it to others. With `organization.dynamicAccessControl`: those that members have made, which requires the permission `ac:read`; `predefined=true` adds the others, and requires only a membership. Fails when the user is not a member.',
    access: session(),
    query: z.object({
      organizationId: anyId.optional(),
      predefined: z
        .enum(['true', 'false'])
        .optional()
        .describe('`true`: also the roles of the installation; without the permission `ac:read`, only those'),
    }),
    returns: z.array(
      z.object({
        ...roleMembers,
        id: roleMembers.id.optional().describe('Only of a role that members have made, as the next members'),
        organizationId: roleMembers.organizationId.optional(),
        createdAt: isoDate.optional(),
        updatedAt: isoDate.nullish(),
        isCreatorRole: z.boolean().describe('Whether every organization keeps a member with it'),
        mayGrant: z.boolean().describe('Whether the current user may give it to others'),
      }),
    ),
    errors: [errors.NO_ACTIVE_ORGANIZATION, notAMember, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE],
    handler: async (ctx) => {
      const member = await requireMembership(ctx, { organizationId: ctx.query.organizationId })
      if (ctx.query.predefined === 'true' || !permitsOwnRoles(ctx.config)) return describeRoles(ctx, member)
      await admit(ctx, member, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE, { ac: ['read'] })
      return describeOwnRoles(ctx, member)
    },
  }),
  'GET /organization/get-role': route({
    summary: 'Get a role of an organization',
    description:
      'Returns a role that members have made, by name or ID; default: in the active organization. Requires the permission `ac:read`.',
    access: session(),
    exists: permitsOwnRoles,
    query: z.object(named).refine(namesOne, { path: ['roleName'] }),
    returns: roleView,
    errors: [errors.NO_ACTIVE_ORGANIZATION, notAMember, errors.YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE, errors.ROLE_NOT_FOUND],
    handler: async (ctx) => {
      const { organizationId, ...by } = ctx.query
      const member = await requireRolePermission(ctx, organizationId, 'read', errors.YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE)
      const role = await findOwnRole(ctx, member.organizationId, by)
      if (!role) throw new ApiError(errors.ROLE_NOT_FOUND)
      return role
    },
  }),
  'POST /organization/create-role': route({
    summary: 'Create a role of an organization',
    description:
      'Creates a role that members of an organization can have; default: the active one. Requires the permission `ac:create`, and each permission that the role gets: what is missing is in `missingPermissions`. The name is stored in lower case. Fails when a role has this name, or the organization has the maximum number of roles.',
    access: freshSession(sensitiveCalls),
    stepUp: 'recent',
    exists: permitsOwnRoles,
    body: z.object({ role: newName, permission, organizationId: anyId.optional() }),
    returns: z.object({ success: z.literal(true), roleData: roleView, statements: actions }),
    errors: [
      errors.YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE,
      notAMember,
      errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE,
      errors.TOO_MANY_ROLES,
      errors.INVALID_RESOURCE,
      errors.ROLE_NAME_IS_ALREADY_TAKEN,
    ],
    handler: async (ctx) => {
      const { organizationId, ...given } = ctx.body
      if (organizationOf(ctx, organizationId) === null) throw new ApiError(errors.YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE)
      const member = await requireRolePermission(ctx, organizationId, 'create', errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE)
      const limit = await maximumRoles(ctx, member.organizationId)
      const roleData = await createOwnRole(ctx, member, given, limit)
      return { success: true as const, roleData, statements: roleData.permission }
    },
  }),
  'POST /organization/update-role': route({
    summary: 'Update a role of an organization',
    description:
      'Changes what a role permits that members have made, or its name; default: in the active organization. Requires the permission `ac:update`, and each permission that the role gets. Members who have the role can do from the next call on what it permits then. Fails when a role that a member has, or a pending invitation gives, would get another name.',
    access: freshSession(sensitiveCalls),
    stepUp: 'recent',
    exists: permitsOwnRoles,
    body: z
      .object({ ...named, data: z.object({ permission: permission.optional(), roleName: newName.optional() }) })
      .refine(namesOne, { path: ['roleName'] }),
    returns: z.object({ success: z.literal(true), roleData: roleView }),
    errors: [
      errors.NO_ACTIVE_ORGANIZATION,
      notAMember,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE,
      errors.ROLE_NOT_FOUND,
      errors.INVALID_RESOURCE,
      errors.ROLE_NAME_IS_ALREADY_TAKEN,
      errors.ROLE_IS_ASSIGNED_TO_MEMBERS,
    ],
    handler: async (ctx) => {
      const { organizationId, data, ...by } = ctx.body
      const member = await requireRolePermission(ctx, organizationId, 'update', errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE)
      return { success: true as const, roleData: await updateOwnRole(ctx, member, by, data) }
    },
  }),
  'POST /organization/delete-role': route({
    summary: 'Delete a role of an organization',
    description:
      'Deletes a role that members have made, by name or ID; default: in the active organization. Requires the permission `ac:delete`. Fails when a member has it, or a pending invitation gives it.',
    access: freshSession(sensitiveCalls),
    stepUp: 'recent',
    exists: permitsOwnRoles,
    body: z.object(named).refine(namesOne, { path: ['roleName'] }),
    returns: z.object({ success: z.literal(true) }),
    errors: [
      errors.NO_ACTIVE_ORGANIZATION,
      notAMember,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE,
      errors.CANNOT_DELETE_A_PRE_DEFINED_ROLE,
      errors.ROLE_NOT_FOUND,
      errors.ROLE_IS_ASSIGNED_TO_MEMBERS,
    ],
    handler: async (ctx) => {
      const { organizationId, ...by } = ctx.body
      const member = await requireRolePermission(ctx, organizationId, 'delete', errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE)
      await deleteOwnRole(ctx, member, by)
      return { success: true as const }
    },
  }),
}
