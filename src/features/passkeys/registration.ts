/** Adding a passkey: the options for the browser, the verification of its response, and the row. */
import { type App, deviceOf } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { completeSetup, type SetupSubject } from '../second-factor/index.ts'
import { lockUser } from '../users/index.ts'
import type { AttestationProblem } from './attestation.ts'
import { claimChallenge, clearChallenge, openChallenge, type ReadChallenge, readChallenge, type Subject } from './challenge.ts'
import { relatedOriginOf, rpIDOf } from './config.ts'
import type { ResolvedUser } from './function-options.ts'
import { extensionsOf } from './functions.ts'
import { sendNotice } from './mails.ts'
import { strengthOf } from './methods.ts'
import { providerName } from './provider-names.ts'
import type { SignUp } from './sign-up.ts'
import {
  credentialHash,
  credentialOf,
  errors,
  findByCredential,
  findHandles,
  keyedBytes,
  listPasskeys,
  type PasskeyRow,
  storeHandle,
} from './store.ts'
import { type BrowserResponse, type NewCredential, verifyNewCredential } from './verification.ts'

/**
 * Whose passkey it will be: the current user, a visitor who has verified an email address and signs up, or the user whom the application
 * has named, who may not exist yet.
 */
export type Owner =
  /** Without a session: their sign-in waits for a second factor. */
  | { readonly user: UserRow; readonly session: SessionView | null }
  | { readonly context: string; readonly signUp: SignUp }
  | { readonly resolved: ResolvedUser }

interface OptionsQuery {
  readonly authenticatorAttachment?: 'platform' | 'cross-platform' | undefined
  /** The account, as the password manager names it; default: the email address. */
  readonly name?: string | undefined
}

/** One for each handle that the authenticator may have got, the newest first. */
async function subjectsOf(app: App, owner: Owner): Promise<(Subject & { readonly handle: string })[]> {
  if ('signUp' in owner) {
    const { context } = owner
    return app.keyring.hashes('passkey handle of a sign-up', context).map((hash) => ({ context, handle: keyedBytes(hash) }))
  }
  if ('user' in owner) {
    const userId = owner.user.id
    return (await findHandles(app, userId)).map((handle) => ({ userId, handle }))
  }
  const { resolved } = owner
  const handles = resolved.handle === undefined ? await findHandles(app, resolved.id) : [resolved.handle]
  return handles.map((handle) => ({ userId: resolved.id, resolved, handle }))
}

/** The names that the password manager shows. */
function namesOf(owner: Owner): { readonly email: string; readonly name: string } {
  if ('user' in owner) return owner.user
  return 'signUp' in owner ? owner.signUp : { email: owner.resolved.name, name: owner.resolved.displayName ?? '' }
}

/** The members and their order are the same as in better-auth. @throws ApiError TOO_MANY_PASSKEYS */
export async function registrationOptions(ctx: CallContext, owner: Owner, { authenticatorAttachment, name }: OptionsQuery) {
  const { rpName, algorithms, attestation, authenticatorSelection, requireUserVerification, maximumPasskeys } = ctx.config.passkey
  const own = 'user' in owner ? await listPasskeys(ctx, owner.user.id) : []
  if (own.length >= maximumPasskeys) throw new ApiError(errors.TOO_MANY_PASSKEYS)
  const [subject = { handle: '' }] = await subjectsOf(ctx, owner)
  const { email, name: ownName } = namesOf(owner)
  const { residentKey, userVerification } = authenticatorSelection
  const attachment = authenticatorAttachment ?? authenticatorSelection.authenticatorAttachment
  return {
    challenge: openChallenge(ctx, 'registration', subject),
    rp: { name: rpName ?? ctx.config.appName, id: rpIDOf(ctx.config) },
    user: { id: subject.handle, name: name || email, displayName: ownName || email },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: 60_000,
    attestation: attestation.conveyance,
    excludeCredentials: own.map(credentialOf),
    authenticatorSelection: {
      residentKey,
      userVerification: requireUserVerification ? ('required' as const) : userVerification,
      ...(attachment && { authenticatorAttachment: attachment }),
      requireResidentKey: residentKey === 'required',
    },
    extensions: { ...(await extensionsOf(ctx, 'registration')), credProps: true as const },
    hints: [],
  }
}

