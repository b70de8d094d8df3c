/** Signing in with a passkey: the options for the browser, the verification of its response, and the session. */
import { createHmac } from 'node:crypto'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, Identity, SessionView, UserRow } from '../../core/request.ts'
import { afterCommit, transaction } from '../../core/transaction.ts'
import { recordEvents } from '../audit/index.ts'
import {
  cancelReset,
  endFailuresBy,
  findChallenge,
  findProbation,
  type PendingChallenge,
  provenColumnsOf,
} from '../second-factor/index.ts'
import { claimSignIn, holdCurrent, errors as sessionErrors, signIn } from '../sessions/index.ts'
import { findUserByEmail, findUserById, lockUser } from '../users/index.ts'
import { claimChallenge, clearChallenge, openChallenge, type ReadChallenge, readChallenge } from './challenge.ts'
import { relatedOriginOf, rpIDOf } from './config.ts'
import { approveAssertion, extensionsOf } from './functions.ts'
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
  const extensions = await extensionsOf(ctx, 'authentication')
  const allowed = user ? await credentialsOf(ctx, user) : byEmail && email ? await credentialsByEmail(ctx, email) : []
  return {
    rpId: rpIDOf(ctx.config),
    challenge: openChallenge(ctx, 'authentication', user ? { userId: user.id } : {}),
    ...(allowed.length > 0 && { allowCredentials: allowed }),
    timeout: 60_000,
    userVerification: requireUserVerification ? ('required' as const) : authenticatorSelection.userVerification,
    ...(extensions && { extensions }),
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

/** A passkey that has just signed a challenge of this browser. Nothing is written yet: `useAssertion` does that. */
export interface VerifiedAssertion extends Assertion {
  readonly passkey: PasskeyRow
  /** As read together with the passkey. */
  readonly user: UserRow
  readonly challenge: ReadChallenge
}

/**
 * Verifies the response of a browser to `authenticationOptions`. Every failure has the same error; its reason is only in the log and the audit log.
 * @throws ApiError CHALLENGE_NOT_FOUND, PASSKEY_NOT_FOUND, AUTHENTICATION_FAILED; what a function of the configuration rejects it with
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
  const { verification } = assertion
  const approved = await approveAssertion(ctx, { challenge, verification, response, userId: user.id })
  return { ...assertion, passkey, user, challenge: approved }
}

/** @param reason for the audit log: the response is the same for each */
export function failed(ctx: CallContext, userId: string, reason?: string): ApiError {
  Object.assign(ctx.subject, { hasFailed: true, userId, reason })
  return new ApiError(errors.AUTHENTICATION_FAILED)
}

/**
 * Uses the challenge, and notes the use of the passkey. Of concurrent calls one succeeds.
 * @returns false when the counter went back
 * @throws ApiError CHALLENGE_NOT_FOUND
 */
async function claimAssertion(
  tx: App,
  { passkey, user, challenge, counter, backedUp, origin }: VerifiedAssertion,
  endsFailures: boolean,
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
function suspendPasskey(app: App, { passkey, user }: Pick<VerifiedAssertion, 'passkey' | 'user'>): Promise<void> {
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
 * Uses an assertion in the transaction of what it proves. A passkey whose counter went back proves nothing, and is suspended.
 * @param prove does so with `use`, in a transaction that has locked the user
 * @param endsFailures false for a first factor without user verification: a stolen security key would permit endless guesses at the second
 * @throws ApiError CHALLENGE_NOT_FOUND, AUTHENTICATION_FAILED; those of `prove`
 */
export async function useAssertion<T>(
  ctx: CallContext,
  verified: VerifiedAssertion,
  prove: (use: (tx: App) => Promise<void>) => Promise<T>,
  endsFailures = true,
): Promise<T> {
  let isCloned = false
  const use = async (tx: App) => {
    isCloned = !(await claimAssertion(tx, verified, endsFailures))
    if (isCloned) throw failed(ctx, verified.user.id, 'counter')
    await afterCommit(tx, async () => clearChallenge(ctx))
  }
  return prove(use).catch(async (error: unknown) => {
    if (isCloned) {
      await suspendPasskey(ctx, verified)
      clearChallenge(ctx)
    }
    throw error
  })
}

/**
 * Signs the user of a passkey in: its use and the session are written together.
 * @throws EndOfCall with the challenge of a feature; ApiError CHALLENGE_NOT_FOUND, AUTHENTICATION_FAILED, UNABLE_TO_CREATE_SESSION
 */
export async function signInWithPasskey(ctx: CallContext, verified: VerifiedAssertion, remember: boolean): Promise<SessionView> {
  const { user, isUserVerified } = verified
  const proof = await proofOf(ctx, verified, remember)
  const signInBy = (use: (tx: App) => Promise<void>) =>
    claimSignIn(ctx, proof, async (tx) => {
      const current = await holdCurrent(tx, user)
      if (!current) throw failed(ctx, user.id)
      await use(tx)
      return current
    })
  const { session } = await useAssertion(ctx, verified, signInBy, isUserVerified).catch(rejectSession)
  return session
}

function rejectSession(error: unknown): never {
  const isRejected = error instanceof ApiError && error.entry.code === sessionErrors.FAILED_TO_CREATE_SESSION.code
  throw isRejected ? new ApiError(errors.UNABLE_TO_CREATE_SESSION, { cause: error }) : error
}

/** What signs in: the use of a passkey, or its registration. */
type Signing = Pick<VerifiedAssertion, 'passkey' | 'user' | 'isUserVerified'> & Pick<Used, 'isUserPresent'>

async function proofOf(ctx: CallContext, used: Signing, remember: boolean) {
  const { passkey, user, isUserPresent = true } = used
  const isUserVerified = used.isUserVerified && isUserPresent
  const proven = isUserVerified ? provenColumnsOf(ctx, await findProbation(ctx, user, passkey.createdAt)) : {}
  const columns = { passkeyId: passkey.id, ...proven }
  return { ...provenBy(used), remember, columns, details: { userVerified: isUserVerified } }
}

/** Signs in with a passkey that was just registered. @throws EndOfCall; ApiError UNABLE_TO_CREATE_SESSION */
export async function startSession(
  ctx: CallContext,
  registered: Signing,
  remember: boolean,
  kind: 'first-factor' | 'new-user' = 'first-factor',
): Promise<SessionView> {
  const { passkey, user } = registered
  const recheck = async (tx: App) => {
    const current = await findPasskey(tx, passkey.id)
    return current && current.suspendedAt === null ? findUserById(tx, user.id) : null
  }
  const proof = await proofOf(ctx, registered, remember)
  return signIn(ctx, user, { ...proof, kind }, { recheck }).catch(rejectSession)
}
