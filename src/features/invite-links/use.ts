/** What visitors do with an invite link: look at it, take it along to the sign-up, or join its organization with their account. */
import { type App, callOf } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { rejectionError, type SignUpDecision, type SignUpRule, type SignUpWay } from '../../core/sign-up.ts'
import { transaction } from '../../core/transaction.ts'
import { signCookie } from '../../lib/cookie.ts'
import { guardSharedAttempt } from '../attempts/index.ts'
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

/** The organization that users of a link join; null: none, or it was deleted. */
const organizationOf = async (app: App, { organizationId }: InviteLinkRow) =>
  organizationId !== null && app.config.organization.enabled ? findOrganization(app, organizationId) : null

/** What the page of a link shows. */
export async function describeLink(app: App, link: InviteLinkRow) {
  const organization = await organizationOf(app, link)
  return { organization: organization && { name: organization.name } }
}

/** Takes a link along to the sign-up, by whichever method: the browser keeps its token, and only the server reads it. */
export function carryLink(ctx: CallContext, token: string, { expiresAt }: InviteLinkRow): void {
  const seconds = Math.floor((expiresAt.getTime() - ctx.now().getTime()) / 1000)
  const cookie = cookieDefinition(ctx.config, 'invite_link')
  cookie.set(ctx.cookies, signCookie(token, ctx.keyring), Math.max(1, Math.min(seconds, 86_400)))
}

/** The link that the browser of a call carries; null for a command, and for a link that cannot be used any more. */
async function findCarried(ctx: CallContext): Promise<InviteLinkRow | null> {
  for (const token of ctx.request.signedCookies(cookieDefinition(ctx.config, 'invite_link').name)) {
    const link = await findUsable(ctx, token)
    if (link) return link
  }
  return null
}

/**
 * The current user joins the organization of a link.
 * @returns its id
 * @throws ApiError INVITE_LINK_NOT_FOUND, ORGANIZATION_MEMBERSHIP_LIMIT_REACHED, SECOND_FACTOR_REQUIRED
 */
export async function acceptLink(ctx: CallContext & { readonly user: UserRow }, link: InviteLinkRow): Promise<string> {
  const { user } = ctx
  const organization = await organizationOf(ctx, link)
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

const waived = 'invite-link'

/** A link is of an administrator, who may admit users whom no list names. Blocked ones, and a sign-up that is closed, stay rejected. */
export const admitsSignUp: SignUpRule = {
  waives: async (app, { source = 'self', userId }, { rejected }) => {
    const ctx = callOf(app)
    if (!ctx || source !== 'self' || userId !== undefined || rejected === 'closed') return null
    return (await findCarried(ctx)) ? { waived } : null
  },
}

/** The link that the transaction of a new user has taken a use of, until the user exists. */
const claimed = new WeakMap<App, InviteLinkRow>()

/**
 * Takes a use of the link that the browser carries, in the transaction that creates its user.
 * @returns the role of the link
 * @throws ApiError SIGN_UP_NOT_ALLOWED when the user needs it, and it has just been used up
 */
export async function claimCarried(tx: App, userId: string, decision: SignUpDecision, { source = 'self' }: SignUpWay) {
  const ctx = callOf(tx)
  const link = ctx && source === 'self' ? await findCarried(ctx) : null
  const isClaimed = link !== null && (await claimLink(tx, link, userId))
  if (!isClaimed && decision.waiver?.waived === waived && decision.rejection) throw rejectionError({}, decision.rejection)
  if (!isClaimed) return {}
  claimed.set(tx, link)
  return link.role === null ? {} : { role: link.role }
}

/** Makes the new user a member of the organization of the link. One that is full, or deleted, has no room for them. */
export async function joinClaimed(tx: App, user: UserRow): Promise<void> {
  const link = claimed.get(tx)
  claimed.delete(tx)
  const organization = link && (await organizationOf(tx, link))
  if (!organization) return
  const limit = await membershipLimit(tx, user, organization)
  if (organization.memberCount >= limit) return
  await joinByLink(tx, { organizationId: organization.id, userId: user.id, role: link.organizationRole ?? 'member' }, limit)
}
