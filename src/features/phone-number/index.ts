/** Phone numbers: verified by codes in text messages, to sign in with a code or a password, to sign up, and to reset passwords. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { callback, section } from '../../core/config.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { event, type Listeners } from '../../core/events.ts'
import { ofAccount, settings, type UserFields } from '../../core/feature.ts'
import { requireFresh, requireOwnSession, sensitiveCalls } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { boolean, index, internal, nullable, string, unique } from '../../core/table.ts'
import { canSignIn, listAccounts } from '../accounts/index.ts'
import { clearAttempts } from '../attempts/index.ts'
import type { Config } from '../index.ts'
import { clearTextCounts, mailSender, mailTemplates, resendDelay } from '../outbox/index.ts'
import { type DescribedUser, findUserById } from '../users/index.ts'
import { attemptAccount, type CodeMessage, sendsCodes, sendsResetCodes } from './codes.ts'
import { columnLength, errors, findUserByNumber, readNumber, storedForm } from './numbers.ts'
import { type NumberNotice, removeNumber, syncVerifiedNumber } from './verification.ts'

export { signInMethod, texts } from './codes.ts'
export { errors, storedForm } from './numbers.ts'
export { routes } from './routes.ts'
export { mails } from './verification.ts'

export const area = 'Phone numbers'

export const plugin = 'phone-number'

interface SignUpFunctions {
  getTempEmail(phoneNumber: string): string | Promise<string>
  getTempName?(phoneNumber: string): string | Promise<string>
}

const send = (code: string) =>
  callback<(message: CodeMessage) => unknown>()
    .optional()
    .describe(`Function that sends ${code}, with \`{ phoneNumber, code }\`; default: a text message by \`sms.send\``)

export const config = {
  ...mailTemplates<{ 'phone-number-changed': NumberNotice }>({
    'phone-number-changed': 'that notifies of a new phone number',
  }),
  phoneNumber: section('Phone numbers, verified by codes in text messages', {
    otpLength: z.int().min(4).max(10).default(6).describe('Digits of a code'),
    expiresIn: z.int().min(30).max(3600).default(300).describe('Lifetime of a code in seconds'),
    allowedAttempts: z.int().min(1).max(10).default(3).describe('Wrong codes after which a new code is needed'),
    sendOTP: send('a code that verifies a phone number'),
    sendPasswordResetOTP: send('a code that resets a password'),
    sendForgetPasswordOTP: send('the same code, by its older name'),
    phoneNumberValidator: callback<(phoneNumber: string) => boolean | Promise<boolean>>()
      .optional()
      .describe(
        'Function that returns whether a phone number, without spaces and punctuation, is valid; default: international numbers that start with + (ITU-T E.164)',
      ),
    requireVerification: z
      .boolean()
      .default(false)
      .describe('Reject a sign-in with password and a phone number that is not verified, and send a code'),
    requireFreshSession: z
      .boolean()
      .default(true)
      .describe(
        'To change the phone number, require a session within `session.freshAge` of the sign-in, so that a stolen cookie does not become an account',
      ),
    callbackOnVerification: callback<(verified: { readonly phoneNumber: string; readonly user: DescribedUser }) => unknown>()
      .optional()
      .describe('Called after a phone number was verified by a sign-in or sign-up; an error rejects the call'),
    signUpOnVerification: z
      .strictObject({
        getTempEmail: callback<SignUpFunctions['getTempEmail']>().describe(
          'Function that returns a unique placeholder for the email address',
        ),
        getTempName: callback<NonNullable<SignUpFunctions['getTempName']>>()
          .optional()
          .describe('Function that returns the name; default: the phone number'),
      })
      .optional()
      .describe(
        'Create a user when an unknown phone number is verified; `getTempEmail(phoneNumber)` returns a unique placeholder for the email address, `getTempName(phoneNumber)` the name',
      ),
    sendPhoneNumberChanged: mailSender<NumberNotice>('notice of a new phone number to a verified email address'),
  }),
}

export const enabled = (config: Config) => config.phoneNumber.enabled

export const tables = {
  user: {
    phoneNumber: nullable(string({ length: columnLength })),
    phoneNumberVerified: nullable(boolean()),
    verifiedPhoneNumber: internal(nullable(unique(string({ length: columnLength })))),
  },
}

export const indexes = { user: [index('phoneNumber'), index('phoneNumberVerified', 'id')] }

export const publicSettings = settings(
  {
    phoneNumber: z
      .object({
        codes: z.boolean(),
        passwords: z.boolean(),
        signUp: z.boolean(),
        passwordReset: z.boolean(),
        codeLength: z.int(),
        resendAfter: z.int().meta({ description: 'Seconds between two codes to one number' }),
        requiresFreshSession: z.boolean(),
      })
      .nullable(),
  },
  (config) => {
    const { enabled, otpLength, signUpOnVerification, requireFreshSession } = config.phoneNumber
    if (!enabled) return { phoneNumber: null }
    return {
      phoneNumber: {
        codes: sendsCodes(config),
        passwords: config.emailAndPassword.enabled,
        signUp: signUpOnVerification !== undefined && sendsCodes(config),
        passwordReset: config.emailAndPassword.enabled && sendsResetCodes(config),
        codeLength: otpLength,
        resendAfter: resendDelay(config),
        requiresFreshSession: requireFreshSession,
      },
    }
  },
)

const fields = { phoneNumber: z.string().nullable().optional(), phoneNumberVerified: z.boolean().nullable().optional() }
const given = z.object(fields)

/** A number that a user gives is a claim, which permits nothing until it is verified (contract 06 §6). Operators set it, verified or not. */
export const userFields: UserFields = {
  shape: (_config, source) => (source === 'operator' ? fields : { phoneNumber: fields.phoneNumber }),
  read: async (app, body, source) => {
    const { phoneNumber, phoneNumberVerified } = given.parse(body)
    const isVerified = source !== 'operator' || phoneNumberVerified === undefined ? {} : { phoneNumberVerified }
    if (phoneNumber === undefined) return isVerified
    if (phoneNumber === null) return source === 'sign-up' ? {} : { phoneNumber, phoneNumberVerified: null }
    return { phoneNumber: await readNumber(app, phoneNumber), phoneNumberVerified: false, ...isVerified }
  },
}

