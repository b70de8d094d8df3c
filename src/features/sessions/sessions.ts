import type { App } from '../../core/app.ts'
import { afterCreate, beforeCreate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { CookieJar } from '../../core/cookie-jar.ts'
import type { CurrentIdentity, CurrentSession, IncomingRequest, SessionRow, UserRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { setSessionCookies } from './cookies.ts'
import { errors } from './errors.ts'

const purpose = 'session'

/** Seconds that a session lives which the browser forgets when it closes (contract 00 §9). */
const unrememberedLife = 86_400

interface StartOptions {
  readonly remember?: boolean
  readonly refusal?: 400 | 401
}

interface Start extends App {
  readonly request: IncomingRequest
  readonly cookies: CookieJar
}

/**
 * Signs a user in: a row, then its cookies. A fresh token each time, so that none can be fixed beforehand (ASVS 7.2.4).
 * @param options.remember false for a session that ends with the browser, after a day at most
 * @param options.refusal status of the answer when a hook refuses: 401, and 400 while signing up
 * @throws ApiError FAILED_TO_CREATE_SESSION
 */
export async function startSession(ctx: Start, user: UserRow, options: StartOptions = {}): Promise<CurrentSession> {
  const { remember = true, refusal = 401 } = options
  const now = ctx.now()
  const lifetime = remember ? ctx.config.session.expiresIn : unrememberedLife
  const token = ctx.random.token(32)
  const drafted: SessionRow = {
    id: ctx.random.id(),
    tokenHash: ctx.keyring.hash(purpose, token),
    userId: user.id,
    expiresAt: new Date(now.getTime() + lifetime * 1000),
    createdAt: now,
    updatedAt: now,
    authenticatedAt: now,
    ipAddress: ctx.request.address(),
    userAgent: (ctx.request.header('user-agent') ?? '').slice(0, 1000),
  }
  const session = await beforeCreate(ctx, 'session', drafted)
  if (!session) throw new ApiError({ ...errors.FAILED_TO_CREATE_SESSION, status: refusal })
  await transaction(ctx, async (app) => {
    await app.db.insertInto('session').values(session).execute()
    await emit(app, 'session.created', { session, user })
  })
  await afterCreate(ctx, 'session', session)
  setSessionCookies(ctx, ctx.cookies, token, remember ? lifetime : undefined)
  return { ...session, token }
}

const findByHash = statement({ session: 'session', user: 'user' }, (db, { hashes }: { hashes: readonly string[] }) =>
  db.selectFrom('session').innerJoin('user', 'user.id', 'session.userId').where('session.tokenHash', 'in', hashes),
)

/** Session and user of a token, also of an expired one; null when there is no such row. */
export async function findSession(app: App, token: string): Promise<CurrentIdentity | null> {
  const [found] = await findByHash(app, { hashes: app.keyring.hashes(purpose, token) })
  return found ? { session: { ...found.session, token }, user: found.user } : null
}

/** Ends the session of a token. An unknown token is no failure: it is as ended as can be. */
export async function deleteSession(app: App, token: string): Promise<void> {
  await app.db.deleteFrom('session').where('tokenHash', 'in', app.keyring.hashes(purpose, token)).execute()
}

/** When a session must end whatever happens; null when there is no such limit. */
export function absoluteEnd(app: App, session: SessionRow): Date | null {
  const { absoluteMaxAge } = app.config.session
  return absoluteMaxAge === 0 ? null : new Date(session.createdAt.getTime() + absoluteMaxAge * 1000)
}

export function isExpired(app: App, session: SessionRow): boolean {
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
 * @returns null when the session has gone meanwhile
 */
export async function renewSession(app: App, session: CurrentSession): Promise<CurrentSession | null> {
  const now = app.now()
  const end = absoluteEnd(app, session)
  const slid = new Date(now.getTime() + app.config.session.expiresIn * 1000)
  const renewed = { expiresAt: end !== null && end < slid ? end : slid, updatedAt: now, tokenHash: app.keyring.hash(purpose, session.token) }
  const updated = await app.db.updateTable('session').set(renewed).where('id', '=', session.id).executeTakeFirst()
  return updated.numUpdatedRows > 0n ? { ...session, ...renewed } : null
}
