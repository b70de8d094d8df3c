/** The active organization of a session, and the organizations of a user (contract 04 §2). */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { invalidQuery, maxPage } from '../../core/pages.ts'
import { session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import type { Config } from '../index.ts'
import { reissueSession } from '../sessions/index.ts'
import { readFull } from './full-organization.ts'
import {
  errors,
  invitationView,
  type MemberRow,
  memberWithUserView,
  type OrganizationRow,
  organizationView,
  policyView,
  teamView,
} from './model.ts'
import { listOrganizations } from './organization-list.ts'
import type { SignedInCall } from './organization-routes.ts'
import { describePage, pageHeaders, pageQuery } from './page-parameters.ts'
import { anyId } from './schemas.ts'
import { findOwnMember, permitsPolicies, stoppedFrom } from './second-factor-policy.ts'
import { activateForMember, findOrganization, findOrganizationBySlug, setActiveOfCall, setActiveOrganization } from './store.ts'

/** 403 in the calls that name any organization: they do not reveal whether it exists. */
const notAMember = { ...errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, status: 403 as const }

interface Named {
  readonly organizationId?: string | null | undefined
  readonly organizationSlug?: string | undefined
}

interface Found {
  readonly organization: OrganizationRow
  readonly member: MemberRow
}

/**
 * The organization that a call names, or the active one of the session.
 * @returns null when there is neither
 * @throws ApiError USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION after the active organization was cleared; SECOND_FACTOR_REQUIRED
 */
async function findNamed(ctx: SignedInCall, { organizationId, organizationSlug }: Named): Promise<Found | null> {
  const id = organizationId || ctx.session.activeOrganizationId
  if (!organizationSlug && !id) return null
  const found = organizationSlug ? await findOrganizationBySlug(ctx, organizationSlug) : await findOrganization(ctx, id ?? '')
  const member = found && (await findOwnMember(ctx, found.id, ctx.user))
  if (member) return { organization: found, member }
  if (ctx.session.activeOrganizationId) await setActiveOfCall(ctx, null)
  throw new ApiError(notAMember)
}

/** Members of the response when the configuration permits policies. */
const policyShape = {
  ...policyView,
  twoFactorDueAt: isoDate
    .nullable()
    .describe('From when the current user needs a second factor in this organization; null: they have one, or need none'),
}

/** When the policy will stop the user; null: it will not. */
const policyOf = (ctx: SignedInCall, { organization, member }: Found) => ({
  twoFactorDueAt: stoppedFrom(ctx, organization, member),
})

type Optional<S extends z.ZodRawShape> = { readonly [K in keyof S]: z.ZodOptional<S[K] & z.ZodType> }

/** Absent when the configuration permits no policies. */
const policyMembers = (config: Config): Optional<typeof policyShape> =>
  (permitsPolicies(config) ? policyShape : {}) as unknown as ReturnType<typeof policyMembers>

const fullView = (config: Config) =>
  organizationView(config)
    .extend({
      ...policyMembers(config),
      invitations: z.array(invitationView(config)),
      members: z.array(memberWithUserView(config)),
      teams: z.array(teamView).nullable(),
      total: z.object({ members: z.int(), invitations: z.int(), teams: z.int() }).describe('Number of all rows'),
      hasMore: z
        .object({ members: z.boolean(), invitations: z.boolean(), teams: z.boolean() })
        .describe('Whether a list has more rows than the response'),
    })
    .meta({ title: 'FullOrganization' })

const slug = z.string().max(255).optional()

export const activeRoutes = {
  'POST /organization/set-active': route({
    summary: 'Set the active organization',
    description:
      'Makes an organization the active one of the current session, or none when `organizationId` is null. Returns it with its members and invitations. Fails when the user is not a member.',
    access: session(),
    whileImpersonating: 'allowed',
    rejectsApiKeys: true,
    body: z.object({ organizationId: anyId.nullish(), organizationSlug: slug }),
    returns: (config: Config) => fullView(config).nullable(),
    errors: [notAMember],
    handler: async (ctx) => {
      const { organizationId, organizationSlug } = ctx.body
      if (organizationId === null && !organizationSlug) {
        if (!ctx.session.activeOrganizationId) return null
        await setActiveOrganization(ctx, ctx.session, null)
        await reissueSession(ctx, ctx.session)
        return null
      }
      const found = await findNamed(ctx, { organizationId, organizationSlug })
      if (!found) return null
      if (!(await activateForMember(ctx, ctx.session, found.organization.id))) throw new ApiError(notAMember)
      await reissueSession(ctx, ctx.session)
      return { ...(await readFull(ctx, found.organization)), ...policyOf(ctx, found), teams: null }
    },
  }),
  'GET /organization/get-full-organization': route({
    summary: 'Get an organization with its lists',
    description: `Returns an organization with its members, invitations and teams; default: the active one, or null. At most ${maxPage} of each; \`hasMore\` and \`total\` show how many there are.`,
    access: session(),
    query: z.object({
      organizationId: anyId.optional(),
      organizationSlug: slug,
      membersLimit: z.coerce.number().int().min(1).max(maxPage).optional().describe('Number of members'),
    }),
    returns: (config: Config) => fullView(config).nullable(),
    errors: [notAMember],
    handler: async (ctx) => {
      const found = await findNamed(ctx, ctx.query)
      if (!found) return null
      return { ...(await readFull(ctx, found.organization, ctx.query.membersLimit)), ...policyOf(ctx, found) }
    },
  }),
  'GET /organization/get-organization': route({
    summary: 'Get an organization without its lists',
    description: 'Returns an organization; default: the active one, or null. Fails when the user is not a member.',
    access: session(),
    query: z.object({ organizationId: anyId.optional(), organizationSlug: slug }),
    returns: (config: Config) => organizationView(config).extend(policyMembers(config)).nullable(),
    errors: [notAMember],
    handler: async (ctx) => {
      const found = await findNamed(ctx, ctx.query)
      return found && { ...found.organization, ...policyOf(ctx, found) }
    },
  }),
  'GET /organization/list': route({
    summary: 'List own organizations',
    description:
      'Returns the organizations of the current user, oldest membership first: all of them, or a page. The header `x-total-count` has their number, and `link` says that there are more.',
    access: session(),
    query: z.object(pageQuery),
    returns: (config: Config) => z.array(organizationView(config)),
    responseHeaders: pageHeaders,
    errors: [invalidQuery],
    handler: async (ctx) => {
      const { organizations, total, next } = await listOrganizations(ctx, ctx.user.id, ctx.query)
      describePage(ctx, total, next)
      return organizations
    },
  }),
}
