import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { findCredentialAccount, replacePasswordHash } from '../accounts/index.ts'
import { type Caller, guardAttempt } from '../attempts/index.ts'
import { verifyPassword } from '../password-hashes/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { errors } from './errors.ts'

/**
 * Length in UTF-16 code units, before normalization (contract 00 §12). Asked before any hashing: a long text costs.
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG
 */
export function checkPasswordLength(app: App, password: string): void {
  const { minPasswordLength, maxPasswordLength } = app.config.emailAndPassword
  if (password.length < minPasswordLength) throw new ApiError(errors.PASSWORD_TOO_SHORT)
  if (password.length > maxPasswordLength) throw new ApiError(errors.PASSWORD_TOO_LONG)
}

/** @throws ApiError SERVICE_UNAVAILABLE when too many hashes wait already */
export const hashPassword = (app: App, password: string): Promise<string> => app.hasher.hash(password)

/**
 * The user of this address and password. Every failure is the same answer after the same work, so that neither text nor
 * time tells whether an address is known (ASVS 6.3.8); a hash of old is replaced by one of ours.
 * @throws ApiError INVALID_EMAIL_OR_PASSWORD, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function authenticateByPassword(ctx: Caller, email: string, password: string): Promise<UserRow> {
  const proved = await guardAttempt(ctx, email, async () => {
    const user = await findUserByEmail(ctx, email)
    return (await isPasswordOf(ctx, user, password)) && !isHidden(ctx, user) ? user : null
  })
  if (!proved) throw new ApiError(errors.INVALID_EMAIL_OR_PASSWORD)
  return proved
}

/** Where nobody may learn whether an address is known, a right password for an address that nobody has proved tells nothing either. */
const isHidden = ({ config }: App, user: UserRow | null): boolean =>
  config.emailAndPassword.antiEnumeration && !user?.emailVerified

/**
 * Whether somebody who is signed in has given his own password; guesses count together with those at sign-in.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function provesPassword(ctx: Caller, user: UserRow, password: string): Promise<boolean> {
  const proved = await guardAttempt(ctx, user.email, async () => (await isPasswordOf(ctx, user, password)) || null)
  return proved ?? false
}

async function isPasswordOf(app: App, user: UserRow | null, password: string): Promise<boolean> {
  const account = user && (await findCredentialAccount(app, user.id))
  // A text that is too long for any password is not hashed, but what is compared instead costs as much.
  const isBounded = password.length <= app.config.emailAndPassword.maxPasswordLength
  const stored = isBounded ? (account?.password ?? null) : null
  if (!(await verifyPassword(app, stored, isBounded ? password : ''))) return false
  if (user && stored && app.hasher.needsRehash(stored)) await rehash(app, user, stored, password)
  return true
}

/** With too many hashes waiting it can wait for the next time: the password was right. */
async function rehash(app: App, user: UserRow, stored: string, password: string): Promise<void> {
  try {
    await replacePasswordHash(app, user.id, stored, await hashPassword(app, password))
  } catch (error) {
    if (!(error instanceof ApiError) || error.entry.status !== 503) throw error
    app.log.warn({ userId: user.id }, 'A password was not hashed anew: too many hashes are waiting')
  }
}
