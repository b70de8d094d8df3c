/** What visitors do with an invite link: look at it, take it along to the sign-up, or join its organization with their account. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { guardSharedAttempt } from '../attempts/index.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { findMember, findOrganization, joinByLink, membershipLimit, requirePolicy } from '../organizations/index.ts'
import { claimLink, findUsable } from './links.ts'
import { errors, type InviteLinkRow } from './model.ts'

/** The same for a request: failures are counted. @throws ApiError INVITE_LINK_NOT_FOUND, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER */
export async function requireLink(ctx: CallContext, token: string): Promise<InviteLinkRow> {
  const shared = { claim: 'invite-link', networkAddress: ctx.request.networkAddress(), policy: 'perNetwork' } as const
  const link = await guardSharedAttempt(ctx, shared, () => findUsable(ctx, token))
  if (link) return link
  ctx.subject.hasFailed = true
  throw new ApiError(errors.INVITE_LINK_NOT_FOUND)
}

/** What the page of a link shows. */
export async function describeLink(app: App, { organizationId }: InviteLinkRow) {
  const organization = organizationId !== null && app.config.organization.enabled ? await findOrganization(app, organizationId) : null
  return { organization: organization && { name: organization.name } }
}

/** Takes a link along to the sign-up, by whichever method: the browser keeps its token, and only the server reads it. */
export function carryLink(ctx: CallContext, token: string, { expiresAt }: InviteLinkRow): void {
  const seconds = Math.floor((expiresAt.getTime() - ctx.now().getTime()) / 1000)
  const cookie = cookieDefinition(ctx.config, 'invite_link')
  cookie.set(ctx.cookies, token, Math.max(1, Math.min(seconds, 86_400)))
}

/** The link that the browser of a call carries; null for a command, and for a link that cannot be used any more. */
export async function findCarried(ctx: CallContext): Promise<InviteLinkRow | null> {
  const token = ctx.request.cookie(cookieDefinition(ctx.config, 'invite_link').name)
  return token === undefined ? null : findUsable(ctx, token)
}

/**
 * The current user joins the organization of a link.
 * @returns its id
 * @throws ApiError INVITE_LINK_NOT_FOUND, ORGANIZATION_MEMBERSHIP_LIMIT_REACHED, SECOND_FACTOR_REQUIRED
 */
export async function acceptLink(ctx: CallContext & { readonly user: UserRow }, link: InviteLinkRow): Promise<string> {
  const { user } = ctx
  const { organizationId } = link
  const organization = organizationId === null ? null : await findOrganization(ctx, organizationId)
  if (!organization) throw new ApiError(errors.INVITE_LINK_NOT_FOUND)
  const own = await findMember(ctx, organization.id, user.id)
  await requirePolicy(ctx, organization, user, own)
  if (own) return organization.id
  const limit = await membershipLimit(ctx, user, organization)
  try {
    await transaction(ctx, async (tx) => {
      if (!(await claimLink(tx, link, user.id))) throw new ApiError(errors.INVITE_LINK_NOT_FOUND)
      await joinByLink(tx, { organizationId: organization.id, userId: user.id, role: link.organizationRole ?? 'member' }, limit)
    })
  } catch (error) {
    // A second tab of the same user was faster: its use counts once.
    if (!ctx.database.isUniqueViolation(error)) throw error
  }
  return organization.id
}
