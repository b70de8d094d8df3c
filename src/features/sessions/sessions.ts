import type { App } from '../../core/app.ts'
import { afterUpdate, beforeUpdate } from '../../core/database-hooks.ts'
import type { CurrentIdentity, CurrentSession, SessionRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'

const purpose = 'session'

/** What stands in the row in place of the token, by the newest key. */
export const hashSessionToken = (app: App, token: string): string => app.keyring.hash(purpose, token)

const findByHash = statement({ session: 'session', user: 'user' }, (db, { hashes }: { hashes: readonly string[] }) =>
  db.selectFrom('session').innerJoin('user', 'user.id', 'session.userId').where('session.tokenHash', 'in', hashes),
)

/** Session and user of a token, also of an expired one; null when there is no such row. */
export async function findSession(app: App, token: string): Promise<CurrentIdentity | null> {
  const [found] = await findByHash(app, { hashes: sessionHashes(app, token) })
  return found ? { session: { ...found.session, token }, user: found.user } : null
}

/** Under which hashes the row of this token may stand, newest key first. */
export const sessionHashes = (app: App, token: string): readonly string[] => app.keyring.hashes(purpose, token)

/** Removes a row whose time is over; nobody has to be told, since every copy of it has the same end. */
export async function deleteExpiredSession(app: App, session: SessionRow): Promise<void> {
  await app.db.deleteFrom('session').where('id', '=', session.id).execute()
}

/**
 * The sessions of a user that go on, oldest first. Nobody but their owner may be shown a token, and he only the one that he
 * has just sent; in its place stands the handle, which opens nothing.
 * @param current whose token is known
 */
export async function listSessions(app: App, current: CurrentSession): Promise<CurrentSession[]> {
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

/** What stands for the token in an answer: the cookie has it already, and a script need not see it. */
export const shownToken = (app: App, { id, token }: CurrentSession): string => (app.config.session.exposeToken ? token : id)

/** When a session must end whatever happens; null when there is no such limit. */
function absoluteEnd(app: App, session: Pick<SessionRow, 'createdAt'>): Date | null {
  const { absoluteMaxAge } = app.config.session
  return absoluteMaxAge === 0 ? null : new Date(session.createdAt.getTime() + absoluteMaxAge * 1000)
}

export function isExpired(app: App, session: Pick<SessionRow, 'createdAt' | 'expiresAt'>): boolean {
  const now = app.now()
  const end = absoluteEnd(app, session)
  return session.expiresAt <= now || (end !== null && end <= now)
}

/** Whether a session is old enough to be renewed (contract 02 §2 step 7). */
export function isDue(app: App, session: SessionRow): boolean {
  const { expiresIn, updateAge } = app.config.session
  const end = absoluteEnd(app, session)
  if (end !== null && session.expiresAt >= end) return false
  return session.expiresAt.getTime() - expiresIn * 1000 + updateAge * 1000 <= app.now().getTime()
}

/**
 * Extends a session, up to its absolute end, and names it by the newest key, so that a retired secret loses its last rows.
 * @returns null when the session has gone meanwhile, or a hook refuses
 */
export async function renewSession(app: App, session: CurrentSession): Promise<CurrentSession | null> {
  const now = app.now()
  const end = absoluteEnd(app, session)
  const slid = new Date(now.getTime() + app.config.session.expiresIn * 1000)
  const renewed = {
    expiresAt: end !== null && end < slid ? end : slid,
    updatedAt: now,
    tokenHash: hashSessionToken(app, session.token),
  }
  const columns = await beforeUpdate(app, 'session', renewed)
  if (!columns) return null
  const updated = await app.db.updateTable('session').set(columns).where('id', '=', session.id).executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return null
  const { token, ...row } = { ...session, ...columns }
  await afterUpdate(app, 'session', row)
  return { ...row, token }
}
