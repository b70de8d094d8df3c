/** What a passkey permits: to answer a challenge, to make the session stronger, or to sign in (contract 11 §11; 12 §4). */
import { holdCredential } from '../../core/credential-hold.ts'
import type { CallContext, Identity, SessionView } from '../../core/request.ts'
import {
  answerChallenge,
  clearChallengeCookie,
  findProbation,
  firstFactorOf,
  type PendingChallenge,
  type SecondProof,
  strengthenSession,
} from '../second-factor/index.ts'
import { failed, findPending, signInWithPasskey, useAssertion, type VerifiedAssertion } from './authentication.ts'
import { signInMethod, strengthOf } from './methods.ts'

/**
 * Does what the passkey permits: answers the pending challenge of its user, or proves once more who the user of the session is, or signs in.
 * @returns the session, and where the browser continues after a challenge
 * @throws EndOfCall with the challenge of a feature; ApiError CHALLENGE_NOT_FOUND, AUTHENTICATION_FAILED, UNABLE_TO_CREATE_SESSION
 */
export async function usePasskey(ctx: CallContext, verified: VerifiedAssertion, remember: boolean) {
  const { user } = verified
  const current = await ctx.identify()
  const pending = await findPending(ctx, current)
  if (pending && !mayAnswer(pending, verified)) throw failed(ctx, user.id, 'no-second-factor')
  const isOwnSession = current?.user.id === user.id && current.credential.kind !== 'api-key' && !current.impersonatedBy
  if (pending?.user.id === user.id) {
    const session = await provePossession(ctx, verified, (proof) => answerChallenge(ctx, pending, proof))
    return { session, url: pending.first.callbackURL }
  }
  if (pending) clearChallengeCookie(ctx)
  if (!ctx.config.twoFactor.enabled || !isOwnSession)
    return { session: await signInWithPasskey(ctx, verified, remember), url: undefined }
  holdCredential(ctx, current)
  const acr = addsTo(current, verified) ? 'phr' : null
  const prove = (proof: SecondProof) => strengthenSession(ctx, current, { ...proof, acr })
  return { session: await provePossession(ctx, verified, prove), url: undefined }
}

/** Only one that has verified its user is a sign-in of another user, or adds to a first factor that was a passkey too. */
const mayAnswer = ({ user, first }: PendingChallenge, verified: VerifiedAssertion): boolean =>
  verified.isUserVerified || (user.id === verified.user.id && first.method !== signInMethod.name)

/** The same for a session: one that a passkey began becomes fresh by a passkey that has not verified its user, and not stronger. */
const addsTo = ({ session }: Pick<Identity, 'session'>, { isUserVerified }: VerifiedAssertion): boolean =>
  isUserVerified || !firstFactorOf(session).amr.some((method) => method === 'hwk' || method === 'swk')

/** @param prove uses the assertion in its transaction */
async function provePossession(
  ctx: CallContext,
  verified: VerifiedAssertion,
  prove: (proof: SecondProof) => Promise<SessionView>,
): Promise<SessionView> {
  const addedAt = await findProbation(ctx, verified.user, verified.passkey.createdAt)
  const proof = { type: signInMethod.name, amr: strengthOf(verified).amr, acr: 'phr', addedAt } as const
  return useAssertion(ctx, verified, (use) => prove({ ...proof, use }))
}
