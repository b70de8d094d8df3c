/** Signing in with a passkey: the options for the browser, the verification of its response, and the session. */
import { createHmac } from 'node:crypto'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, Identity, SessionView, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvents } from '../audit/index.ts'
import {
  cancelReset,
  endFailuresBy,
  findChallenge,
  findProbation,
  type PendingChallenge,
  provenColumnsOf,
} from '../second-factor/index.ts'
import { errors as sessionErrors, signIn } from '../sessions/index.ts'
import { findUserByEmail, findUserById, lockUser } from '../users/index.ts'
import { claimChallenge, clearChallenge, openChallenge, type ReadChallenge, readChallenge } from './challenge.ts'
import { relatedOriginOf, rpIDOf } from './config.ts'
import { sendNotice } from './mails.ts'
import { provenBy, type Used } from './methods.ts'
import {
  credentialOf,
  errors,
  findByCredential,
  findPasskey,
  keyedBytes,
  listPasskeys,
  noteUse,
  type PasskeyRow,
} from './store.ts'
import { type Assertion, type BrowserResponse, logRejection, verifySignature } from './verification.ts'

/** The sign-in of this client that waits for a second factor. */
export async function findPending(ctx: CallContext, current: Identity | null): Promise<PendingChallenge | null> {
  const pending = ctx.config.twoFactor.enabled ? await findChallenge(ctx, undefined) : null
  return pending && (!current || current.session.id === pending.sessionId) ? pending : null
}

/**
 * The options for the browser. Signed out, they name no credential: the browser offers the passkeys that it has.
 * @param current the signed-in user, who proves themselves again with one of their passkeys; null: that of a pending challenge, if there is one
 * @param email typed before the sign-in; used with `passkey.byEmail` only
 */
export async function authenticationOptions(ctx: CallContext, current: UserRow | null, email: string | undefined) {
  const user = current ?? (await findPending(ctx, null))?.user ?? null
  const { byEmail, requireUserVerification, authenticatorSelection } = ctx.config.passkey
  const allowed = user ? await credentialsOf(ctx, user) : byEmail && email ? await credentialsByEmail(ctx, email) : []
  return {
    rpId: rpIDOf(ctx.config),
    challenge: openChallenge(ctx, 'authentication', user ? { userId: user.id } : {}),
    ...(allowed.length > 0 && { allowCredentials: allowed }),
    timeout: 60_000,
    userVerification: requireUserVerification ? ('required' as const) : authenticatorSelection.userVerification,
  }
}

type Credential = ReturnType<typeof credentialOf>

const credentialsOf = async (app: App, { id }: Pick<UserRow, 'id'>): Promise<Credential[]> =>
  (await listPasskeys(app, id)).filter(({ suspendedAt }) => suspendedAt === null).map(credentialOf)

/** Lengths of the credential IDs of common authenticators, in bytes. */
const credentialLengths = [16, 20, 32, 48, 64] as const

/**
 * The same work for each email address: one that has no passkeys gets random ones, which are always the same, so that the options do not
 * reveal which users exist (Level 3 §14.6.2).
 */
async function credentialsByEmail(app: App, email: string): Promise<Credential[]> {
  const user = await findUserByEmail(app, email)
  const own = await credentialsOf(app, { id: user?.id ?? '' })
  // By the oldest secret: those of passkeys do not change either when a secret is added.
  const seed = Buffer.from(keyedBytes(app.keyring.hashes('passkey decoy', email.toLowerCase()).at(-1) ?? ''), 'base64url')
  const made = Array.from({ length: 1 + ((seed[0] ?? 0) % 3) }, (_, position) => {
    const length = credentialLengths[(seed[1 + position] ?? 0) % credentialLengths.length]
    const bytes = createHmac('sha512', seed).update(String(position)).digest()
    const transports = length === 16 || length === 20 || length === 32 ? 'hybrid,internal' : 'usb'
    return credentialOf({ credentialID: bytes.subarray(0, length).toString('base64url'), transports })
  })
  return own.length > 0 ? own : made
}

/** A passkey that has just signed a challenge of this browser. Nothing is written yet: `claimAssertion` does that. */
export interface VerifiedAssertion extends Assertion {
  readonly passkey: PasskeyRow
  /** As read together with the passkey. */
  readonly user: UserRow
  readonly challenge: ReadChallenge
}

/**
 * Verifies the response of a browser to `authenticationOptions`. Every failure has the same error; its reason is only in the log and the audit log.
 * @throws ApiError CHALLENGE_NOT_FOUND, PASSKEY_NOT_FOUND, AUTHENTICATION_FAILED
 */
export async function verifyAssertion(ctx: CallContext, response: BrowserResponse): Promise<VerifiedAssertion> {
  const challenge = readChallenge(ctx, 'authentication')
  const { id } = response
  const found = typeof id === 'string' ? await findByCredential(ctx, id) : null
  if (!found) {
    ctx.subject.hasFailed = true
    const details = { ...(typeof id === 'string' && id.length <= 1364 && { credentialId: id }), rpId: rpIDOf(ctx.config) }
    throw new ApiError(errors.PASSKEY_NOT_FOUND, { details })
  }
  const { passkey, user } = found
  const subject = challenge.isOpen ? {} : { userId: user.id }
  const problem = passkey.suspendedAt !== null ? 'suspended' : challenge.isOf(subject) ? null : 'challenge-of-another-user'
  const assertion = problem
    ? logRejection(ctx, 'authentication', problem)
    : await verifySignature(ctx, passkey, response, challenge.expected(subject))
  if ('rejected' in assertion) throw failed(ctx, user.id, assertion.rejected)
  return { ...assertion, passkey, user, challenge }
}

