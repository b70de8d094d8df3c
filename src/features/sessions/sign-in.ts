/** Signing in: the client of a call gets a new session, or one that exists, in place of the session that it had before. */
import { type App, isUnavailable } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { CallContext, SessionAndUser, SessionRow, SessionView, UserRow } from '../../core/request.ts'
import type { Proof } from '../../core/sign-in.ts'
import { afterCommit } from '../../core/transaction.ts'
import { userAgentOf } from '../../lib/device.ts'
import { encodeLists } from '../custom-fields/index.ts'
import { findUserById, holdUser } from '../users/index.ts'
import { challengeExisting, demandChallenge, type GivenProof, mayChallenge, proofOf } from './challenge.ts'
import {
  clearRememberMark,
  clearSessionCookies,
  isRemembered,
  markForgotten,
  presentedTokens,
  setSessionCookies,
} from './cookies.ts'
import { cacheCurrentSession, remainingSeconds } from './current-session.ts'
import { revokeSessions } from './revocation.ts'
import { errors, findSession, isExpired } from './session.ts'
import { type NewSession, newSession, type SessionDraft, type SessionOptions, writeSession } from './session-creation.ts'

/** Lifetime in seconds of a session that ends with the browser (contract 00 §9). */
const browserSessionLife = 86_400

type PreparedOptions = Pick<SessionOptions, 'columns' | 'rejectionStatus'>

interface SignInOptions extends PreparedOptions {
  /**
   * Reads the user and their proof again, with the user locked: their sign-in methods have changed since they were read.
   * @returns null when the change ends the proof
   */
  readonly recheck?: (tx: App) => Promise<UserRow | null>
}

/**
 * Signs a user in: creates a session for the client of this call, and writes its cookies, unless a feature demands more. The session
 * that the same client had before is revoked (ASVS 7.2.4). A change of another sign-in method in the meantime is not a reason to fail:
 * otherwise a thief of a session could keep the owner out by one change after the other. So it is tried once more, with the user locked.
 * @param user as read before they authenticated
 * @throws EndOfCall with the challenge of a feature; ApiError FAILED_TO_CREATE_SESSION
 */
export async function signIn(
  ctx: CallContext,
  user: UserRow,
  given: GivenProof,
  { recheck, ...options }: SignInOptions = {},
): Promise<SessionView> {
  // For the audit log, when the session is rejected.
  ctx.subject.userId = user.id
  const proof = await demandChallenge(ctx, user, proofOf(given))
  try {
    const { session, finish } = await prepareSession(ctx, user.id, proof, options)
    return await finish(await writeSession(ctx, session, user))
  } catch (error) {
    const isRejected = error instanceof ApiError && error.entry.code === errors.FAILED_TO_CREATE_SESSION.code
    const changed = isRejected ? await findUserById(ctx, user.id) : null
    if (!recheck || !changed || changed.accessRevision === user.accessRevision) throw error
    // The change may be a second factor, which is demanded from now on.
    const current = await demandChallenge(ctx, changed, proofOf(given))
    const { session, finish } = await prepareSession(ctx, user.id, current, options)
    const readLocked = async (tx: App) => {
      await holdUser(tx, { id: user.id })
      const read = await recheck(tx)
      const isDemanded = mayChallenge(ctx, current) && read?.accessRevision !== changed.accessRevision
      if (read?.id !== user.id || isDemanded) throw error
      return read
    }
    return finish(await writeSession(ctx, session, readLocked))
  }
}

/**
 * The client of a call gets a challenge in place of a session. A session of the same user stays until the answer; that of another user
 * ends as at sign-in.
 * @param remember whether the session will outlive the browser
 * @returns the id of the session that stays; null: the client has none
 */
export async function leaveForChallenge(ctx: CallContext, userId: string, remember: boolean): Promise<string | null> {
  const former = await findFormerSession(ctx)
  const isOwn = former?.user.id === userId && !isExpired(ctx, former.session) && !former.session.impersonatedBy
  if (isOwn) return former.session.id
  if (former && replaces(ctx, userId, former)) await revokeSessions(ctx, { ids: [former.session.id] }, { reason: 'replaced' })
  await afterCommit(ctx, async () => {
    clearSessionCookies(ctx)
    if (!remember) markForgotten(ctx)
  })
  return null
}

/** A session to be written together with other rows: `finish` it after the commit. */
export interface PreparedSession {
  readonly session: NewSession
  /** Writes the cookies, and settles the sign-in. */
  readonly finish: (created: SessionAndUser) => Promise<SessionView>
}

/**
 * The session of a user who is created in the same transaction, so that a failed sign-up leaves no user behind.
 * @returns null when a feature may challenge new users: create the user, and then call `signIn` with the same proof
 */
export const prepareNewUser = async (
  ctx: CallContext,
  userId: string,
  proof: GivenProof & { readonly kind: 'new-user' },
  options: PreparedOptions,
): Promise<PreparedSession | null> => (mayChallenge(ctx, proof) ? null : prepareSession(ctx, userId, proofOf(proof), options))

/**
 * A session in place of the current one, such as after a change of the password. A challenge comes before the change: nothing is
 * written, and the client repeats its call after the answer.
 * @throws EndOfCall
 */
