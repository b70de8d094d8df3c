/** Lists of invitations: of an organization, and of a user. */
import { type SelectQueryBuilder, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { cutPage, escapeLike, isAfter, type Position, readPosition } from '../../core/pages.ts'
import type { UserRow } from '../../core/request.ts'
import { countInTime, startSearch } from '../../core/search.ts'
import { isReachableEmail } from '../../lib/placeholder-email.ts'
import type { Database } from '../index.ts'
import type { InvitationRow } from './model.ts'

/** `pending`: can be accepted. `expired`: was never accepted; its status on the wire is `pending`. */
export const invitationStates = ['pending', 'accepted', 'rejected', 'canceled', 'expired'] as const

export interface InvitationFilter {
  readonly limit?: number | undefined
  /** The id of an invitation, or a position. */
  readonly after?: string | undefined
  readonly status?: (typeof invitationStates)[number] | undefined
  /** Start of the email address. */
  readonly search?: string | undefined
}

interface InvitationPage {
  readonly invitations: InvitationRow[]
  readonly total: number
  /** The position after this page; null: it is the last one. */
  readonly next: string | null
}

/**
 * The invitations of an organization: all of them in the order of their creation, or a page with the newest first.
 * @throws ApiError VALIDATION_ERROR for an invalid `after`; SEARCH_TOO_SLOW
 */
export async function listInvitations(app: App, organizationId: string, filter: InvitationFilter): Promise<InvitationPage> {
  const { limit, after } = filter
  const search = startSearch(app, 'invitation.id')
  const all = app.db.selectFrom('invitation').where(search.isInTime).where('organizationId', '=', organizationId)
  const found = matching(app, all, filter)
  if (limit === undefined && after === undefined) {
    const invitations = await search.run(found.selectAll().orderBy('createdAt').orderBy('id'))
    return { invitations, total: invitations.length, next: null }
  }
  const position = await readPosition({ after }, 'time', (id) => findPosition(app, organizationId, id))
  const rows = await search.run(
    found
      .selectAll()
      .$if(position !== null, (query) => query.where(isAfter(['createdAt', 'id'], position ?? [new Date(0), ''], 'desc')))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .$if(limit !== undefined, (query) => query.limit((limit ?? 0) + 1)),
  )
  const { rows: invitations, next } = cutPage(rows, limit, ({ createdAt, id }) => [createdAt, id])
  return { invitations, total: await countInTime(search, found), next }
}

async function findPosition(app: App, organizationId: string, id: string): Promise<Position | null> {
  const invitations = app.db.selectFrom('invitation').select(['id', 'createdAt']).where('id', '=', id)
  const found = await invitations.where('organizationId', '=', organizationId).executeTakeFirst()
  return found ? [found.createdAt, found.id] : null
}

function matching(
  { now }: App,
  query: SelectQueryBuilder<Database, 'invitation', object>,
  { status, search }: InvitationFilter,
): typeof query {
  const inState =
    status === undefined
      ? query
      : status === 'pending' || status === 'expired'
        ? query.where('status', '=', 'pending').where('expiresAt', status === 'pending' ? '>' : '<=', now())
        : query.where('status', '=', status)
  if (!search) return inState
  const pattern = `${escapeLike(search.toLowerCase())}%`
  return inState.where(sql<boolean>`${sql.ref('email')} like ${pattern} escape '!'`)
}

export interface UserInvitation extends InvitationRow {
  readonly organizationName: string
  readonly organizationSlug: string
  readonly inviterName: string
  readonly inviterEmail: string
}

/** The invitations that a user can accept, oldest first: their senders are still members. */
export const listUserInvitations = (app: App, { email }: UserRow): Promise<UserInvitation[]> =>
  app.db
    .selectFrom('invitation')
    .innerJoin('organization', (join) =>
      join.onRef('organization.id', '=', 'invitation.organizationId').on('organization.deletedAt', 'is', null),
    )
    .innerJoin('user', 'user.id', 'invitation.inviterId')
    .innerJoin('member', (join) =>
      join.onRef('member.organizationId', '=', 'invitation.organizationId').onRef('member.userId', '=', 'invitation.inviterId'),
    )
    .selectAll('invitation')
    .select([
      'organization.name as organizationName',
      'organization.slug as organizationSlug',
      'user.name as inviterName',
      'user.email as inviterEmail',
    ])
    .where('invitation.email', '=', email.toLowerCase())
    .where('invitation.status', '=', 'pending')
    .where('invitation.expiresAt', '>', app.now())
    .orderBy('invitation.createdAt')
    .orderBy('invitation.id')
    .execute()

export const checkedStates = ['new', 'member', 'invited', 'invalid'] as const

interface CheckedEmail {
  readonly email: string
  readonly state: (typeof checkedStates)[number]
}

/** Whether each of these can be invited to an organization, in two queries. @param given in any case, also invalid ones */
export async function checkEmails(app: App, organizationId: string, given: readonly string[]): Promise<CheckedEmail[]> {
  const valid = given.filter(isReachableEmail).map((email) => email.toLowerCase())
  if (valid.length === 0) return given.map((email) => ({ email, state: 'invalid' }))
  const [members, invited] = await Promise.all([
    app.db
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .select('user.email')
      .where('member.organizationId', '=', organizationId)
      .where('user.email', 'in', valid)
      .execute(),
    app.db
      .selectFrom('invitation')
      .select('email')
      .where('organizationId', '=', organizationId)
      .where('email', 'in', valid)
      .where('status', '=', 'pending')
      .where('expiresAt', '>', app.now())
      .execute(),
  ])
  const states = new Map<string, CheckedEmail['state']>([
    ...valid.map((email) => [email, 'new'] as const),
    ...invited.map(({ email }) => [email, 'invited'] as const),
    ...members.map(({ email }) => [email, 'member'] as const),
  ])
  return given.map((email) => ({ email, state: states.get(email.toLowerCase()) ?? 'invalid' }))
}