/** @throws ApiError PHONE_NUMBER_CANNOT_BE_UPDATED when the verified number of a user is their only sign-in method */
async function requireOtherMethod(app: App, user: UserRow): Promise<void> {
  const others = { ...user, phoneNumber: null, phoneNumberVerified: null }
  if (!(await canSignIn(app, others, await listAccounts(app, user.id)))) throw new ApiError(errors.PHONE_NUMBER_CANNOT_BE_UPDATED)
}

/** Once more in the transaction that changes the number, which has locked the user: their last account may be unlinked as well. */
async function requireMethodAfter(tx: App, userId: string): Promise<void> {
  const isOwn = tx.actor.kind === 'user' && tx.actor.userId === userId
  const user = isOwn ? await findUserById(tx, userId) : null
  // The column still has the number from before the change.
  if (user && user.verifiedPhoneNumber !== null && !user.phoneNumberVerified) await requireOtherMethod(tx, user)
}

export const before = {
  'POST /update-user': async (ctx: CallContext, { body }: { readonly body: unknown }) => {
    const given: unknown = Reflect.get(Object(body), 'phoneNumber')
    if (given === undefined) return
    const current = await ctx.identify()
    if (!current) return
    requireOwnSession(current)
    const { phoneNumber, phoneNumberVerified } = current.user
    // The number that they have verified stays verified.
    if (typeof given === 'string' && phoneNumberVerified && storedForm(given) === phoneNumber)
      return void Reflect.deleteProperty(Object(body), 'phoneNumber')
    if (!phoneNumberVerified) return
    await requireOtherMethod(ctx, current.user)
    // It may be a second factor, or where a reset is confirmed: a factor on probation must not end that.
    await requireFresh(ctx, sensitiveCalls, 'established')
  },
}

const changeErrors = [errors.INVALID_PHONE_NUMBER, errors.PHONE_NUMBER_ALREADY_EXISTS]

export const rejections = {
  'POST /sign-up/email': [errors.INVALID_PHONE_NUMBER],
  'POST /passkey/sign-up': [errors.INVALID_PHONE_NUMBER],
  'POST /passkey/verify-registration': changeErrors,
  'POST /update-user': [errors.PHONE_NUMBER_CANNOT_BE_UPDATED, errors.INVALID_PHONE_NUMBER, kernelErrors.SESSION_IS_NOT_FRESH],
  'POST /admin/create-user': changeErrors,
  'POST /admin/update-user': [...changeErrors, errors.PHONE_NUMBER_CANNOT_BE_UPDATED],
}

export const events = {
  /** In the transaction of the change: the user has another verified number than before. */
  'phone-number.changed': event<{ readonly userId: string }>(),
}

export const on: Listeners = {
  'user.creating': (_, { user: { phoneNumber, phoneNumberVerified } }) =>
    phoneNumber && phoneNumberVerified ? { verifiedPhoneNumber: phoneNumber } : {},
  // Of imported users.
  'user.created': async (tx, { user }) => {
    if (user.phoneNumberVerified && user.phoneNumber) await syncVerifiedNumber(tx, user.id)
  },
  'user.updated': async (tx, { userId, columns }) => {
    const changed = columns ?? fields
    if (!('phoneNumber' in changed || 'phoneNumberVerified' in changed)) return
    if (columns) await requireMethodAfter(tx, userId)
    await syncVerifiedNumber(tx, userId)
  },
  'user.conflicting': async (app, { userId, columns: { phoneNumber } }) => {
    const owner = phoneNumber ? await findUserByNumber(app, phoneNumber) : null
    if (owner && owner.id !== userId) throw new ApiError(errors.PHONE_NUMBER_ALREADY_EXISTS)
  },
  // An attacker who signed up with the email address of another person may have added a number, by which they sign in.
  'earlier-access.revoked': (tx, { userId }) => removeNumber(tx, userId),
  'user.erasing': async (app, { user: { phoneNumber } }) => {
    if (!phoneNumber) return
    await app.db.deleteFrom('outbox').where('recipient', '=', phoneNumber).execute()
    await clearTextCounts(app, phoneNumber)
    await clearAttempts(app, attemptAccount(phoneNumber), null)
  },
}

export const auditActions = {
  'phone-number.code-requested': 'A code was sent to a phone number; the target is the user who has it, if there is one',
  'phone-number.verified': ofAccount('A user verified a phone number, or signed up with it'),
  'phone-number.released':
    'A phone number was removed from a user, because another user has verified it, or because the owner of an unverified email address may be another person',
}
