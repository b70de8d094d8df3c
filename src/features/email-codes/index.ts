/** Codes by email: to sign in, to sign up, to verify an email address, to reset a password and to change the address. */
import { z } from 'zod'
import { type App, callOf } from '../../core/app.ts'
import { type ConfigIssue, callback, flagged, section } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import { event, type Listeners } from '../../core/events.ts'
import { settings } from '../../core/feature.ts'
import type { CallContext } from '../../core/request.ts'
import type { SignInMethod } from '../../core/sign-in.ts'
import { clearAttempts } from '../attempts/index.ts'
import { canVerify, codeAccount, mailPause } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import { isSent, mailSender, mailTemplates } from '../outbox/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { type ComparingCode, type LinkOfCode, type OtherCode, type PreparingCode, proven, sendCode } from './codes.ts'
import { type CodeKind, type CodeMail, mails, type SignInMail } from './mails.ts'

export type { OtherCode } from './codes.ts'
export { errors, mails } from './mails.ts'
export { routes } from './routes.ts'

export const area = 'Codes and links by email'

export const plugin = 'email-otp'

export const config = {
  ...cookieOptions('email_otp'),
  ...mailTemplates<{ 'email-code': CodeMail; 'sign-in-email': SignInMail; 'email-change-code': CodeMail }>({
    'email-code': 'with a code',
    'sign-in-email': 'with a code and a link to sign in',
    'email-change-code': 'with a code for a new email address',
  }),
  emailOTP: section('Codes by email', {
    otpLength: z.int().min(6).max(10).default(6).describe('Digits of a code'),
    expiresIn: z.int().min(60).max(600).default(600).describe('Lifetime of a code in seconds'),
    allowedAttempts: z.int().min(1).max(10).default(3).describe('Wrong codes after which a new code is needed'),
    disableSignUp: z.boolean().default(false).describe('Create no users: a code signs in only users who exist'),
    sendVerificationOnSignUp: z
      .boolean()
      .default(false)
      .describe('Send a code that verifies the email address at sign-up, in place of a verification link'),
    overrideDefaultEmailVerification: z
      .boolean()
      .default(false)
      .describe('Send a code in place of each verification link, except by `emailVerification.sendVerificationEmail`'),
    changeEmail: flagged('Changes of the email address with a code to the new one', {
      verifyCurrentEmail: z.boolean().default(true).describe('Also require a code that was sent to the current email address'),
    }),
    sendVerificationOTP: mailSender<CodeMail>('code'),
    generateOTP: callback<(code: { readonly email: string; readonly type: CodeKind }) => string | Promise<string>>()
      .optional()
      .describe('Function that makes a code: 6 to 32 letters and digits; default: random digits'),
    rateLimit: z
      .strictObject({
        window: z.int().positive().describe('Length of the window, in seconds'),
        max: z.int().positive().describe('Requests allowed in the window'),
      })
      .default({ window: 60, max: 3 })
      .describe('Rate limit of each of the calls'),
    bindToBrowser: z
      .boolean()
      .default(true)
      .describe(
        'A code works only in the browser that asked for it, so that an attacker elsewhere cannot guess it, use up its attempts or replace it',
      ),
  }),
}

export const enabled = ({ emailOTP }: Config): boolean => emailOTP.enabled

export function checkConfig({ emailOTP, emailVerification }: Config): ConfigIssue[] {
  if (!emailOTP.overrideDefaultEmailVerification || typeof emailVerification.sendVerificationEmail !== 'function') return []
  return [
    {
      id: 'email-codes-override',
      path: 'emailOTP.overrideDefaultEmailVerification',
      message: 'emailVerification.sendVerificationEmail is a function: it sends links, and no code replaces them.',
      hint: 'Remove one of the two.',
    },
  ]
}