/** A passkey whose authenticator has signed a challenge of this browser. Nothing is written yet: `insertPasskey` does that. */
export interface VerifiedRegistration {
  readonly credential: NewCredential
  readonly challenge: ReadChallenge
  readonly handle: string
  readonly isAutomatic: boolean
}

/**
 * @throws ApiError CHALLENGE_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY for a challenge of another user,
 * PREVIOUSLY_REGISTERED, FAILED_TO_VERIFY_REGISTRATION
 */
export async function verifyRegistration(
  ctx: CallContext,
  owner: Owner,
  response: BrowserResponse,
): Promise<VerifiedRegistration> {
  const challenge = readChallenge(ctx, 'registration')
  const subjects = await subjectsOf(ctx, owner)
  if (!subjects.some(challenge.isOf)) throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY)
  if (typeof response.id === 'string' && (await findByCredential(ctx, response.id)))
    throw new ApiError(errors.PREVIOUSLY_REGISTERED)
  const isPresenceOptional = ctx.config.passkey.autoRegister && 'user' in owner
  const expected = subjects.flatMap(challenge.expected)
  const credential = await verifyNewCredential(ctx, response, expected, { isPresenceOptional })
  if ('rejected' in credential) throw new ApiError(errors.FAILED_TO_VERIFY_REGISTRATION)
  if (credential.attestationProblem) await reportModel(ctx, owner, credential.aaguid, credential.attestationProblem)
  const isAutomatic = !credential.isUserPresent
  if (
    credential.attestationProblem ||
    (isAutomatic && !('user' in owner && owner.session && (await cameFromPassword(ctx, owner.session))))
  )
    throw new ApiError(errors.FAILED_TO_VERIFY_REGISTRATION)
  // The challenge names the handle.
  const { handle = '' } = subjects.find((subject) => challenge.expected(subject).includes(credential.challenge)) ?? {}
  return { credential, challenge, handle, isAutomatic }
}

/** For operators, who see which models users try. The response has the same text as any other failure. */
async function reportModel(ctx: CallContext, owner: Owner, aaguid: string, reason: AttestationProblem): Promise<void> {
  ctx.log.info({ aaguid, reason }, 'An authenticator was rejected, because of what it proves of its model')
  const userId = 'user' in owner ? owner.user.id : null
  const details = { aaguid, provider: providerName(aaguid), reason }
  await transaction(ctx, (tx) => recordEvent(tx, { action: 'passkey.rejected', outcome: 'denied', userId, details }))
}

const automaticWithinMs = 300_000

/**
 * Browsers create a passkey without a dialog only right after they have filled in a password. What counts is when the session was
 * created: another method may have proven the user again since.
 */
async function cameFromPassword({ db, now }: App, { id }: SessionView): Promise<boolean> {
  const row = await db.selectFrom('session').select(['amr', 'createdAt']).where('id', '=', id).executeTakeFirst()
  if (!row?.amr?.includes('"pwd"')) return false
  return now().getTime() - row.createdAt.getTime() <= automaticWithinMs
}

/** What the authenticator says; else what follows from how it was asked, and from what synced passkeys are. */
function isDiscoverable(app: App, { isResident, deviceType }: NewCredential): boolean | null {
  if (isResident !== null) return isResident
  const { residentKey } = app.config.passkey.authenticatorSelection
  if (residentKey === 'required' || deviceType === 'multiDevice') return true
  return residentKey === 'discouraged' ? false : null
}

