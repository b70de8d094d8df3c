/** Whom a call about a second factor is for: the user of a pending challenge, or of the session (contract 11 §3). */
import { holdCredential } from '../../core/credential-hold.ts'
import { ApiError } from '../../core/errors.ts'
import { requireOwnSession } from '../../core/permissions.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { clearChallengeCookie, findChallenge, type PendingChallenge } from './challenge.ts'
import { errors } from './model.ts'

export type Subject =
  | { readonly kind: 'challenge'; readonly challenge: PendingChallenge; readonly user: UserRow; readonly session: null }
  | { readonly kind: 'session'; readonly challenge: null; readonly user: UserRow; readonly session: SessionView }

/**
 * @param token in place of the challenge cookie
 * @throws ApiError INVALID_TWO_FACTOR_COOKIE; those of `requireOwnSession`
 */
export async function subjectOf(ctx: CallContext, token?: string): Promise<Subject> {
  const identity = await ctx.identify()
  const challenge = await findChallenge(ctx, token)
  // A challenge next to the session of another user is not the client's any more.
  if (challenge && (!identity || identity.session.id === challenge.sessionId))
    return { kind: 'challenge', challenge, user: challenge.user, session: null }
  if (!identity) {
    clearChallengeCookie(ctx)
    throw new ApiError(errors.INVALID_TWO_FACTOR_COOKIE)
  }
  requireOwnSession(identity)
  holdCredential(ctx, identity)
  return { kind: 'session', challenge: null, user: identity.user, session: identity.session }
}

/** By which the codes of a subject are found. */
export const nameOf = (subject: Subject): string =>
  subject.kind === 'challenge' ? `challenge ${subject.challenge.id}` : `session ${subject.session.id}`
