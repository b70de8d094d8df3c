/** Another proof by the user of a session, in place: the session stays, and gets a new token. */
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { CallContext, SessionAndUser, SessionView } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { discardCopies } from './cache-epoch.ts'
import { isRemembered, setSessionCookies } from './cookies.ts'
import { cacheCurrentSession, remainingSeconds } from './current-session.ts'
import { hashSessionToken, sessionHashes } from './session.ts'
import type { SessionDraft } from './session-creation.ts'

/**
 * Notes that the user of the session of a call has just proven themselves again by what it began with: it becomes fresh, and nothing else
 * changes.
 * @param work what belongs to it, in the same transaction
 * @throws ApiError UNAUTHORIZED when the session has ended
 */
export async function refreshAuthentication(
  ctx: CallContext,
  session: SessionView,
  work: (tx: App) => Promise<void>,
): Promise<void> {
  const { maxAge, idle } = ctx.config.session.strong
  // The strength of such a session ends by this time, which a weaker proof must not move.
  const isBound = session.acr != null && session.factorProvenAt == null && maxAge + idle > 0
  await transaction(ctx, async (tx) => {
    await work(tx)
    if (isBound) return
    const updating = tx.db.updateTable('session').set({ authenticatedAt: ctx.now() }).where('id', '=', session.id)
    if ((await updating.executeTakeFirst()).numUpdatedRows === 0n) throw new ApiError(kernelErrors.UNAUTHORIZED)
    await discardCopies(tx, [session.userId])
  })
  await cacheCurrentSession(ctx, session)
}

/**
 * Notes that the user of the session of a call has just proven themselves, and replaces the token of the session (ASVS 7.2.4): a copy of
 * the former one does not become stronger.
 * @param columns what the proof changes
 * @param work what belongs to it, in the same transaction, such as the use of a code
 * @throws ApiError UNAUTHORIZED when the session has ended, or another request has replaced its token
 */
export async function reauthenticate(
  ctx: CallContext,
  { session, user }: SessionAndUser,
  columns: Partial<SessionDraft>,
  work: (tx: App) => Promise<void>,
): Promise<SessionView> {
  const token = ctx.random.token(32)
  const proven = { ...columns, authenticatedAt: ctx.now() }
  await transaction(ctx, async (tx) => {
    await work(tx)
    const updated = await tx.db
      .updateTable('session')
      .set({ ...proven, tokenHash: hashSessionToken(tx, token) })
      .where('id', '=', session.id)
      .where('tokenHash', 'in', sessionHashes(tx, session.token))
      .executeTakeFirst()
    if (updated.numUpdatedRows === 0n) throw new ApiError(kernelErrors.UNAUTHORIZED)
    await discardCopies(tx, [session.userId])
  })
  const current = { ...session, ...proven, token } as SessionView
  const maxAge = isRemembered(ctx, session) ? remainingSeconds(ctx, session) : undefined
  await emit(ctx, 'session.renewed', { ctx, session: current, user, maxAge, formerToken: session.token })
  setSessionCookies(ctx, token, maxAge)
  await cacheCurrentSession(ctx, current)
  return current
}
