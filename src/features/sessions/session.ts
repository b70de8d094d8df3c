/** Sessions as rows: find, list, renew and update them. Nothing here reads a request or writes a cookie. */
import { type App, memo } from '../../core/app.ts'
import { ApiError, defineErrors, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import type { SessionAndUser, SessionRow, SessionView } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import { columnsOf } from '../../core/table.ts'
import { write, written } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { encodeLists, readFields } from '../custom-fields/index.ts'
import { type DescribedUser, describeUser } from '../users/index.ts'
import { discardCopies } from './cache-epoch.ts'
import { fullSession } from './config.ts'

export const errors = defineErrors({
  FAILED_TO_GET_SESSION: [400, 'Failed to get session'],
  SESSION_NOT_FOUND: [400, 'Session not found'],
  FAILED_TO_CREATE_SESSION: [401, 'Failed to create session'],
  FAILED_TO_UPDATE_SESSION: [422, 'Failed to update session'],
})
/**
 * A banned user cannot sign in. Of the family of FAILED_TO_CREATE_SESSION, so that each call that creates sessions declares it.
 * @param message as configured
 */
export const bannedUser = (message: string): ErrorEntry => ({
  status: 403,
  code: 'BANNED_USER',
  message,
  family: errors.FAILED_TO_CREATE_SESSION.code,
})

/** A locked account signs in by no method. Of the same family. It is an error after the right credential only. */
export const lockedAccount = (): ErrorEntry => ({
  status: 403,
  code: 'ACCOUNT_LOCKED',
  message: 'This account is locked. Reset its password, or contact support.',
  family: errors.FAILED_TO_CREATE_SESSION.code,
})

/** A hook rejected the update. */
export const updateRejection: ErrorEntry = { ...errors.FAILED_TO_UPDATE_SESSION, status: 400 }

const purpose = 'session'

/** Stored in the row in place of the token; by the newest key. */
export const hashSessionToken = (app: App, token: string): string => app.keyring.hash(purpose, token)

/** The hashes that the row of this token may have, newest key first. */
export const sessionHashes = (app: App, token: string): readonly string[] => app.keyring.hashes(purpose, token)

const findByHash = statement({ session: 'session', user: 'user' }, (db, { hashes }: { hashes: readonly string[] }) =>
  db.selectFrom('session').innerJoin('user', 'user.id', 'session.userId').where('session.tokenHash', 'in', hashes),
)

/** Session and user of a token, also of an expired session; null when there is no such row. */
export async function findSession(app: App, token: string): Promise<(SessionAndUser & { session: StoredSession }) | null> {
  const [found] = await findByHash(app, { hashes: sessionHashes(app, token) })
  return found ? { session: { ...found.session, token }, user: found.user } : null
}

type StoredSession = SessionRow & { readonly token: string }
const rowOf = ({ token: _, ...row }: StoredSession): SessionRow => row

/** Deletes an expired row. No event is needed, because every copy of it expires at the same time. */
export async function deleteExpiredSession(app: App, session: Pick<SessionRow, 'id'>): Promise<void> {
  await app.db.deleteFrom('session').where('id', '=', session.id).execute()
}

/**
 * The live sessions of a user, oldest first. Only the token of the current session is known; the others have the
 * id in its place, which cannot be used to sign in.
 */
export async function listSessions(app: App, current: SessionView): Promise<SessionView[]> {
  const rows = await app.db
    .selectFrom('session')
    .selectAll()
    .where('userId', '=', current.userId)
    .where('expiresAt', '>', app.now())
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows
    .filter((session) => !isExpired(app, session))
    .map((session) => ({ ...session, token: session.id === current.id ? shownToken(app, current) : session.id }))
}

/** The token in a response; with `exposeToken: false` the id, because the cookie has the token and scripts do not need it. */
export const shownToken = (app: App, { id, token }: Pick<SessionView, 'id' | 'token'>): string =>
  app.config.session.exposeToken ? token : id

/** Session and user as JSON: their visible columns. */
export interface DescribedSession {
  readonly session: Readonly<Record<string, unknown>>
  readonly user: DescribedUser
}

const viewOfSession = memo((app: App) => fullSession({ session: columnsOf(app, 'session') }))

/** As get-session returns them, but for a token that is not shown. */
export const describeSession = (app: App, { session, user }: SessionAndUser): DescribedSession => ({
  session: viewOfSession(app).parse(session) as DescribedSession['session'],
  user: describeUser(app, user),
})

/** When a session ends however often it is renewed; null when there is no such limit. */
function absoluteEnd(app: App, session: Pick<SessionRow, 'createdAt'>): Date | null {
  const { absoluteMaxAge } = app.config.session
  return absoluteMaxAge === 0 ? null : new Date(session.createdAt.getTime() + absoluteMaxAge * 1000)
}

export function isExpired(app: App, session: Pick<SessionRow, 'createdAt' | 'expiresAt'>): boolean {
  const now = app.now()
  const end = absoluteEnd(app, session)
  return session.expiresAt <= now || (end !== null && end <= now)
}

/** Whether a session is old enough to be renewed (contract 02 §2 step 7). One that ends with the browser never is. */
export function isDue(app: App, session: SessionView): boolean {
  if (session.remembered === false) return false
  const { expiresIn, updateAge } = app.config.session
  const end = absoluteEnd(app, session)
  if (end !== null && session.expiresAt >= end) return false
  return session.expiresAt.getTime() - expiresIn * 1000 + updateAge * 1000 <= app.now().getTime()
}

/**
 * Extends a session, up to its absolute end, and hashes its token by the newest key, so that no row needs a retired secret.
 * @returns null when the session no longer exists, or a hook rejects the renewal
 */
export function renewSession<S extends SessionView>(app: App, session: S): Promise<S | null> {
  const now = app.now()
  const end = absoluteEnd(app, session)
  const slid = new Date(now.getTime() + app.config.session.expiresIn * 1000)
  const draft = {
    expiresAt: end !== null && end < slid ? end : slid,
    updatedAt: now,
    tokenHash: hashSessionToken(app, session.token),
  }
  return write(app, [{ table: 'session', action: 'update', draft, rejection: null }], async (tx, columns) => {
    const updated = await tx.db.updateTable('session').set(columns).where('id', '=', session.id).executeTakeFirst()
    if (updated.numUpdatedRows === 0n) return null
    const renewed = { ...session, ...columns }
    const { token: _, ...row } = renewed
    await written(tx, 'session', 'update', row)
    return renewed
  })
}

/**
 * Updates custom fields of a session.
 * @param given from the body; fields that are not for input are ignored
 * @returns session and user as they are now; null when nothing is to be updated
 * @throws ApiError `<field> is required`, VALIDATION_ERROR, FAILED_TO_UPDATE_SESSION; UNAUTHORIZED when the session was revoked
 */
export async function updateSession(app: App, session: SessionView, given: object): Promise<SessionAndUser | null> {
  const fields = await readFields(app.config.session.additionalFields, given, 'update')
  if (Object.keys(fields).length === 0) return null
  const draft = { ...fields, updatedAt: app.now() }
  const update = write(app, [{ table: 'session', action: 'update', draft, rejection: updateRejection }], async (tx, columns) => {
    await tx.db.updateTable('session').set(encodeLists(columns)).where('id', '=', session.id).execute()
    await discardCopies(tx, [session.userId])
    const current = await findSession(tx, session.token)
    if (!current) throw new ApiError(kernelErrors.UNAUTHORIZED)
    const { updatedAt: _, ...changed } = columns
    const target = { type: 'session', id: session.id }
    await recordEvent(tx, {
      ...{ action: 'session.updated', target, userId: session.userId },
      details: { fields: Object.keys(changed) },
    })
    await written(tx, 'session', 'update', rowOf(current.session))
    return current
  })
  return update.catch((error: unknown) => {
    if (!app.database.isUniqueViolation(error)) throw error
    throw new ApiError(errors.FAILED_TO_UPDATE_SESSION, { cause: error })
  })
}
