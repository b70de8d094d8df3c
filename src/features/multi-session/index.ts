/** Several sessions in one browser, of different users, one of which is the current one (contract 06 §12). */
import { z } from 'zod'
import { section } from '../../core/config.ts'
import { writesCookies } from '../../core/cookies.ts'
import { ApiError, defineErrors } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { settings } from '../../core/feature.ts'
import { anyone, session } from '../../core/permissions.ts'
import type { CallContext, SessionAndUser, SessionView } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import type { Tables } from '../../core/table.ts'
import type { Config } from '../index.ts'
import {
  challengeExisting,
  clearSessionCookies,
  fullSession,
  presentedTokens,
  revokeSessions,
  type StartedSession,
  shownToken,
  switchSession,
} from '../sessions/index.ts'
import { fullUser } from '../users/index.ts'
import { findDeviceSessions, keepToken, mostSessions, readDeviceTokens, removeToken } from './device-sessions.ts'

export const area = 'Multiple sessions'

export const plugin = 'multi-session'

export const config = {
  multiSession: section('Several accounts in one browser, between which users switch', {
    maximumSessions: z
      .int()
      .min(1)
      .max(mostSessions)
      .default(5)
      .describe(`Maximum number of accounts in one browser; at most ${mostSessions}`),
  }),
}

export const enabled = ({ multiSession }: Config): boolean => multiSession.enabled

export const publicSettings = settings(
  { multiSession: z.object({ maximumSessions: z.int() }).nullable() },
  ({ multiSession }) => ({ multiSession: multiSession.enabled ? { maximumSessions: multiSession.maximumSessions } : null }),
)

export const errors = defineErrors({ INVALID_SESSION_TOKEN: [401, 'Invalid session token'] })

const secondsLeft = (ctx: CallContext, { expiresAt, remembered = true }: SessionView): number | undefined =>
  remembered ? (expiresAt.getTime() - ctx.now().getTime()) / 1000 : undefined

/**
 * Keeps a session that is not current any more, if there is room for its cookie. Without one nothing could return to it, so that it
 * is revoked, unless the configuration keeps former sessions.
 */
async function leaveSession(ctx: CallContext, { session }: SessionAndUser, stored: readonly string[]): Promise<void> {
  if (stored.includes(session.token)) return
  if (stored.length < ctx.config.multiSession.maximumSessions) keepToken(ctx, session.token, secondsLeft(ctx, session))
  else if (ctx.config.session.revokePreviousOnSignIn) await revokeSessions(ctx, { session }, { reason: 'browser-limit' })
}

/** After a sign-in: a cookie for the new session, which replaces other sessions that the browser has of the same user. */
async function keepNewSession(ctx: CallContext, { current, maxAge }: StartedSession): Promise<void> {
  const known = readDeviceTokens(ctx)
  const others = (await findDeviceSessions(ctx)).filter(({ session }) => session.id !== current.session.id)
  const [replaced, kept] = partition(others, ({ user }) => user.id === current.user.id)
  for (const { session } of replaced) {
    if (ctx.config.session.revokePreviousOnSignIn) await revokeSessions(ctx, { session }, { reason: 'replaced' })
    if (known.includes(session.token)) removeToken(ctx, session.token)
  }
  const stored = kept.map(({ session }) => session.token).filter((token) => known.includes(token))
  if (stored.length < ctx.config.multiSession.maximumSessions) {
    keepToken(ctx, current.session.token, maxAge)
    stored.push(current.session.token)
  }
  for (const other of kept) await leaveSession(ctx, other, stored)
}

const partition = <T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] => [
  values.filter(test),
  values.filter((value) => !test(value)),
]

export const on: Listeners = {
  'client.signed-in': (_, { ctx, ...started }) => keepNewSession(ctx, started),
  'session.renewed': (_, { ctx, session, maxAge, formerToken }) => {
    if (!readDeviceTokens(ctx).includes(formerToken ?? session.token)) return
    if (formerToken !== undefined) removeToken(ctx, formerToken)
    keepToken(ctx, session.token, maxAge)
  },
}

