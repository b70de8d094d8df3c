/** The calls for organizations themselves (contract 04 §2). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import { freshSession, optionalSession, sensitiveCalls, session } from '../../core/permissions.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { errors, type MemberRow, memberView, organizationView, writtenOrganization, writtenOrganizationView } from './model.ts'
import { checkMayCreate, createOrganization, deleteOrganization, updateOrganization } from './organizations.ts'
import { memberAllows } from './permissions.ts'
import { anyId, logo, metadata, newSlug, organizationName, organizationSlug } from './schemas.ts'
import { findOwnMember } from './second-factor-policy.ts'
import { admit, findOrganization, findOrganizationBySlug, organizationOf, setActiveOfCall } from './store.ts'

/** A call by a signed-in user. */
export type SignedInCall = CallContext & { readonly session: SessionView; readonly user: UserRow }

/** @throws ApiError with this error when the user of the call is not a member; SECOND_FACTOR_REQUIRED */
export async function requireMember(
  ctx: SignedInCall,
  organizationId: string,
  error = errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
): Promise<MemberRow> {
  const member = await findOwnMember(ctx, organizationId, ctx.user)
  if (!member) throw new ApiError(error)
  return member
}

interface Named {
  readonly organizationId?: string | undefined
  readonly organizationSlug?: string | undefined
}

/**
 * The own membership in the organization that a call names, or in the active one.
 * @throws ApiError NO_ACTIVE_ORGANIZATION, or `error` when there is no such organization or the user is not a member: the response does
 * not reveal which
 */
export async function requireMembership(
  ctx: SignedInCall,
  { organizationId, organizationSlug }: Named,
  error: ErrorEntry = errors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION,
): Promise<MemberRow> {
  const id = organizationSlug
    ? ((await findOrganizationBySlug(ctx, organizationSlug))?.id ?? '')
    : organizationOf(ctx, organizationId)
  if (id === null) throw new ApiError(errors.NO_ACTIVE_ORGANIZATION)
  return requireMember(ctx, id, error)
}

const creationErrors = [
  errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION,
  errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS,
  errors.ORGANIZATION_ALREADY_EXISTS,
]

/** A user who is signed out has no organization to update (contract 04 §2). */
const signedOut = { ...errors.USER_NOT_FOUND, status: 401 } as const

const actions = z.record(z.string(), z.array(z.string()).max(64)).meta({ examples: [{ member: ['create'] }] })

const limitOf = ({ config }: App): number | undefined => {
  const { organizationLimit } = config.organization
  return typeof organizationLimit === 'number' ? organizationLimit : undefined
}

