/**
 * Signing in by a proof that works once: it is used in the transaction that writes the session or the challenge (contract 11 §3, 12 §4,
 * 13 §2).
 */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { EndOfCall } from '../../core/reply.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import type { Proof } from '../../core/sign-in.ts'
import { transaction } from '../../core/transaction.ts'
import { runBeforeHooks } from '../../core/write.ts'
import { findUserById, holdUser } from '../users/index.ts'
import { admitUser, demandChallenge, type GivenProof, mayChallenge, proofOf } from './challenge.ts'
import type { SessionDraft } from './session-creation.ts'
import { findFormerSession, type PreparedSession, sessionFor } from './sign-in.ts'

/**
 * Locks a user, and then uses what proves them, in a transaction that may be undone or repeated.
 * @returns the user as they are now
 * @throws ApiError when it was used already, or proves nothing any more; nothing is written then
 */
export type Claim = (tx: App) => Promise<UserRow>

/**
 * Locks a user for a claim. First, because every write for a user locks the user's row before any other row.
 * @returns the user as they are now; null when they were deleted
 */
export async function holdCurrent(tx: App, user: UserRow): Promise<UserRow | null> {
  if (await holdUser(tx, user)) return user
  return (await holdUser(tx, { id: user.id })) ? findUserById(tx, user.id) : null
}

/**
 * What features decide about a user, in the transaction of the claim. Their challenge or rejection is returned and not thrown, so that the
 * transaction is committed: the claimed proof stays used, and the challenge goes on with it.
 */
export async function decide(ctx: CallContext, user: UserRow, given: Proof): Promise<Proof | EndOfCall | ApiError> {
  try {
    if (mayChallenge(ctx, given)) return await demandChallenge(ctx, user, given)
    if (given.kind !== 'existing-session') await admitUser(ctx, user, given)
    return given
  } catch (error) {
    if (error instanceof EndOfCall || error instanceof ApiError) return error
    throw error
  }
}

interface HookedSession extends PreparedSession {
  readonly draft: SessionDraft
}

/** Undoes the transaction: a hook for new sessions is called outside of transactions, and only when no challenge follows. */
class HookFirst extends Error {
  override readonly name = 'HookFirst'
  readonly prepared: PreparedSession
  constructor(prepared: PreparedSession) {
    super('The hook for new sessions comes first')
    this.prepared = prepared
  }
}

async function runHook(app: App, prepared: PreparedSession): Promise<HookedSession> {
  const [draft] = await runBeforeHooks(app, [prepared.session.creation])
  return { ...prepared, draft }
}

/**
 * Signs a user in by a proof that works once. When it fails, nothing is written, and the proof can be used again; a challenge or the
 * rejection of a user leaves it used. With a hook for new sessions the transaction is undone once, and repeated after the hook.
 * @returns the session, and its user as they are now
 * @throws EndOfCall with the challenge of a feature; ApiError FAILED_TO_CREATE_SESSION; those of `claim`
 */
export async function claimSignIn(ctx: CallContext, given: GivenProof, claim: Claim): Promise<SessionAndUser> {
  const proof = proofOf(given)
  const hasHook = ctx.config.databaseHooks.session.create.before !== undefined
  const run = (hooked: HookedSession | null) =>
    transaction(ctx, async (tx) => {
      const user = await claim(tx)
      // For the audit log, when the session is rejected.
      ctx.subject.userId = user.id
      const decided = await decide(tx, user, proof)
      if (decided instanceof Error) return decided
      const prepared = hooked ?? sessionFor(ctx, user.id, decided, await findFormerSession(tx))
      if (hasHook && !hooked) throw new HookFirst(prepared)
      const { session, draft, finish } = hooked ?? (await runHook(tx, prepared))
      return { created: await session.insert(tx, draft, user), finish }
    })
  const done = await run(null).catch(async (error: unknown) => {
    if (error instanceof HookFirst) return run(await runHook(ctx, error.prepared))
    throw error
  })
  if (done instanceof Error) throw done
  await done.finish(done.created)
  return done.created
}
