/** Sessions: their rows, which only this feature writes, and the cookies that carry them. Other features authenticate users. */
import { z } from 'zod'
import { cookieDefinition, writesCookies } from '../../core/cookies.ts'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import { event, type Listeners } from '../../core/events.ts'
import type { Feature } from '../../core/feature.ts'
import { anyone, freshSession, sensitiveCalls, session } from '../../core/permissions.ts'
import type { CallContext, SessionRow, SessionView, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { flag } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { fieldRequired, fieldShape } from '../custom-fields/index.ts'
import type { Config } from '../index.ts'
import { fullUser } from '../users/index.ts'
import { discardCopies } from './cache-epoch.ts'
import { fullSession } from './config.ts'
import { clearSessionCookies, presentedTokens } from './cookies.ts'
import { readCurrentSession, reissueSession } from './current-session.ts'
import { type AllRevoked, findByToken, findSessionOwner, revokeSessions, sweepSessions } from './revocation.ts'
import { errors, shownToken, updateRejection, updateSession } from './session.ts'
import type { CreatedSession, SessionDraft } from './session-creation.ts'
import type { StartedSession } from './sign-in.ts'
import { currentSession, describeSessions, listedSession, listQuery } from './strength.ts'

export { discardCopies as discardSessionCopies } from './cache-epoch.ts'
export { admitUser, challengeExisting, explainChallenges, type GivenProof } from './challenge.ts'
export { type Claim, claimSignIn, holdCurrent } from './claim.ts'
export { auditActions, checkConfig, config, configuredTables, fullSession, indexes, publicSettings, tables } from './config.ts'
export {
  clearSessionCookies,
  isRemembered,
  presentedTokens,
  readSessionCookies,
  setSessionCookies,
  writtenSessionCookie,
} from './cookies.ts'
export {
  authenticate,
  cacheCurrentSession,
  findLiveSession,
  reissueSession,
  sessionCredential,
  switchSession,
} from './current-session.ts'
export { type MatchedSession, type Matches, setRunningRevocations } from './ending.ts'
export { countMatching, type MatchCount, revokeMatching } from './matching.ts'
export { reauthenticate, refreshAuthentication } from './reauthentication.ts'
export { resumeSignIn } from './resume.ts'
export {
  type AllRevoked,
  findSessionOwner,
  hasSession,
  revokeInBatches,
  revokeSessions,
  type SessionScope,
  streamUserSessions,
} from './revocation.ts'
export { bannedUser, describeSession, errors, hashSessionToken, isExpired, lockedAccount, shownToken } from './session.ts'
export { type CreatedSession, type NewSession, newSession } from './session-creation.ts'
export {
  adoptSession,
  leaveForChallenge,
  prepareNewUser,
  prepareReplacement,
  type StartedSession,
  signIn,
} from './sign-in.ts'
export { amrOf, authenticationOf } from './strength.ts'

export const area = 'Sessions'

export const secretUses = { sessions: { table: 'session', column: 'tokenHash', noun: 'session' } } as const

export const securitySchemes: NonNullable<Feature['securitySchemes']> = (config) => ({
  apiKeyCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieDefinition(config, 'session_token').name,
    description: 'The session cookie, which sign-in sets',
  },
})

export const events = {
  /** Before the insert, in its transaction; listeners may return columns of the row. */
  'session.creating': event<{ readonly session: SessionDraft; readonly user: UserRow }, Partial<SessionDraft>>(),
  'session.created': event<CreatedSession>(),
  /** After the commit. `user`: as read before. `maxAge`: of the cookie, in seconds. */
  'session.renewed': event<{
    readonly ctx: CallContext
    readonly session: SessionView
    readonly user: UserRow
    readonly maxAge: number | undefined
    /** The token that it had before, if it has a new one. */
    readonly formerToken?: string
  }>(),
  /** After the commit, when the client of a call signed in, or got a session by another proof. Listeners may write cookies. */
  'client.signed-in': event<StartedSession & { readonly ctx: CallContext }>(),
  'sessions.revoked': event<{ readonly userId: string; readonly sessionIds: readonly string[] }>(),
  /** The same for sessions of many users, within one of the transactions that revoke them. */
  'session-batch.revoked': event<{ readonly sessions: readonly Pick<SessionRow, 'id' | 'userId'>[] }>(),
  /** All sessions are revoked, of sign-ins before a time if there is one, also when there are none. Of all users outside of a transaction. */
  'all-sessions.revoked': event<AllRevoked>(),
}

/** Every change of a user discards the cached copies of all their sessions, so that none shows what was true before. */
export const on: Listeners = {
  'user.updated': (app, { userId }) => discardCopies(app, [userId]),
  'user.deleted': (app, { userId }) => discardCopies(app, [userId]),
  'password.changed': (app, { userId }) => discardCopies(app, [userId]),
}

export const jobs = { sessions: { every: 300, run: sweepSessions } }

/** Permissions on the sessions of other users (contract 05 §1). */
export const permissions = { session: ['list', 'revoke', 'delete'] } as const

/** Any failure to read the session (contract 02 §2); signing out without one is 400. */
const failedToRead: ErrorEntry = { ...errors.FAILED_TO_GET_SESSION, status: 500 }

const succeeded = z.object({ status: z.literal(true) })
/** The configuration decides which fields there are. */
type CustomFields = z.ZodType<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>>

/**
 * With `customSession` the document of the API describes any object, because its function decides; the typed client does not know it.
 * Hidden columns are removed in both cases.
 */
