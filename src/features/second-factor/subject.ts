/** Whom a call about a second factor is for: the user of a pending challenge, or of the session (contract 11 §3). */
import { holdCredential } from '../../core/credential-hold.ts'
import { ApiError } from '../../core/errors.ts'
import { requireOwnSession } from '../../core/permissions.ts'
import type { CallContext, SessionView } from '../../core/request.ts'
import { clearChallengeCookie, findChallenge, type PendingChallenge } from './challenge.ts'
import { errors } from './model.ts'
import { userRules } from './rules.ts'
import type { CodeOwner } from './sent-codes.ts'

export const challengeName = ({ id }: Pick<PendingChallenge, 'id'>): string => `challenge ${id}`

export type Subject =
  | (CodeOwner & { readonly kind: 'challenge'; readonly challenge: PendingChallenge; readonly session: null })
  | (CodeOwner & { readonly kind: 'session'; readonly challenge: null; readonly session: SessionView })

export interface SetupSubject extends CodeOwner {
  readonly challenge: PendingChallenge
}

/** The sign-in of this client that waits until a second factor is set up; null when there is none. @param token in place of the cookie */
export async function findSetup(ctx: CallContext, token?: string): Promise<SetupSubject | null> {
  if (userRules(ctx.config).length === 0) return null
  const identity = await ctx.identify()
  const challenge = await findChallenge(ctx, token, 'setup')
  if (!challenge || (identity && identity.session.id !== challenge.sessionId)) return null
  return { challenge, user: challenge.user, name: challengeName(challenge) }
}

/**
 * @param token in place of the challenge cookie
 * @throws ApiError INVALID_TWO_FACTOR_COOKIE; those of `requireOwnSession`
 */
export async function subjectOf(ctx: CallContext, token?: string): Promise<Subject> {
  const identity = await ctx.identify()
  const challenge = await findChallenge(ctx, token)
  // A challenge next to the session of another user is not the client's any more.
  if (challenge && (!identity || identity.session.id === challenge.sessionId))
    return { kind: 'challenge', challenge, user: challenge.user, session: null, name: challengeName(challenge) }
  if (!identity) {
    clearChallengeCookie(ctx)
    throw new ApiError(errors.INVALID_TWO_FACTOR_COOKIE)
  }
  requireOwnSession(identity)
  holdCredential(ctx, identity)
  const { user, session } = identity
  return { kind: 'session', challenge: null, user, session, name: `session ${session.id}` }
}
