/** Creates, finds, uses and revokes invite links, for calls and for commands. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { cutPage, isAfter, readPosition, streamPages } from '../../core/pages.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { withParameter } from '../../lib/url.ts'
import { recordEvent } from '../audit/index.ts'
import { hostedURL } from '../dashboard/index.ts'
import { findOrganization, findUnknownMemberRoles, errors as organizationErrors } from '../organizations/index.ts'
import { errors, type InviteLinkRow, stateOf } from './model.ts'

const purpose = 'invite link'
const tokenLength = 32
/** Longer texts are not hashed. */
export const longestToken = 100

export interface NewInviteLink {
  readonly label?: string | undefined
  readonly maxUses: number
  /** Seconds; default: `signUp.inviteLinks.expiresIn`. */
  readonly expiresIn?: number | undefined
  /** Role names of the installation, separated by commas; checked by the call. */
  readonly role?: string | undefined
  readonly organizationId?: string | undefined
  /** Role names in the organization; default: `member`. */
  readonly organizationRole?: string | undefined
}

interface CreatedInviteLink {
  readonly link: InviteLinkRow
  /** Display it once: only a hash of its token is stored. */
  readonly url: string
}

/**
 * Creates an invite link.
 * @param creator null: an operator
 * @throws ApiError ORGANIZATION_NOT_FOUND, ROLE_NOT_FOUND
 */
export async function createInviteLink(app: App, creator: UserRow | null, given: NewInviteLink): Promise<CreatedInviteLink> {
  const { label = null, maxUses, role = null, organizationId = null } = given
  const organizationRole = organizationId === null ? null : (given.organizationRole ?? 'member')
  if (organizationId !== null) await requireOrganization(app, organizationId, organizationRole ?? '')
  const token = app.random.token(tokenLength)
  const expiresIn = given.expiresIn ?? app.config.signUp.inviteLinks.expiresIn
  const link: InviteLinkRow = {
    ...{ id: app.random.id(), tokenHash: app.keyring.hash(purpose, token), label, maxUses, uses: 0 },
    ...{ role, organizationId, organizationRole, createdBy: creator?.id ?? null, createdAt: app.now() },
    ...{ expiresAt: new Date(app.now().getTime() + expiresIn * 1000), revokedAt: null },
  }
  await transaction(app, async (tx) => {
    await tx.db.insertInto('inviteLink').values(link).execute()
    const details = { maxUses, expiresAt: link.expiresAt, role, organizationRole }
    await recordEvent(tx, { action: 'invite-link.created', target: targetOf(link), organizationId, details })
  })
  return { link, url: urlOf(app, token) }
}

async function requireOrganization(app: App, organizationId: string, role: string): Promise<void> {
  const exists = app.config.organization.enabled && (await findOrganization(app, organizationId)) !== null
  if (!exists) throw new ApiError(organizationErrors.ORGANIZATION_NOT_FOUND)
  if ((await findUnknownMemberRoles(app, { organizationId, role })).length > 0)
    throw new ApiError(organizationErrors.ROLE_NOT_FOUND)
}

const urlOf = ({ config }: App, token: string): string =>
  withParameter(config.signUp.inviteLinks.url ?? hostedURL(config, '/join') ?? '', 'token', token)

const targetOf = ({ id }: InviteLinkRow) => ({ type: 'invite-link', id })

/** Finds a link that can be used; null for one that is unknown, used up, expired or revoked, which have the same response. */
export async function findUsable(app: App, token: string): Promise<InviteLinkRow | null> {
  if (token === '' || token.length > longestToken) return null
  const hashes = app.keyring.hashes(purpose, token)
  const link = await app.db.selectFrom('inviteLink').selectAll().where('tokenHash', 'in', hashes).executeTakeFirst()
  return link && stateOf(app, link) === 'active' ? link : null
}

/**
 * Takes one use of a link, in the transaction in which its user is created or joins. The condition decides between concurrent uses.
 * @returns false when it cannot be used any more
 */
export async function claimLink(tx: App, link: InviteLinkRow, userId: string): Promise<boolean> {
  const claimed = await tx.db
    .updateTable('inviteLink')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', link.id)
    .where((eb) => eb('uses', '<', eb.ref('maxUses')))
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', tx.now())
    .executeTakeFirst()
  if (claimed.numUpdatedRows === 0n) return false
  const { organizationId } = link
  await recordEvent(tx, { action: 'invite-link.used', target: targetOf(link), userId, organizationId })
  return true
}

/** Revokes a link: it is not usable from the commit on. @throws ApiError INVITE_LINK_NOT_FOUND */
export async function revokeInviteLink(app: App, id: string): Promise<InviteLinkRow> {
  return transaction(app, async (tx) => {
    const now = tx.now()
    const revoked = await tx.db
      .updateTable('inviteLink')
      .set({ revokedAt: now })
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      .executeTakeFirst()
    const link = await tx.db.selectFrom('inviteLink').selectAll().where('id', '=', id).executeTakeFirst()
    if (!link) throw new ApiError(errors.INVITE_LINK_NOT_FOUND)
    const { organizationId, uses } = link
    if (revoked.numUpdatedRows > 0n)
      await recordEvent(tx, { action: 'invite-link.revoked', target: targetOf(link), organizationId, details: { uses } })
    return link
  })
}

/** A page of the links, newest first. @throws ApiError VALIDATION_ERROR for an invalid cursor */
export async function listInviteLinks(
  app: App,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const position = await readPosition({ cursor: cursor || undefined }, 'time')
  const newest = app.db.selectFrom('inviteLink').selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc')
  const following = position ? newest.where(isAfter(['createdAt', 'id'], position, 'desc')) : newest
  const rows = await following.limit(limit + 1).execute()
  return cutPage(rows, limit, ({ createdAt, id }) => [createdAt, id])
}

const streamed = 500

/** Every link, ordered by ID. @param first only IDs after this one */
export async function* streamInviteLinks({ db }: App, first = ''): AsyncGenerator<InviteLinkRow, void, undefined> {
  const pages = streamPages(streamed, first, (after) =>
    db.selectFrom('inviteLink').selectAll().where('id', '>', after).orderBy('id').limit(streamed).execute(),
  )
  for await (const rows of pages) yield* rows
}
