/** The calls by which users set up, show and remove their second factors. */
import { z } from 'zod'
import { type App, deviceOf } from '../../core/app.ts'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import { optionalSession, session } from '../../core/permissions.ts'
import type { CallContext } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { errors as passwordErrors } from '../email-password/index.ts'
import { errors as numberErrors } from '../phone-number/index.ts'
import { deletePendingCodes, hasBackupCodes, insertBackupCodes, makeBackupCodes, type NewCodes } from './backup-codes.ts'
import { type Channel, channels } from './config.ts'
import { disableFactors, enableFactor, isSignedIn, type Kind, kindsOf, requireStrongProof, type SignedIn } from './enrolment.ts'
import { channelsOf, reachableChannels, recipientOf, sendsBy } from './methods.ts'
import { errors, findFactors, hasSecondFactor, writeFactors } from './model.ts'
import { notify, originOf } from './notices.ts'
import { isEstablished } from './proofs.ts'
import { beginInSetup, beginTOTP, factorOf } from './setup.ts'
import { findSetup, type SetupSubject } from './subject.ts'
import { activateSecret, pendingSecret, secretURI } from './totp.ts'
import { challengeToken, revokeOtherSessions } from './verification.ts'
import { backupCodes, rateLimit } from './verify-routes.ts'

const password = z.string().optional().describe('Required if the user has one')
const methods = ['totp', 'otp', 'passkey'] as const
const totpURI = z
  .string()
  .meta({ examples: ['otpauth://totp/Acme:ann%40example.com?secret=GAYTEMZUGU3DOOBZ&issuer=Acme&digits=6&period=30'] })

const proofErrors: readonly ErrorEntry[] = [passwordErrors.INVALID_PASSWORD, kernelErrors.SESSION_IS_NOT_FRESH]

/** What enables a factor without a code: nothing was proven. */
const unproven = (type: Kind) => ({ type, amr: [], acr: null, addedAt: null, use: async () => {} })

/** How the user wants it. */
interface Wanted {
  readonly needsCodes: boolean
  readonly revokeOtherSessions: boolean
}

/** @throws ApiError TOTP_ISNT_CONFIGURED */
async function enableTOTP(ctx: SignedIn, issuer: string | undefined, endsOthers: boolean) {
  const { row, totpURI, backupCodes } = await beginTOTP(ctx, ctx.user, issuer)
  if (ctx.config.twoFactor.skipVerificationOnEnable) {
    const work = async (tx: App) => {
      if (!(await activateSecret(tx, row, 0))) throw new ApiError(errors.TOTP_NOT_ENABLED)
    }
    await enableFactor(ctx, unproven('totp'), work, endsOthers)
  }
  return { method: 'totp' as const, totpURI, backupCodes }
}

/**
 * Enables a factor that needs no first code.
 * @returns the new backup codes, of a user who has none
 */
async function enableWithoutCode(
  ctx: SignedIn,
  type: 'otp' | 'passkey',
  { needsCodes, revokeOtherSessions }: Wanted,
  columnsOf: (tx: App) => Promise<Parameters<typeof writeFactors>[2]>,
): Promise<string[]> {
  const backup: NewCodes = needsCodes ? await makeBackupCodes(ctx) : { codes: [], rows: [] }
  const work = async (tx: App) => {
    await writeFactors(tx, ctx.user.id, await columnsOf(tx))
    if (needsCodes) await insertBackupCodes(tx, ctx.user.id, backup, true)
  }
  await enableFactor(ctx, unproven(type), work, revokeOtherSessions)
  return [...backup.codes]
}

/** @throws ApiError OTP_ISNT_CONFIGURED, EMAIL_NOT_VERIFIED, PHONE_NUMBER_NOT_VERIFIED */
async function enableSentCodes(ctx: SignedIn, wanted: Channel | undefined, how: Wanted) {
  const channel = wanted ?? reachableChannels(ctx, ctx.user)[0]
  const configured = channels.filter((one) => sendsBy(ctx, one))
  if (configured.length === 0 || (wanted && !configured.includes(wanted))) throw new ApiError(errors.OTP_ISNT_CONFIGURED)
  if (!channel || recipientOf(ctx.user, channel) === null) throw new ApiError(unverified(channel ?? configured[0]))
  const backupCodes = await enableWithoutCode(ctx, 'otp', how, async (tx) => {
    const row = await findFactors(tx, ctx.user.id)
    const all = channels.filter((one) => one === channel || (row && channelsOf(row).includes(one)))
    return { otpChannels: all.join(','), otpAddedAt: tx.now(), otpAddedWith: deviceOf(tx) }
  })
  return { method: 'otp' as const, backupCodes }
}