/** Signing out ends all sessions of the browser, also when the current one has ended already. */
export const before = {
  'POST /sign-out': async (ctx: CallContext) => {
    const sessions = await findDeviceSessions(ctx)
    for (const token of readDeviceTokens(ctx)) removeToken(ctx, token)
    const presented = presentedTokens(ctx)
    // The current one is left to the call itself.
    for (const { session } of sessions)
      if (!presented.includes(session.token)) await revokeSessions(ctx, { session }, { recordedAs: 'user.signed-out' })
  },
}

const isNamed = (given: string, { id, token }: SessionView): boolean => given === token || given === id

const sessionToken = z
  .string()
  .max(100)
  .describe('The token or the ID of a session of this browser, as `/multi-session/list-device-sessions` returns them')

const show = (ctx: CallContext, { session, user }: SessionAndUser) => ({
  session: { ...session, token: shownToken(ctx, session) },
  user,
})

const shown = (_config: Config, tables: Tables) => z.object({ session: fullSession(tables), user: fullUser(tables) })

export const routes = {
  'GET /multi-session/list-device-sessions': route({
    summary: 'List the sessions of this browser',
    description:
      'Returns the active sessions that this browser has, with their users: one of each user, the current one first. Clears the cookies of sessions that ended.',
    access: anyone(),
    usesCredential: true,
    responseHeaders: writesCookies,
    returns: (config: Config, tables: Tables) => z.array(shown(config, tables)),
    handler: async (ctx) => {
      // A valid session counts for itself, and not for the IP address.
      await ctx.identify({ refresh: false })
      const byUser = new Map<string, SessionAndUser>()
      for (const found of await findDeviceSessions(ctx)) if (!byUser.has(found.user.id)) byUser.set(found.user.id, found)
      return [...byUser.values()].map((found) => show(ctx, found))
    },
  }),
  'POST /multi-session/set-active': route({
    summary: 'Switch to another session',
    description:
      'Makes another session of this browser the current one, and returns it. Fails when the browser has no such session, or it ended. Not allowed during an impersonation.',
    signsIn: ['existing-session'],
    access: session(),
    sensitive: true,
    body: z.object({ sessionToken }),
    returns: shown,
    errors: [errors.INVALID_SESSION_TOKEN],
    handler: async (ctx) => {
      const target = (await findDeviceSessions(ctx)).find(({ session }) => isNamed(ctx.body.sessionToken, session))
      if (!target) throw new ApiError(errors.INVALID_SESSION_TOKEN)
      await challengeExisting(ctx, target, 'multi-session')
      if (target.session.id !== ctx.session.id) await leaveSession(ctx, ctx, readDeviceTokens(ctx))
      await switchSession(ctx, target.session)
      return show(ctx, target)
    },
  }),
  'POST /multi-session/revoke': route({
    summary: 'Sign out of one session',
    description:
      'Revokes one session of this browser. If it is the current one, the next session becomes the current one; if there is none, the cookies are cleared. Fails when the browser has no such session. Not allowed during an impersonation.',
    signsIn: ['existing-session'],
    access: session(),
    whileReadOnly: 'served',
    sensitive: true,
    body: z.object({ sessionToken }),
    returns: z.object({ status: z.literal(true) }),
    errors: [errors.INVALID_SESSION_TOKEN],
    handler: async (ctx) => {
      const given = ctx.body.sessionToken
      const sessions = await findDeviceSessions(ctx)
      const target = sessions.find(({ session }) => isNamed(given, session))
      // Of a session that ended, the cookie is cleared by now, and there is nothing left to do.
      if (!target && !readDeviceTokens(ctx).includes(given)) throw new ApiError(errors.INVALID_SESSION_TOKEN)
      if (!target) return { status: true as const }
      await revokeSessions(ctx, { session: target.session }, { recordedAs: 'user.signed-out' })
      removeToken(ctx, target.session.token)
      if (target.session.id === ctx.session.id) await switchToNext(ctx, sessions)
      return { status: true as const }
    },
  }),
}

/** Makes the next session of this browser the current one, after the current one was revoked. */
async function switchToNext(ctx: CallContext & SessionAndUser, sessions: readonly SessionAndUser[]): Promise<void> {
  const next = sessions.find(({ session }) => session.id !== ctx.session.id)
  // Until the next one is switched to: a challenge may come first.
  clearSessionCookies(ctx)
  if (!next) return
  await challengeExisting(ctx, next, 'multi-session')
  await switchSession(ctx, next.session)
}