interface NewPasskey extends VerifiedRegistration {
  readonly id: string
  readonly userId: string
  readonly name: string | null
}

/**
 * Uses the challenge and inserts the passkey, in a transaction that has locked its user.
 * @throws ApiError CHALLENGE_NOT_FOUND, TOO_MANY_PASSKEYS, PREVIOUSLY_REGISTERED
 */
export async function insertPasskey(
  tx: App,
  { id, userId, name, credential, challenge, handle, isAutomatic }: NewPasskey,
): Promise<PasskeyRow> {
  await claimChallenge(tx, challenge)
  const own = await listPasskeys(tx, userId)
  if (own.length >= tx.config.passkey.maximumPasskeys) throw new ApiError(errors.TOO_MANY_PASSKEYS)
  await storeHandle(tx, userId, handle)
  const { credentialID, publicKey, counter, deviceType, backedUp, aaguid, transports } = credential
  const row: PasskeyRow = {
    ...{ id, name, userId, publicKey, credentialID, credentialHash: credentialHash(credentialID) },
    ...{ counter, deviceType, backedUp, transports, aaguid, userHandle: handle, isAutomatic },
    ...{ rpID: rpIDOf(tx.config), createdAt: tx.now(), addedWith: deviceOf(tx), lastUsedAt: null, suspendedAt: null },
    ...{ isDiscoverable: isDiscoverable(tx, credential), relatedOrigin: relatedOriginOf(tx, credential.origin) },
  }
  try {
    await tx.db.insertInto('passkey').values(row).execute()
  } catch (error) {
    throw tx.database.isUniqueViolation(error) ? new ApiError(errors.PREVIOUSLY_REGISTERED, { cause: error }) : error
  }
  const details = { aaguid, provider: providerName(aaguid), backedUp, ...(isAutomatic && { isAutomatic }) }
  await recordEvent(tx, { action: 'passkey.created', target: { type: 'passkey', id }, userId, details })
  return row
}

/**
 * Adds a verified passkey to the current user, and notifies them.
 * @throws ApiError UNAUTHORIZED when the user was deleted; those of `insertPasskey`
 */
export async function addPasskey(
  ctx: CallContext,
  user: UserRow,
  verified: VerifiedRegistration,
  name: string | null,
): Promise<PasskeyRow> {
  const row = await transaction(ctx, async (tx) => {
    if (!(await lockUser(tx, user.id))) throw new ApiError(kernelErrors.UNAUTHORIZED)
    return insertNotified(tx, user, verified, name)
  })
  clearChallenge(ctx)
  return row
}

/** Adds a verified passkey to a user, in a transaction that has locked them, and notifies them. @throws ApiError those of `insertPasskey` */
export async function insertNotified(
  tx: App,
  user: UserRow,
  verified: VerifiedRegistration,
  name: string | null,
): Promise<PasskeyRow> {
  const inserted = await insertPasskey(tx, { ...verified, id: tx.random.id(), userId: user.id, name })
  await sendNotice(tx, 'passkey-added', user, inserted)
  return inserted
}

/**
 * Adds the passkey with which a sign-in goes on that waits for a second factor.
 * @throws ApiError EMAIL_CODE_REQUIRED, INVALID_TWO_FACTOR_COOKIE, FAILED_TO_CREATE_SESSION; those of `insertPasskey`
 */
export async function addInSetup(ctx: CallContext, setup: SetupSubject, verified: VerifiedRegistration, name: string | null) {
  let added: PasskeyRow | undefined
  const use = async (tx: App) => {
    added = await insertNotified(tx, setup.user, verified, name)
  }
  const { deviceType, isUserVerified } = verified.credential
  const { amr } = strengthOf({ passkey: { deviceType }, isUserVerified })
  const finished = await completeSetup(ctx, setup, { type: 'passkey', amr, acr: 'phr', addedAt: null, use })
  clearChallenge(ctx)
  return { ...finished, passkey: added }
}