/** A factor of another feature, which the user has already. @throws ApiError that of the feature when they have none */
async function enableOther(ctx: SignedIn, type: 'passkey', how: Wanted) {
  const factor = factorOf(ctx, type)
  if ((await factor.usability(ctx, ctx.user, null)) !== 'usable') throw new ApiError(factor.missing)
  return { method: type, backupCodes: await enableWithoutCode(ctx, type, how, async () => ({ passkeys: true })) }
}

const unverified = (channel: Channel | undefined): ErrorEntry =>
  channel === 'email' ? passwordErrors.EMAIL_NOT_VERIFIED : numberErrors.PHONE_NUMBER_NOT_VERIFIED

/**
 * The proof that the set-up of a factor needs. Backup codes are on no probation, an app takes the place of the former one, and another
 * channel puts the former one on probation: a factor on probation must not be what permits these. It may only add one.
 * @returns whether the user has no backup codes, and gets some
 * @throws ApiError INVALID_PASSWORD, SESSION_IS_NOT_FRESH
 */
async function requireSetUpProof(ctx: SignedIn, method: Kind, password: string | undefined): Promise<boolean> {
  const needsCodes = !(await hasBackupCodes(ctx, ctx.user.id))
  const sendsAlready = method === 'otp' && kindsOf(await findFactors(ctx, ctx.user.id)).includes('otp')
  const addsOnly = method !== 'totp' && !needsCodes && !sendsAlready
  await requireStrongProof(ctx, password, addsOnly ? 'recent' : 'established')
  return needsCodes
}

/** In a sign-in. A user who has not proven an established factor keeps their backup codes, because it may be a thief who sets up another one. */
async function beginWhileWaiting(ctx: CallContext, setup: SetupSubject, method: Kind, issuer: string | undefined) {
  const { user, challenge } = setup
  const begun = await beginInSetup(ctx, setup, method, issuer)
  if (!hasSecondFactor(user) || isEstablished(ctx, challenge.first.columns ?? {})) return begun
  await deletePendingCodes(ctx, user.id)
  return { ...begun, backupCodes: [] }
}

/** @throws ApiError TOTP_NOT_ENABLED */
async function showSecret(ctx: SignedIn): Promise<string> {
  const { disable, allowReveal } = ctx.config.twoFactor.totpOptions
  const row = await findFactors(ctx, ctx.user.id)
  const which = pendingSecret(ctx, row) === null ? 'active' : 'pending'
  const mayShow = !disable && (which === 'pending' || allowReveal)
  const uri = row && mayShow ? secretURI(ctx, row, ctx.user.email, which) : null
  if (uri === null) throw new ApiError(errors.TOTP_NOT_ENABLED)
  // A transaction, so that a session which has just ended is shown nothing.
  await transaction(ctx, (tx) =>
    recordEvent(tx, { action: 'two-factor.secret-shown', target: { type: 'user', id: ctx.user.id } }),
  )
  return uri
}

async function renewBackupCodes(ctx: SignedIn): Promise<string[]> {
  const backup = await makeBackupCodes(ctx)
  await transaction(ctx, (tx) => replaceCodes(tx, ctx, backup))
  return [...backup.codes]
}

async function replaceCodes(tx: App, ctx: SignedIn, backup: NewCodes): Promise<void> {
  await insertBackupCodes(tx, ctx.user.id, backup, false)
  await recordEvent(tx, { action: 'two-factor.backup-codes-created', target: { type: 'user', id: ctx.user.id } })
  await notify(tx, 'backup-codes-created', ctx.user, originOf(ctx), { left: backup.codes.length })
}