export const organizationRoutes = {
  'POST /organization/create': route({
    summary: 'Create an organization',
    description:
      'Creates an organization with the current user as its first member, and makes it the active organization unless `keepCurrentActiveOrganization` is set. Fails when the user may not create one, has too many, or the slug is taken.',
    access: session(),
    body: z.object({
      name: organizationName,
      slug: newSlug,
      logo: logo.nullish(),
      metadata: metadata.nullish(),
      keepCurrentActiveOrganization: z.boolean().optional(),
    }),
    returns: (config: Config) => writtenOrganizationView.extend({ members: z.array(memberView(config)) }),
    errors: creationErrors,
    handler: async (ctx) => {
      const { keepCurrentActiveOrganization, ...given } = ctx.body
      await checkMayCreate(ctx, ctx.user)
      const { name, slug, logo = null, metadata = null } = given
      const { organization, member } = await createOrganization(ctx, ctx.user, { name, slug, logo, metadata }, limitOf(ctx))
      if (!keepCurrentActiveOrganization) await setActiveOfCall(ctx, organization.id, member.teamId)
      return { ...writtenOrganization(organization), members: [member] }
    },
  }),
  'POST /organization/check-slug': route({
    summary: 'Check a slug',
    description: 'Fails when an organization has this slug.',
    access: session(),
    whileReadOnly: 'served',
    whileImpersonating: 'allowed',
    body: z.object({ slug: newSlug }),
    returns: z.object({ status: z.literal(true) }),
    errors: [errors.SLUG_IS_TAKEN],
    handler: async (ctx) => {
      if (await findOrganizationBySlug(ctx, ctx.body.slug)) throw new ApiError(errors.SLUG_IS_TAKEN)
      return { status: true as const }
    },
  }),
  'POST /organization/update': route({
    summary: 'Update an organization',
    description:
      'Changes name, slug, logo or metadata of an organization; default: the active one. Requires the permission `organization:update`. Fails when another organization has the slug.',
    access: optionalSession(),
    body: z.object({
      data: z.object({
        name: organizationName.optional(),
        slug: organizationSlug.optional(),
        logo: logo.nullish(),
        metadata: metadata.nullish(),
      }),
      organizationId: anyId.optional(),
    }),
    returns: writtenOrganizationView,
    errors: [
      signedOut,
      errors.ORGANIZATION_NOT_FOUND,
      errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION,
      errors.ORGANIZATION_ALREADY_EXISTS,
    ],
    handler: async (ctx) => {
      const { session, user } = ctx
      if (!session || !user) throw new ApiError(signedOut)
      const id = organizationOf({ session }, ctx.body.organizationId)
      if (!id) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
      const member = await findOwnMember(ctx, id, user)
      if (!member) throw new ApiError(errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
      await admit(ctx, member, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION, { organization: ['update'] })
      return writtenOrganization(await updateOrganization(ctx, id, ctx.body.data))
    },
  }),
  'POST /organization/delete': route({
    summary: 'Delete an organization',
    description:
      'Deletes an organization with its members, invitations and teams, and clears it in all sessions. Requires the permission `organization:delete`. Cannot be undone.',
    access: freshSession(sensitiveCalls),
    stepUp: 'recent',
    body: z.object({ organizationId: anyId }),
    returns: (config: Config) => organizationView(config),
    errors: [
      errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION,
      kernelErrors.FORBIDDEN,
      errors.ORGANIZATION_NOT_FOUND,
    ],
    handler: async (ctx) => {
      const { organizationId } = ctx.body
      const member = await requireMember(ctx, organizationId)
      await admit(ctx, member, errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION, { organization: ['delete'] })
      if (organizationId === ctx.session.activeOrganizationId) await setActiveOfCall(ctx, null)
      if (ctx.config.organization.organizationDeletion.disabled) throw new ApiError(kernelErrors.FORBIDDEN)
      const organization = await findOrganization(ctx, organizationId)
      if (!organization) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
      await deleteOrganization(ctx, organization, ctx.user)
      return organization
    },
  }),
  'POST /organization/has-permission': route({
    summary: 'Check own permissions',
    description:
      'Returns whether the roles of the current user in an organization permit all of these actions; default: the active one.',
    access: session(),
    isRead: true,
    whileImpersonating: 'allowed',
    body: z
      .object({ organizationId: anyId.optional(), permission: actions.optional(), permissions: actions.optional() })
      .refine(({ permission, permissions }) => (permission === undefined) !== (permissions === undefined), {
        path: ['permissions'],
      })
      .meta({ examples: [{ permissions: { member: ['create'] } }] }),
    returns: z.object({ error: z.null(), success: z.boolean() }),
    errors: [errors.NO_ACTIVE_ORGANIZATION, notAMember()],
    handler: async (ctx) => {
      const id = organizationOf(ctx, ctx.body.organizationId)
      if (!id) throw new ApiError(errors.NO_ACTIVE_ORGANIZATION)
      const member = await requireMember(ctx, id, notAMember())
      const required = ctx.body.permissions ?? ctx.body.permission ?? {}
      return { error: null, success: await memberAllows(ctx, member, required) }
    },
  }),
}

/** 401 in this call only (contract 04 §2). */
function notAMember() {
  return { ...errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, status: 401 as const }
}
