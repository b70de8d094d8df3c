/** The calls that prove a second factor: by a pending challenge, or with a session. */
import { z } from 'zod'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import { optionalSession } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { errors as sessionErrors } from '../sessions/index.ts'
import { userView } from '../users/index.ts'
import { channels } from './config.ts'
import { sendsCodes } from './methods.ts'
import { errors } from './model.ts'
import { sendCode } from './sent-codes.ts'
import { setupChannel } from './setup.ts'
import { findSetup, subjectOf } from './subject.ts'
import {
  answer,
  backupAnswer,
  challengeToken,
  channelFor,
  trustDevice,
  verifyBackupCode,
  verifySentCode,
  verifyTOTP,
} from './verification.ts'

export const backupCodes = z.array(z.string()).meta({ examples: [['3jR3b-rTAEj', '1GepA-PSi7Z']] })

/** Per path and client network (contract 00 §7). */
export const rateLimit = { window: 10, max: 3 }

const answered = z.object({
  token: z.string(),
  user: userView,
  backupCodes: backupCodes.optional(),
  redirect: z.boolean().optional(),
  url: z.string().optional().meta({ description: 'The `callbackURL` of the first factor' }),
})

const common: readonly ErrorEntry[] = [
  errors.INVALID_TWO_FACTOR_COOKIE,
  errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE,
  sessionErrors.FAILED_TO_CREATE_SESSION,
]

const proven =
  'With a pending challenge, completes the sign-in and sets the session cookie; also with one that waits for the set-up of this second factor. With a session, notes the proof and replaces its token.'

export const verifyRoutes = {
  'POST /two-factor/verify-totp': route({
    summary: 'Verify a code of an authenticator app',
    description: `${proven} The first code after \`/two-factor/enable\` enables the app; a user who has another second factor must have proven it. A code works once. Fails when the code is wrong, and after too many wrong ones.`,
    access: optionalSession(),
    whileReadOnly: 'operators',
    acceptsPending: ['verify', 'setup'],
    signsIn: ['first-factor', 'replaced-session'],
    sensitive: true,
    body: answer,
    returns: answered,
    errors: [
      kernelErrors.SESSION_IS_NOT_FRESH,
      errors.TOTP_ISNT_CONFIGURED,
      errors.ACCOUNT_TEMPORARILY_LOCKED,
      errors.TOTP_NOT_ENABLED,
      errors.INVALID_CODE,
      errors.EMAIL_CODE_REQUIRED,
      ...common,
    ],
    rateLimit,
    handler: (ctx) => verifyTOTP(ctx, ctx.body),
  }),
  'POST /two-factor/send-otp': route({
    summary: 'Send a code as second factor',
    description:
      'Sends a code by text message or email, for `/two-factor/verify-otp`. A new code replaces the former one. Responds in the same way when a code was sent a short time ago, or too many.',
    access: optionalSession(),
    whileReadOnly: 'operators',
    acceptsPending: ['verify', 'setup'],
    sensitive: true,
    body: z.object({ channel: z.enum(channels).optional(), trustDevice, challengeToken }).optional(),
    returns: z.object({ status: z.literal(true) }),
    errors: [errors.OTP_ISNT_CONFIGURED, errors.INVALID_TWO_FACTOR_COOKIE, errors.OTP_NOT_ENABLED],
    rateLimit,
    handler: async (ctx) => {
      const setup = await findSetup(ctx, ctx.body?.challengeToken)
      if (setup) {
        await sendCode(ctx, setup, await setupChannel(ctx, setup, ctx.body?.channel))
        return { status: true as const }
      }
      if (!sendsCodes(ctx)) throw new ApiError(errors.OTP_ISNT_CONFIGURED)
      const subject = await subjectOf(ctx, ctx.body?.challengeToken)
      await sendCode(ctx, subject, await channelFor(ctx, subject, ctx.body?.channel))
      return { status: true as const }
    },
  }),
  'POST /two-factor/verify-otp': route({
    summary: 'Verify a code that was sent',
    description: `${proven} A code works once. At a sign-in that waits for the set-up of a second factor, the first code proves the mailbox, and gives no session. Fails when the code is wrong or expired, and after too many wrong ones.`,
    access: optionalSession(),
    whileReadOnly: 'operators',
    acceptsPending: ['verify', 'setup'],
    signsIn: ['first-factor', 'replaced-session'],
    sensitive: true,
    body: answer,
    returns: answered.partial({ token: true, user: true }).extend({ status: z.literal(true).optional() }),
    errors: [
      kernelErrors.SESSION_IS_NOT_FRESH,
      errors.OTP_ISNT_CONFIGURED,
      errors.ACCOUNT_TEMPORARILY_LOCKED,
      errors.OTP_NOT_ENABLED,
      errors.OTP_HAS_EXPIRED,
      errors.INVALID_CODE,
      ...common,
    ],
    rateLimit,
    handler: (ctx) => verifySentCode(ctx, ctx.body),
  }),
  'POST /two-factor/verify-backup-code': route({
    summary: 'Verify a backup code',
    description: `${proven} A code works once. With \`disableSession\`, uses the code and changes nothing else. Fails when the code is wrong or used.`,
    access: optionalSession(),
    acceptsPending: ['verify'],
    signsIn: ['first-factor'],
    sensitive: true,
    body: backupAnswer,
    returns: answered.extend({ token: z.string().optional(), backupCodesLeft: z.int() }),
    errors: [errors.BACKUP_CODES_ARENT_ENABLED, errors.INVALID_BACKUP_CODE, ...common],
    rateLimit,
    handler: (ctx) => verifyBackupCode(ctx, ctx.body),
  }),
}