export async function prepareReplacement(
  ctx: CallContext & SessionAndUser,
  given: GivenProof,
  { columns, ...options }: PreparedOptions = {},
): Promise<PreparedSession> {
  const remember = isRemembered(ctx, ctx.session)
  const proof = await demandChallenge(ctx, ctx.user, proofOf({ ...given, kind: 'replaced-session', remember }))
  return prepareSession(ctx, ctx.user.id, proof, { ...options, columns: { ...keptColumns(ctx.session), ...columns } })
}

/** It is the same sign-in: what it has proven, and what features have added. */
function keptColumns(session: SessionView): Partial<SessionDraft> {
  const { id, token, userId, expiresAt, createdAt, updatedAt, ipAddress, userAgent, remembered, impersonatedBy, ...kept } =
    session
  const { tokenHash: _, ...columns } = kept as Partial<SessionRow>
  return encodeLists({ ...columns, authenticatedAt: session.authenticatedAt ?? createdAt })
}

const prepareSession = async (
  ctx: CallContext,
  userId: string,
  proof: Proof,
  options: PreparedOptions = {},
): Promise<PreparedSession> => sessionFor(ctx, userId, proof, await findFormerSession(ctx), options)

/** The same, without a query. @param ctx outside a transaction */
export function sessionFor(
  ctx: CallContext,
  userId: string,
  proof: Proof,
  former: FormerSession | null,
  options: PreparedOptions = {},
): PreparedSession {
  const { kind, remember, attempt } = proof
  const expiresIn = remember ? ctx.config.session.expiresIn : browserSessionLife
  const session = newSession(ctx, userId, {
    ...options,
    proof,
    expiresIn,
    remembered: remember,
    replacing: former && replaces(ctx, userId, former) ? former.session : undefined,
    ipAddress: ctx.request.address(),
    userAgent: userAgentOf(ctx.request),
  })
  const finish = async (created: SessionAndUser) => {
    const path = kind === 'replaced-session' ? null : (proof.path ?? ctx.request.path)
    await startSession(ctx, { current: created, maxAge: remember ? expiresIn : undefined, former, attempt, path })
    return created.session
  }
  return { session, finish }
}

/**
 * Gives the client of this call a session that exists already, such as that of another browser. The session that the client had
 * before is revoked as at sign-in.
 * @throws EndOfCall
 */
export async function adoptSession(ctx: CallContext, current: SessionAndUser, method: string): Promise<void> {
  await challengeExisting(ctx, current, method)
  await adopt(ctx, current)
}

/** The same, after a challenge. */
export async function adopt(ctx: CallContext, current: SessionAndUser): Promise<void> {
  const presented = await findFormerSession(ctx)
  const former = presented?.session.id === current.session.id ? null : presented
  if (former && replaces(ctx, current.user.id, former))
    await revokeSessions(ctx, { ids: [former.session.id] }, { reason: 'replaced' })
  const kept = { maxAge: remainingSeconds(ctx, current.session), attempt: undefined, path: null }
  await startSession(ctx, { current, former, ...kept })
}

type FormerSession = SessionAndUser & { readonly session: SessionRow }

/** The session that the client of this call presents; it may have expired. Of several, a valid one. */
export async function findFormerSession(ctx: CallContext): Promise<FormerSession | null> {
  let former: FormerSession | null = null
  for (const token of presentedTokens(ctx)) {
    former = (await findSession(ctx, token)) ?? former
    if (former && !isExpired(ctx, former.session)) break
  }
  return former
}

/** Whether a sign-in revokes the former session. A browser with several sessions keeps one of each user, but no impersonation. */
function replaces({ config }: App, userId: string, { session, user }: FormerSession): boolean {
  if (!config.session.revokePreviousOnSignIn) return false
  return !config.multiSession.enabled || user.id === userId || Boolean(session.impersonatedBy)
}

/** What happened when the client of a call got a session. */
export interface StartedSession {
  readonly current: SessionAndUser
  /** Of the cookie, in seconds; undefined: it ends with the browser. */
  readonly maxAge: number | undefined
  /** The session that the client presented, if it was valid; it may be revoked by now. */
  readonly former: SessionAndUser | null
  /** The attempt by which a secret was proven, to be settled. */
  readonly attempt: Proof['attempt']
  /** The path of the call that has proven the first factor, also when a challenge followed; null: the session is not a new sign-in. */
  readonly path: string | null
}

async function startSession(ctx: CallContext, { former, ...started }: StartedSession): Promise<void> {
  const { current, maxAge } = started
  if (maxAge !== undefined) clearRememberMark(ctx)
  setSessionCookies(ctx, current.session.token, maxAge)
  const left = former && !isExpired(ctx, former.session) ? former : null
  await unlessOutage(ctx, 'A new session has no cached copy', () => cacheCurrentSession(ctx, current.session))
  await unlessOutage(ctx, 'What follows a sign-in was left out', async () => {
    await emit(ctx, 'client.signed-in', { ctx, ...started, former: left })
  })
}

/** The session is committed, so work that an outage prevents must not fail the call. */
async function unlessOutage(ctx: CallContext, warning: string, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!isUnavailable(ctx, error)) throw error
    ctx.log.warn({ err: error }, `${warning}: the database became unavailable`)
  })
}
