import type { App } from '../../core/app.ts'
import type { CookieJar } from '../../core/cookie-jar.ts'
import { afterCreate, beforeCreate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import { defaultFields, encodeLists } from '../../core/field-values.ts'
import { createId } from '../../core/ids.ts'
import type { CurrentSession, IncomingRequest, SessionRow, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
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
  const refused = { ...errors.FAILED_TO_CREATE_SESSION, status: refusal }
  if (!session) throw new ApiError(refused)
  await insertSession(ctx, session, user).catch((error: unknown) => {
    // A field of the configuration may be unique.
    throw ctx.database.isUniqueViolation(error) ? new ApiError(refused, { cause: error }) : error
  })
  await afterCreate(ctx, 'session', session)
  setSessionCookies(ctx, ctx.cookies, token, remember ? lifetime : undefined)
  await cacheSessionAnew(ctx, ctx.request, ctx.cookies, token)
  return { ...session, token }
}

const insertSession = (ctx: App, session: SessionRow, user: UserRow): Promise<void> =>
  transaction(ctx, async (app) => {
    await app.db.insertInto('session').values(encodeLists(session)).execute()
    await emit(app, 'session.created', { session, user })
  })
