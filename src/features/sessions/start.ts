import type { App } from '../../core/app.ts'
import type { CookieJar } from '../../core/cookie-jar.ts'
import { afterCreate, beforeCreate } from '../../core/database-hooks.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import { defaultFields, encodeLists } from '../../core/field-values.ts'
import { createId } from '../../core/ids.ts'
import type { CurrentSession, IncomingRequest, SessionRow, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { findUserById } from '../users/index.ts'
import { setSessionCookies } from './cookies.ts'
import { errors } from './errors.ts'
import { cacheSessionAnew } from './session-data.ts'
import { hashSessionToken } from './sessions.ts'

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
 * @param user as he was when he began to prove who he is
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
    ...defaultFields(ctx.config.session.additionalFields),
    id: createId(ctx, 'session'),
    tokenHash: hashSessionToken(ctx, token),
    userId: user.id,
    expiresAt: new Date(now.getTime() + lifetime * 1000),
    createdAt: now,
    updatedAt: now,
    authenticatedAt: now,
    ipAddress: ctx.request.address(),
    userAgent: (ctx.request.header('user-agent') ?? '').slice(0, 1000),
  }
  const session = await beforeCreate(ctx, 'session', drafted)
  const refused: ErrorEntry = { ...errors.FAILED_TO_CREATE_SESSION, status: refusal }
  if (!session) throw new ApiError(refused)
  await transaction(ctx, async (app) => {
    await insertSession(app, session, user, refused)
    await emit(app, 'session.created', { session, user })
  })
  await afterCreate(ctx, 'session', session)
  setSessionCookies(ctx, ctx.cookies, token, remember ? lifetime : undefined)
  await cacheSessionAnew(ctx, ctx.request, ctx.cookies, token)
  return { ...session, token }
}

/**
 * @throws ApiError `refused` when the user has gone, or signs in by other ways, since he proved who he is; also when a unique
 * field of the configuration holds its value already
 */
async function insertSession(app: App, session: SessionRow, user: UserRow, refused: ErrorEntry): Promise<void> {
  try {
    await app.db.insertInto('session').values(encodeLists(session)).execute()
  } catch (error) {
    if (app.database.isUniqueViolation(error)) throw new ApiError(refused, { cause: error })
    throw (await findUserById(app, user.id)) ? error : new ApiError(refused, { cause: error })
  }
  // Asked after the insert, which waits for whoever holds the user: proving a password takes long, and meanwhile it may have
  // been replaced, and all sessions ended.
  const present = await findUserById(app, user.id)
  if (present?.accessRevision !== user.accessRevision) throw new ApiError(refused)
}
