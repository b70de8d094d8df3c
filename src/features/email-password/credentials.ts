import type { App } from '../../core/app.ts'
import { ApiError, defineErrors, type ErrorEntry } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import type { SignInMethod } from '../../core/sign-in.ts'
import type { SignUpDecision, SignUpWay } from '../../core/sign-up.ts'
import { statement } from '../../core/statement.ts'
import { write } from '../../core/write.ts'
import {
  type AccountDraft,
  type AccountRow,
  credentialCreation,
  findCredentialAccount,
  findCredentialAccounts,
  insertAccount,
  isSocial,
  replacePasswordHash,
} from '../accounts/index.ts'
import { guardAttempt, settleAttempt } from '../attempts/index.ts'
import { canVerify, rememberBrowser, sendVerificationMail } from '../email-verification/index.ts'
import { verifyPassword } from '../password-hashes/index.ts'
import { lockedAccount } from '../sessions/index.ts'
import { findUserByEmail, insertUser, type NewUser, type UserDraft, userCreation } from '../users/index.ts'
import { passwordLengthError } from './schemas.ts'

export const errors = defineErrors({
  EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED: [400, 'Email and password sign up is not enabled'],
  EMAIL_AND_PASSWORD_IS_NOT_ENABLED: [400, 'Email and password is not enabled'],
  PASSWORD_TOO_SHORT: [400, 'Password too short'],
  PASSWORD_TOO_LONG: [400, 'Password too long'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: [400, 'Credential account not found'],
  INVALID_PASSWORD: [400, 'Invalid password'],
  EMAIL_NOT_VERIFIED: [403, 'Email not verified'],
  INVALID_EMAIL_OR_PASSWORD: [401, 'Invalid email or password'],
  PASSWORD_MUST_BE_REPLACED: [403, 'Password must be replaced'],
})

/** What a right password proves. */
const proven = { method: 'password', amr: ['pwd'] } as const

export const signInMethod: SignInMethod = {
  name: proven.method,
  exists: ({ emailAndPassword }) => emailAndPassword.enabled,
  isAvailable: (_app, _user, accounts) => accounts.some((account) => !isSocial(account) && account.password !== null),
  expects: async (app, user) => {
    const account = await findCredentialAccount(app, user.id)
    if (account?.password == null) return { proofs: [], reason: 'no-password' }
    if (account.mustReplacePassword) return { proofs: [], reason: 'password-must-be-replaced' }
    if (lacksVerifiedEmail(app, user)) return { proofs: [], reason: 'email-not-verified' }
    return { proofs: [proven], reason: 'has-password' }
  },
  findWays: async (app, users) => {
    const accounts = await findCredentialAccounts(
      app,
      users.map(({ id }) => id),
    )
    const usable = new Set(
      accounts.filter((account) => account.password !== null && !account.mustReplacePassword).map(({ accountId }) => accountId),
    )
    const having = users.filter((user) => usable.has(user.id) && !lacksVerifiedEmail(app, user))
    return new Map(having.map(({ id }) => [id, [proven.method]]))
  },
}

/** Whether the user must verify their email address before they sign in with a password. */
const lacksVerifiedEmail = ({ config }: App, { emailVerified }: UserRow): boolean =>
  !emailVerified && config.emailAndPassword.requireEmailVerification

/**
 * Call it before the expensive hashing.
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG
 */
export function checkPasswordLength(app: App, password: string): void {
  const code = passwordLengthError(password, app.config.emailAndPassword)
  if (code !== null) throw new ApiError(errors[code])
}

/** A user and their password, in one query that costs the same for each email address. */
const findCredentials = statement({ user: 'user', account: 'account' }, (db, { email }: { email: string }) =>
  db
    .selectFrom('user')
    .innerJoin('account', 'account.accountId', 'user.id')
    .where('account.providerId', '=', 'credential')
    .where('user.email', '=', email),
)

/**
 * Finds the user with this email address and password. Every failure has the same response after the same work, so that neither
 * text nor time reveals whether an email address is known (ASVS 6.3.8). An outdated hash is replaced. Failures count for the email
 * address, so that a password cannot be guessed more often by several names of a user.
 * @param email for an unknown name of another kind: any text for that name that is not an email address
 * @param rejection the response for an unknown name and for a wrong password; default: INVALID_EMAIL_OR_PASSWORD
 * @returns the user, and the proof and the `recheck` of their sign-in
 * @throws ApiError `rejection`, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER; ACCOUNT_LOCKED for the right password of a locked account;
 * PASSWORD_MUST_BE_REPLACED for the right password, if
 * another person may know it; the user is sent a reset link
 */
export async function authenticateByPassword(
  ctx: CallContext,
  email: string,
  password: string,
  rejection: ErrorEntry = errors.INVALID_EMAIL_OR_PASSWORD,
) {
  const attempt = guardAttempt(ctx, email, async () => {
    const [found] = await findCredentials(ctx, { email: email.toLowerCase() })
    return (await isPasswordOf(ctx, found?.account ?? null, password)) && found && !isHidden(ctx, found.user) ? found : null
  })
  const authenticated = await attempt.catch(async (error: unknown) => {
    if (error instanceof ApiError && error.entry.status === 429) await nameAccount(ctx, email)
    throw error
  })
  if (!authenticated) {
    await nameAccount(ctx, email)
    await emit(ctx, 'password.sign-in-failed', { email })
    throw new ApiError(rejection)
  }
  const { user, account } = authenticated.value
  // For the audit log, when the call fails nevertheless.
  ctx.subject.userId = user.id
  // Before the password: a reset link would open nothing at an address that a thief has set.
  if (user.lockedAt) throw new ApiError(lockedAccount())
  if (!account.mustReplacePassword) {
    const proof = { ...proven, attempt: authenticated.attempt }
    return { user, proof, recheck: (tx: App) => findUserByHash(tx, user, account) }
  }
  await emit(ctx, 'password.replacement-required', { user })
  throw new ApiError(errors.PASSWORD_MUST_BE_REPLACED)
}

/** The user as they are now; null when the password that they gave is no longer theirs. */
async function findUserByHash(app: App, { email }: UserRow, { id, password }: AccountRow): Promise<UserRow | null> {
  const [found] = await findCredentials(app, { email })
  const isSame = found?.account.id === id && found.account.password === password && !found.account.mustReplacePassword
  return isSame ? found.user : null
}

/**
 * Rejects the sign-in of a user whose email address must be verified first, and sends the verification link.
 * @param options.rejection default: EMAIL_NOT_VERIFIED
 * @throws ApiError `rejection`, FAILED_TO_CREATE_VERIFICATION
 */
export async function requireVerifiedEmail(
  ctx: CallContext,
  user: UserRow,
  { callbackURL, rejection = errors.EMAIL_NOT_VERIFIED }: { callbackURL?: string | undefined; rejection?: ErrorEntry } = {},
): Promise<void> {
  if (!lacksVerifiedEmail(ctx, user)) return
  if (canVerify(ctx)) await sendVerificationMail(ctx, user, { callbackURL })
  rememberBrowser(ctx, user.id)
  throw new ApiError(rejection)
}

/** For the audit log: the user with this email address, who may have no password. The same work for each email address. */
async function nameAccount(ctx: CallContext, email: string): Promise<void> {
  const user = await findUserByEmail(ctx, email)
  if (user) ctx.subject.userId = user.id
}

/** With `antiEnumeration`, a right password for an unverified email address must not reveal the account either. */
const isHidden = ({ config }: App, { emailVerified }: UserRow): boolean =>
  config.emailAndPassword.antiEnumeration && !emailVerified

/**
 * Compares the password of a user. Failures count together with those at sign-in.
 * @returns null when it is wrong; else the attempt, which is not settled
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export const checkPassword = (ctx: CallContext, user: UserRow, password: string) =>
  guardAttempt(ctx, user.email, async () => {
    const account = await findCredentialAccount(ctx, user.id)
    return (await isPasswordOf(ctx, account, password)) || null
  })

async function isPasswordOf(app: App, account: AccountRow | null, password: string): Promise<boolean> {
  // A password that is too long is not hashed. The decoy that is compared in its place costs the same.
  const isBounded = password.length <= app.config.emailAndPassword.maxPasswordLength
  const stored = isBounded ? (account?.password ?? null) : null
  if (!(await verifyPassword(app, stored, isBounded ? password : ''))) return false
  if (account && stored && app.hasher.needsRehash(stored)) await rehash(app, account.userId, stored, password)
  return true
}

/** When the hashing queue is full, the next sign-in rehashes the password. */
async function rehash(app: App, userId: string, stored: string, password: string): Promise<void> {
  try {
    await replacePasswordHash(app, userId, stored, await app.hasher.hash(password))
  } catch (error) {
    if (!(error instanceof ApiError) || error.entry.status !== 503) throw error
    app.log.warn({ userId }, 'A password was not rehashed: the hashing queue is full')
  }
}

/**
 * Requires the password of a user.
 * @returns the stored hash, and the attempt, which is not settled
 * @throws ApiError CREDENTIAL_ACCOUNT_NOT_FOUND, INVALID_PASSWORD, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function provePassword(ctx: CallContext, user: UserRow, password: string) {
  const stored = (await findCredentialAccount(ctx, user.id))?.password
  if (!stored) throw new ApiError(errors.CREDENTIAL_ACCOUNT_NOT_FOUND)
  const proven = await checkPassword(ctx, user, password)
  if (proven) return { stored, attempt: proven.attempt }
  Object.assign(ctx.subject, { userId: user.id, hasFailed: true })
  throw new ApiError(errors.INVALID_PASSWORD)
}

/**
 * Requires the password of the signed-in user.
 * @returns the stored hash that it matched
 * @throws ApiError those of `provePassword`
 */
export async function requirePassword(ctx: CallContext, user: UserRow, password: string): Promise<string> {
  const { stored, attempt } = await provePassword(ctx, user, password)
  await settleAttempt(ctx, attempt)
  if (!ctx.hasher.needsRehash(stored)) return stored
  // The check has replaced an older hash.
  return (await findCredentialAccount(ctx, user.id))?.password ?? stored
}

/**
 * Creates a user and the account with the password, in one transaction.
 * @param passwordHash a PHC string
 * @throws ApiError SIGN_UP_NOT_ALLOWED, USER_ALREADY_EXISTS, FAILED_TO_CREATE_USER, FAILED_TO_CREATE_ACCOUNT
 */
export async function createUserWithPassword(
  app: App,
  given: NewUser,
  passwordHash: string,
  way: SignUpWay = {},
): Promise<UserRow> {
  const { creations, insert } = newUserWithPassword(app, given, passwordHash, way)
  return write(app, creations, insert)
}

/** A user with a password to be created: `write` the `creations`, with others if needed, and `insert` their drafts. */
export function newUserWithPassword(app: App, given: NewUser, passwordHash: string, way: SignUpWay = {}) {
  const user = userCreation(app, given)
  const account = credentialCreation(app, user.draft.id, passwordHash)
  return {
    id: user.draft.id,
    creations: [user, account] as const,
    insert: async (tx: App, userDraft: UserDraft, accountDraft: AccountDraft, decision?: SignUpDecision): Promise<UserRow> => {
      const inserted = await insertUser(tx, userDraft, { method: signInMethod.name, ...way, ...(decision && { decision }) })
      await insertAccount(tx, accountDraft)
      return inserted
    },
  }
}