export const signInMethod: SignInMethod = {
  name: proven.method,
  exists: (config) => isSent(config, mails['email-code']),
  isAvailable: ({ config }, { emailVerified }) => emailVerified && isSent(config, mails['email-code']),
  expects: () => ({ proofs: [proven], reason: 'has-email' }),
}

/** Whether emails that verify an address have a code, at least those after a sign-up; the pages then ask for one in each case. */
const verifiesByCode = ({ emailOTP, emailVerification }: Config): boolean =>
  (emailOTP.overrideDefaultEmailVerification || emailOTP.sendVerificationOnSignUp) &&
  typeof emailVerification.sendVerificationEmail !== 'function'

export const publicSettings = settings(
  {
    emailCodes: z
      .object({
        signUp: z.boolean(),
        verification: z.boolean().meta({ description: 'Verification emails have a code in place of a link' }),
        changesEmail: z.boolean(),
        verifiesCurrentEmail: z.boolean(),
        codeLength: z.int(),
        expiresIn: z.int().meta({ description: 'Lifetime of a code in seconds' }),
        resendAfter: z.int().meta({ description: 'Seconds between two codes to one email address' }),
      })
      .nullable(),
  },
  (config) => {
    const { otpLength, expiresIn, disableSignUp, changeEmail } = config.emailOTP
    if (!config.emailOTP.enabled || !isSent(config, mails['email-code'])) return { emailCodes: null }
    return {
      emailCodes: {
        signUp: !disableSignUp,
        verification: verifiesByCode(config),
        changesEmail: changeEmail.enabled,
        verifiesCurrentEmail: changeEmail.verifyCurrentEmail,
        ...{ codeLength: otpLength, expiresIn, resendAfter: mailPause() },
      },
    }
  },
)

export const events = {
  /**
   * Before a code to sign in is sent by email, outside a transaction: a listener returns a link that does the same. The code gets the
   * id of the link, and the use of one deletes both.
   */
  'email-code.preparing': event<PreparingCode, { readonly link: LinkOfCode | undefined }>(),
  /** Before a code to sign in is compared: a listener returns other codes that this browser has asked for, to this address. */
  'email-code.comparing': event<ComparingCode, { readonly others: readonly OtherCode[] }>(),
}

export const auditActions = {
  'email-code.requested':
    'A code by email was requested; `kind` is what for, and the target the user, if there is one who gets it',
}

const isSigningUp = (app: App): boolean => callOf(app)?.request.path.startsWith('/sign-up') === true

export const on: Listeners = {
  'verification-mail.sending': async (tx, { user, isDecoy }) => {
    const { overrideDefaultEmailVerification, sendVerificationOnSignUp } = tx.config.emailOTP
    if (typeof tx.config.emailVerification.sendVerificationEmail === 'function') return
    if (!overrideDefaultEmailVerification && !(sendVerificationOnSignUp && isSigningUp(tx))) return
    await sendCode(tx, 'email-verification', user.email, { user: isDecoy ? null : user, isSent: !isDecoy })
    return { isReplaced: true }
  },
  'user.erasing': async (app, { user }) => clearAttempts(app, codeAccount(user.email), null),
}

/** When a sign-up has sent no email that verifies the address. Known and unknown addresses take the same work. */
async function sendAfterSignUp(ctx: CallContext): Promise<void> {
  const { emailAndPassword, emailVerification, emailOTP } = ctx.config
  const hasSent = (emailAndPassword.requireEmailVerification || emailVerification.sendOnSignUp) && canVerify(ctx)
  if (!emailOTP.sendVerificationOnSignUp || hasSent) return
  const email = String(Reflect.get(Object(Reflect.get(ctx, 'body')), 'email')).toLowerCase()
  const user = await findUserByEmail(ctx, email)
  await sendCode(ctx, 'email-verification', email, { user, isSent: user?.emailVerified === false })
}

export const after = { 'POST /sign-up/email': (ctx: CallContext) => sendAfterSignUp(ctx) }