function shownSession(config: Config, tables: Tables) {
  const own = z.object({ session: currentSession(config, tables), user: fullUser(tables) })
  const anyObject = (own as z.ZodType).pipe(z.looseObject({}) as unknown as z.ZodType)
  return (config.customSession ? (anyObject as unknown as typeof own) : own).nullable()
}

export const routes = {
  'GET /get-session': route({
    summary: 'Get the current session',
    description:
      'Returns the current session and its user, or null without a valid session. Renews a session older than `session.updateAge`, unless `disableRefresh` is set. With `disableCookieCache`, reads the database even if a cached copy is valid. With `disableCustomSession`, the body is that without `customSession`.',
    access: anyone(),
    usesCredential: true,
    query: z.object({ disableCookieCache: flag, disableRefresh: flag, disableCustomSession: flag }),
    returns: shownSession,
    responseHeaders: writesCookies,
    errors: [failedToRead],
    handler: async (ctx) => {
      // For HTTP/1.0 caches, as better-auth 1.7 does.
      ctx.headers.pragma = 'no-cache'
      const credential = ctx.credential()
      try {
        return credential && (await readCurrentSession(ctx, credential, ctx.query))
      } catch (error) {
        throw error instanceof ApiError ? error : new ApiError(failedToRead, { cause: error })
      }
    },
  }),
  'POST /sign-out': route({
    summary: 'Sign out',
    description: 'Revokes the current session and clears its cookies. Fails without a session token.',
    area: 'Sign-up and sign-in',
    access: anyone(),
    whileReadOnly: 'served',
    usesCredential: true,
    returns: z.object({ success: z.literal(true) }),
    responseHeaders: { ...writesCookies, 'clear-site-data': 'As `session.clearSiteData` says' },
    errors: [errors.FAILED_TO_GET_SESSION],
    handler: async (ctx) => {
      clearSessionCookies(ctx)
      const { clearSiteData } = ctx.config.session
      if (clearSiteData.length > 0) ctx.headers['clear-site-data'] = clearSiteData.map((type) => `"${type}"`).join(', ')
      const tokens = presentedTokens(ctx)
      if (tokens.length === 0) throw new ApiError(errors.FAILED_TO_GET_SESSION)
      for (const token of tokens) {
        // A session that no longer exists counts as signed out.
        const session = await findByToken(ctx, token)
        if (session) await revokeSessions(ctx, { session }, { recordedAs: 'user.signed-out' })
      }
      return { success: true as const }
    },
  }),
  'GET /list-sessions': route({
    summary: 'List sessions',
    description:
      'Returns the active sessions of the current user. `token` is a handle that `/revoke-session` accepts; only the current session has its real token.',
    access: session(),
    query: listQuery,
    returns: (config: Config, tables: Tables) => z.array(listedSession(config, tables)),
    handler: (ctx) => describeSessions(ctx, ctx.session, ctx.query.authentication === 'true'),
  }),
  'POST /update-session': route({
    summary: 'Update custom session fields',
    description:
      'Updates fields of `session.additionalFields` in the current session. Returns the updated session. Fails when a value is invalid or a field cannot be updated.',
    access: session(),
    rejectsApiKeys: true,
    whileImpersonating: 'allowed',
    body: ({ session }: Config): CustomFields => z.object(fieldShape(session.additionalFields)),
    returns: (_config: Config, tables: Tables) => z.object({ session: fullSession(tables) }),
    errors: [errors.FAILED_TO_UPDATE_SESSION, updateRejection, fieldRequired('<field>')],
    handler: async (ctx) => {
      const current = await updateSession(ctx, ctx.session, ctx.body)
      if (current) await reissueSession(ctx, current.session)
      const session = current?.session ?? ctx.session
      return { session: { ...session, token: shownToken(ctx, session) } }
    },
  }),
  'POST /revoke-session': route({
    summary: 'Revoke a session',
    description:
      'Revokes one session of the current user. Fails when the session does not exist or belongs to another user, unless `session.quietRevocation` is on.',
    access: freshSession(sensitiveCalls),
    whileReadOnly: 'served',
    sensitive: true,
    body: z.object({ token: z.string().describe('The session token, or the handle that `/list-sessions` returns') }),
    returns: succeeded,
    errors: [errors.SESSION_NOT_FOUND],
    handler: async (ctx) => {
      const { quietRevocation } = ctx.config.session
      const session = await findSessionOwner(ctx, ctx.body.token)
      const isOwn = session?.userId === ctx.user.id
      if (session && !isOwn && !quietRevocation) throw new ApiError(kernelErrors.UNAUTHORIZED)
      const isRevoked = session && isOwn && (await revokeSessions(ctx, { session })) > 0
      if (!isRevoked && !quietRevocation) throw new ApiError(errors.SESSION_NOT_FOUND)
      return { status: true as const }
    },
  }),
  'POST /revoke-sessions': route({
    summary: 'Revoke all sessions',
    description: 'Revokes all sessions of the current user, including the current one.',
    access: freshSession(sensitiveCalls),
    whileReadOnly: 'served',
    sensitive: true,
    returns: succeeded,
    handler: async (ctx) => {
      await revokeSessions(ctx, { userId: ctx.user.id })
      return { status: true as const }
    },
  }),
  'POST /revoke-other-sessions': route({
    summary: 'Revoke all other sessions',
    description: 'Revokes all sessions of the current user except the current one.',
    access: freshSession(sensitiveCalls),
    whileReadOnly: 'served',
    sensitive: true,
    returns: succeeded,
    handler: async (ctx) => {
      await revokeSessions(ctx, { userId: ctx.user.id, exceptId: ctx.session.id })
      return { status: true as const }
    },
  }),
}