export const setupRoutes = {
  'POST /two-factor/enable': route({
    summary: 'Set up a second factor',
    description:
      'Starts to set up an authenticator app, or enables codes that are sent. Returns backup codes, which are shown once. An app is enabled by its first code (`/two-factor/verify-totp`); what was enabled before works until then. At a sign-in that waits for the set-up of a second factor, no password is needed. Fails when the password is wrong, or the method is not configured.',
    access: optionalSession(),
    stepUp: 'after-password',
    acceptsPending: ['setup'],
    signsIn: ['replaced-session'],
    sensitive: true,
    body: z.object({
      password,
      issuer: z.string().min(1).max(64).optional(),
      method: z.enum(methods).default('totp'),
      channel: z.enum(channels).optional(),
      revokeOtherSessions: revokeOtherSessions.describe(
        'Revoke all other sessions when this call enables the factor: an app takes it with its first code',
      ),
      challengeToken,
    }),
    returns: z.object({ method: z.enum(methods), totpURI: totpURI.optional(), backupCodes }),
    errors: [
      ...proofErrors,
      errors.TOTP_ISNT_CONFIGURED,
      errors.TOTP_NOT_ENABLED,
      errors.TWO_FACTOR_ISNT_ENABLED,
      errors.OTP_ISNT_CONFIGURED,
      passwordErrors.EMAIL_NOT_VERIFIED,
      numberErrors.PHONE_NUMBER_NOT_VERIFIED,
      errors.EMAIL_CODE_REQUIRED,
    ],
    rateLimit,
    handler: async (call) => {
      const { method, issuer, channel, revokeOtherSessions = false } = call.body
      const setup = await findSetup(call, call.body.challengeToken)
      if (setup) return beginWhileWaiting(call, setup, method, issuer)
      if (!isSignedIn(call)) throw new ApiError(kernelErrors.UNAUTHORIZED)
      const ctx = call
      const needsCodes = await requireSetUpProof(ctx, method, ctx.body.password)
      const how = { needsCodes, revokeOtherSessions }
      if (method === 'passkey') return enableOther(ctx, method, how)
      return method === 'totp' ? enableTOTP(ctx, issuer, revokeOtherSessions) : enableSentCodes(ctx, channel, how)
    },
  }),
  'POST /two-factor/get-totp-uri': route({
    summary: 'Get the URI of the authenticator app',
    description:
      'Returns the `otpauth:` URI of the app that is being set up, else of the one in use, unless `twoFactor.totpOptions.allowReveal` is off. Fails when there is none, and when the password is wrong.',
    access: session(),
    stepUp: 'after-password',
    sensitive: true,
    body: z.object({ password }),
    returns: z.object({ totpURI }),
    errors: [errors.TOTP_ISNT_CONFIGURED, errors.TOTP_NOT_ENABLED, ...proofErrors],
    rateLimit,
    handler: async (ctx) => {
      if (ctx.config.twoFactor.totpOptions.disable) throw new ApiError(errors.TOTP_ISNT_CONFIGURED)
      const row = await findFactors(ctx, ctx.user.id)
      if (pendingSecret(ctx, row) === null && row?.secret == null) throw new ApiError(errors.TOTP_NOT_ENABLED)
      // With the secret of the app, what is on probation would prove the app.
      await requireStrongProof(ctx, ctx.body.password, 'established')
      return { totpURI: await showSecret(ctx) }
    },
  }),
  'POST /two-factor/generate-backup-codes': route({
    summary: 'Create new backup codes',
    description: 'Creates backup codes in place of the former ones, and returns them once. Fails without a second factor.',
    access: session(),
    stepUp: 'after-password',
    sensitive: true,
    body: z.object({ password }),
    returns: z.object({ status: z.literal(true), backupCodes }),
    errors: [errors.TWO_FACTOR_ISNT_ENABLED, ...proofErrors],
    rateLimit,
    handler: async (ctx) => {
      if (!hasSecondFactor(ctx.user)) throw new ApiError(errors.TWO_FACTOR_ISNT_ENABLED)
      // The new codes are on no probation, and the former ones end. The first factor of a user is on none either, so no set-up has to wait.
      await requireStrongProof(ctx, ctx.body.password, 'established')
      return { status: true as const, backupCodes: await renewBackupCodes(ctx) }
    },
  }),
  'POST /two-factor/disable': route({
    summary: 'Remove a second factor',
    description:
      'Removes one second factor, or all. With the last one, backup codes and trusted browsers end. Replaces the session. Fails when the password is wrong, and when a rule demands what would be removed.',
    access: session(),
    stepUp: 'after-password',
    signsIn: ['replaced-session'],
    sensitive: true,
    body: z.object({ password, method: z.enum(methods).optional(), revokeOtherSessions: z.boolean().optional() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [errors.SECOND_FACTOR_CANNOT_BE_DISABLED, ...proofErrors],
    rateLimit,
    handler: async (ctx) => {
      const { method = null, revokeOtherSessions = false } = ctx.body
      // A factor on probation must not push out another one. A passkey proves its user also when it is not an enabled factor.
      await requireStrongProof(ctx, ctx.body.password, 'established')
      await disableFactors(ctx, method, revokeOtherSessions)
      return { status: true as const }
    },
  }),
}