/** @param reason for the audit log: the response is the same for each */
export function failed(ctx: CallContext, userId: string, reason?: string): ApiError {
  Object.assign(ctx.subject, { hasFailed: true, userId, reason })
  return new ApiError(errors.AUTHENTICATION_FAILED)
}

/**
 * Uses the challenge, and notes the use of the passkey, in the transaction of what it proves. Of concurrent calls one succeeds.
 * @param endsFailures false for a first factor without user verification: a stolen security key would permit endless guesses at the second
 * @returns false when the counter went back: commit, and then call `suspendPasskey`
 * @throws ApiError CHALLENGE_NOT_FOUND
 */
export async function claimAssertion(
  tx: App,
  { passkey, user, challenge, counter, backedUp, origin }: VerifiedAssertion,
  endsFailures = true,
): Promise<boolean> {
  await claimChallenge(tx, challenge)
  // Its user has what a reset of second factors is for when it is lost.
  if (tx.config.twoFactor.enabled) await cancelReset(tx, passkey.userId)
  const updated = await noteUse(tx, {
    ...{ id: passkey.id, counter, backedUp, lastUsedAt: tx.now(), relatedOrigin: relatedOriginOf(tx, origin) },
    ...(challenge.isOpen && !tx.config.passkey.byEmail && { isDiscoverable: true }),
    // A synced passkey is copied by design, and its copies do not know each other's counter.
    ...(passkey.deviceType === 'singleDevice' && (counter === 0 ? { same: 0 } : { above: counter })),
  })
  if (updated > 0n && endsFailures && tx.config.twoFactor.enabled) await endFailuresBy(tx, user, passkey.createdAt)
  return updated > 0n
}

/** Suspends a passkey whose counter went back; a passkey that was deleted or suspended in the meantime stays so. */
export function suspendPasskey(app: App, { passkey, user }: Pick<VerifiedAssertion, 'passkey' | 'user'>): Promise<void> {
  return transaction(app, async (tx) => {
    await lockUser(tx, user.id)
    const suspended = await tx.db
      .updateTable('passkey')
      .set({ suspendedAt: tx.now() })
      .where('id', '=', passkey.id)
      .where('suspendedAt', 'is', null)
      .executeTakeFirst()
    if (suspended.numUpdatedRows === 0n) return
    const about = { target: { type: 'passkey', id: passkey.id }, userId: user.id }
    await recordEvents(tx, [
      { action: 'passkey.cloned', outcome: 'denied', ...about },
      { action: 'passkey.suspended', ...about },
    ])
    const owner = await findUserById(tx, user.id)
    if (owner) await sendNotice(tx, 'passkey-cloned', owner, passkey)
  })
}

/**
 * Signs the user of a passkey in.
 * @throws EndOfCall with the challenge of a feature; ApiError CHALLENGE_NOT_FOUND, AUTHENTICATION_FAILED, UNABLE_TO_CREATE_SESSION
 */
export async function signInWithPasskey(ctx: CallContext, verified: VerifiedAssertion, remember: boolean): Promise<SessionView> {
  const isAccepted = await transaction(ctx, (tx) => claimAssertion(tx, verified, verified.isUserVerified))
  // Also of a passkey that is suspended now: its challenge is used.
  clearChallenge(ctx)
  if (!isAccepted) {
    await suspendPasskey(ctx, verified)
    throw failed(ctx, verified.user.id, 'counter')
  }
  return startSession(ctx, verified, remember)
}

/** @throws EndOfCall; ApiError UNABLE_TO_CREATE_SESSION */
export async function startSession(
  ctx: CallContext,
  verified: Pick<VerifiedAssertion, 'passkey' | 'user' | 'isUserVerified'> & Pick<Used, 'isUserPresent'>,
  remember: boolean,
  kind: 'first-factor' | 'new-user' = 'first-factor',
): Promise<SessionView> {
  const { passkey, user, isUserPresent = true } = verified
  const isUserVerified = verified.isUserVerified && isUserPresent
  const recheck = async (tx: App) => {
    const current = await findPasskey(tx, passkey.id)
    return current && current.suspendedAt === null ? findUserById(tx, user.id) : null
  }
  const proven = isUserVerified ? provenColumnsOf(ctx, await findProbation(ctx, user, passkey.createdAt)) : {}
  const columns = { passkeyId: passkey.id, ...proven }
  const proof = { kind, ...provenBy(verified), remember, columns, details: { userVerified: isUserVerified } }
  return signIn(ctx, user, proof, { recheck }).catch((error: unknown) => {
    const isRejected = error instanceof ApiError && error.entry.code === sessionErrors.FAILED_TO_CREATE_SESSION.code
    throw isRejected ? new ApiError(errors.UNABLE_TO_CREATE_SESSION, { cause: error }) : error
  })
}
