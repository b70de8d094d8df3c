/** The answer to a challenge, after which its sign-in goes on. */
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import type { Proof } from '../../core/sign-in.ts'
import { transaction } from '../../core/transaction.ts'
import { findUserById, holdUser } from '../users/index.ts'
import { sealedToken } from './challenge.ts'
import { claimSignIn, decide } from './claim.ts'
import { findLiveSession } from './current-session.ts'
import { adopt } from './sign-in.ts'

interface Answer {
  /** The name of the challenge. */
  readonly name: string
  /**
   * Deletes the stored challenge, in a transaction that has locked the user: of concurrent answers one succeeds.
   * @returns the user, if the answer changes them
   * @throws ApiError for the others
   */
  readonly claim: (tx: App) => Promise<UserRow | null>
  /** The error when the user was deleted, or their sign-in methods have changed since the first factor, or the session has ended. */
  readonly rejection: ErrorEntry
}

/**
 * Goes on with a sign-in whose challenge is answered: the same session follows as without the challenge, and everything that comes
 * after one. Challenges of other features may follow first.
 * @param user as stored with the challenge
 * @param proof as stored; a second proof adds to its `amr` and `columns`. Not of a replaced session, see `prepareReplacement`
 * @throws EndOfCall with the next challenge; ApiError FAILED_TO_CREATE_SESSION; those of the answer
 */
export async function resumeSignIn(
  ctx: CallContext,
  user: Pick<UserRow, 'id' | 'accessRevision'>,
  { answered = [], ...stored }: Proof,
  { name, claim, rejection }: Answer,
): Promise<SessionAndUser> {
  // The answer is a call, also when the sign-in began with a redirect.
  const proof: Proof = { ...stored, reply: 'json', answered: [...answered, name] }
  const claimUser = async (tx: App): Promise<UserRow> => {
    const current = (await holdUser(tx, user)) ? await findUserById(tx, user.id) : null
    if (!current) throw new ApiError(rejection)
    return (await claim(tx)) ?? current
  }
  ctx.subject.userId = user.id
  if (proof.session === undefined) return claimSignIn(ctx, proof, claimUser)
  const going = await transaction(ctx, async (tx) => decide(tx, await claimUser(tx), proof))
  if (going instanceof Error) throw going
  const existing = await findLiveSession(ctx, ctx.keyring.decrypt(sealedToken, proof.session))
  if (!existing) throw new ApiError(rejection)
  await adopt(ctx, existing)
  return existing
}
