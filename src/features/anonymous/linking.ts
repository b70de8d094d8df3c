/** What happens when an anonymous user signs in as another user: their data is handed over, then they are deleted. */
import { type Actor, type App, extend, reportFailure } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { type DescribedUser, deleteUser, describeUser, findUserById } from '../users/index.ts'
import { claimToken, releaseToken } from '../verifications/index.ts'

interface LinkedAccount {
  readonly user: DescribedUser
  readonly session: { readonly id: string; readonly userId: string }
}

/** For `anonymous.onLinkAccount`. */
export interface LinkedAccounts {
  readonly anonymousUser: LinkedAccount
  readonly newUser: LinkedAccount
}

/** The email address of an anonymous user, to which no mail is sent. @param id a random one */
export const addressOf = (id: string, domain: string): string => `temp-${id.toLowerCase()}@${domain.toLowerCase()}`

const addressForm = /^temp-[a-z0-9]{8,36}@/

/** Whether a user can still be reached through their session only: with a sign-in method of their own they are not anonymous. */
export async function isStillAnonymous(app: App, user: UserRow): Promise<boolean> {
  if (!user.isAnonymous || user.emailVerified || !addressForm.test(user.email)) return false
  // A column of a feature that may be disabled.
  if (Reflect.get(user, 'phoneNumberVerified')) return false
  const account = await app.db.selectFrom('account').select('id').where('userId', '=', user.id).executeTakeFirst()
  return account === undefined
}

const describe = (app: App, { user, session }: SessionAndUser): LinkedAccount => ({
  user: describeUser(app, user),
  session: { id: session.id, userId: session.userId },
})

/**
 * Hands the data of an anonymous user over to the user who signed in, and deletes the anonymous one. Of concurrent sign-ins one does
 * it. A failure is logged and leaves the anonymous user; the sign-in itself has succeeded.
 * @param former the session that the browser had
 */
export async function linkAnonymousUser(ctx: CallContext, former: SessionAndUser, current: SessionAndUser): Promise<void> {
  const { user } = former
  if (user.id === current.user.id || !(await isStillAnonymous(ctx, user))) return
  const claim = `anonymous-${user.id}`
  if (!(await claimToken(ctx, claim))) return
  try {
    // Another sign-in may have been faster, and have ended its claim.
    if (!(await findUserById(ctx, user.id))) return
    await ctx.config.anonymous.onLinkAccount?.({ anonymousUser: describe(ctx, former), newUser: describe(ctx, current) })
    await finishLink(extend(ctx, { actor: actorOf(ctx, current) }), user.id, current.user.id)
  } catch (error) {
    const ids = { anonymousUserId: user.id, userId: current.user.id }
    if (error instanceof ApiError) ctx.log.warn({ err: error, ...ids }, 'An anonymous user could not be deleted after signing in')
    else reportFailure(ctx, error, 'Linking an anonymous user', ids)
    await releaseToken(ctx, claim).catch((failure: unknown) => reportFailure(ctx, failure, 'Releasing a claim'))
  }
}

const actorOf = ({ actor, request }: CallContext, { user, session }: SessionAndUser): Actor => ({
  kind: 'user',
  userId: user.id,
  credential: { kind: 'cookie', id: session.id },
  ipAddress: 'ipAddress' in actor ? actor.ipAddress : '',
  requestId: request.id,
})

const finishLink = (app: App, anonymousUserId: string, userId: string): Promise<void> =>
  transaction(app, async (tx) => {
    const target = { type: 'user', id: userId }
    await recordEvent(tx, { action: 'anonymous-user.linked', target, details: { anonymousUserId } })
    if (!tx.config.anonymous.disableDeleteAnonymousUser) await deleteUser(tx, anonymousUserId)
  })
