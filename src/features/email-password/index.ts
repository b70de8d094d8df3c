/** Sign-up and sign-in with email address and password. */
import { z } from 'zod'
import { type ConfigIssue, callback, flagged, group } from '../../core/config.ts'
import { writesCookies } from '../../core/cookies.ts'
import { ApiError } from '../../core/errors.ts'
import { event } from '../../core/events.ts'
import { type Feature, settings } from '../../core/feature.ts'
import { anyone } from '../../core/permissions.ts'
import type { CustomHash } from '../../core/ports.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { isReachableEmail } from '../../lib/placeholder-email.ts'
import { isEmailAddress } from '../../lib/text.ts'
import { errors as accountErrors } from '../accounts/index.ts'
import { fieldRequired } from '../custom-fields/index.ts'
import { rememberBrowser } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import { mailTemplates } from '../outbox/index.ts'
import { errors as ruleErrors } from '../password-rules/index.ts'
import { errors as sessionErrors, shownToken, signIn } from '../sessions/index.ts'
import { typedEmail, errors as userErrors, userFieldShape, userView } from '../users/index.ts'
import { errors as verificationErrors } from '../verifications/index.ts'
import { authenticateByPassword, checkPasswordLength, errors, requireVerifiedEmail } from './credentials.ts'
import { requireAdmission, signUp, signUpAndIn, signUpBody, signUpQuietly } from './sign-up.ts'

export {
  authenticateByPassword,
  checkPassword,
  checkPasswordLength,
  createUserWithPassword,
  errors,
  newUserWithPassword,
  provePassword,
  requirePassword,
  requireVerifiedEmail,
  signInMethod,
} from './credentials.ts'
export { mails } from './sign-up.ts'

export const area = 'Sign-up and sign-in'

export const events = {
  /** Outside a transaction: a user signed in with a password that they must replace. */
  'password.replacement-required': event<{ readonly user: UserRow }>(),
  /** Outside a transaction: no user has this email address and password. Listeners take no time of the response. */
  'password.sign-in-failed': event<{ readonly email: string }>(),
}

export const config = {
  ...mailTemplates<{ 'account-exists': object }>({ 'account-exists': 'to a user whose email address was used to sign up again' }),
  emailAndPassword: flagged('Sign-up and sign-in with email address and password', {
    disableSignUp: z.boolean().default(false).describe('Disable sign-up'),
    requireEmailVerification: z
      .boolean()
      .default(false)
      .describe('Require a verified email before sign-in; sign-up and sign-in send the verification email'),
    antiEnumeration: z
      .boolean()
      .default(false)
      .describe(
        'Do not reveal whether an email address has an account: sign-up and `/change-email` always respond the same, and notify an existing user by email; needs requireEmailVerification',
      ),
    minPasswordLength: z
      .int()
      .min(8)
      .max(128)
      .default(8)
      .describe('Minimum password length; NIST SP 800-63B recommends 15 without a second factor'),
    maxPasswordLength: z.int().min(64).max(1000).default(128).describe('Maximum password length'),
    password: group('Custom hash functions in place of argon2id; set both or neither', {
      hash: callback<CustomHash['hash']>().optional().describe('Function that hashes a password and returns the string to store'),
      verify: callback<CustomHash['verify']>()
        .optional()
        .describe(
          'Function that gets `{ hash, password }` and returns whether they match; called for hashes of your own function',
        ),
    }),
    autoSignIn: z.boolean().default(true).describe('Create a session at sign-up'),
  }),
}

export function checkConfig({ emailAndPassword, user }: Config): ConfigIssue[] {
  const issues: ConfigIssue[] = []
  if (emailAndPassword.minPasswordLength > emailAndPassword.maxPasswordLength) {
    issues.push({
      id: 'password-bounds',
      path: 'emailAndPassword.minPasswordLength',
      message: 'The minimum password length exceeds the maximum.',
    })
  }
  const { hash, verify } = emailAndPassword.password
  if (Boolean(hash) !== Boolean(verify)) {
    issues.push({
      id: 'password-functions',
      path: `emailAndPassword.password.${hash ? 'verify' : 'hash'}`,
      message: 'Only one of the functions hash and verify is set.',
      hint: 'Set both functions or neither.',
    })
  }
  if (emailAndPassword.antiEnumeration && !emailAndPassword.requireEmailVerification) {
    issues.push({
      id: 'anti-enumeration',
      path: 'emailAndPassword.antiEnumeration',
      message: 'Immediate sign-in of a new account reveals whether its email address was known.',
      hint: 'Also set requireEmailVerification.',
    })
  }
  const revealing = Object.entries(user.additionalFields).filter(([, { unique, input }]) => unique && input)
  for (const [name] of emailAndPassword.antiEnumeration ? revealing : []) {
    issues.push({
      id: 'anti-enumeration-unique',
      path: `user.additionalFields.${name}.unique`,
      message: 'Whether a sign-up stored the value of a unique field reveals whether its email address was known.',
      hint: 'Set `input: false`, or `unique: false`, or switch antiEnumeration off.',
    })
  }
  return issues
}

export const publicSettings = settings(
  {
    emailPassword: z
      .object({
        signUp: z.boolean(),
        autoSignIn: z.boolean(),
        requiresVerification: z.boolean(),
        minPasswordLength: z.int(),
        maxPasswordLength: z.int(),
        blocksCommonPasswords: z.boolean(),
        blocksPersonalPasswords: z.boolean(),
      })
      .nullable(),
  },
  ({ emailAndPassword, passwordRules }) => ({
    emailPassword: emailAndPassword.enabled
      ? {
          signUp: !emailAndPassword.disableSignUp,
          autoSignIn: emailAndPassword.autoSignIn,
          requiresVerification: emailAndPassword.requireEmailVerification,
          minPasswordLength: emailAndPassword.minPasswordLength,
          maxPasswordLength: emailAndPassword.maxPasswordLength,
          blocksCommonPasswords: passwordRules.enabled && passwordRules.blockCommon,
          blocksPersonalPasswords: passwordRules.enabled && passwordRules.contextWords,
        }
      : null,
  }),
)

export const routes = {
  'POST /sign-up/email': route({
    summary: 'Sign up with email and password',
    description:
      'Creates a user with a password and, by default, a session. `token` is null when no session was created: email verification is required, `autoSignIn` is off, or `antiEnumeration` hides whether the email address was known. Fails when the sign-up policy rejects the email address, when it is already used, or the password does not meet the password rules.',
    access: anyone(),
    body: (config: Config, _tables: Tables, features: readonly Feature[]) =>
      signUpBody.extend(userFieldShape(config, features, 'sign-up')),
    returns: z.object({ token: z.string().nullable(), user: userView }),
    signsIn: ['new-user'],
    createsUsers: true,
    isSignUp: true,
    errors: [
      errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED,
      userErrors.INVALID_EMAIL,
      errors.PASSWORD_TOO_SHORT,
      errors.PASSWORD_TOO_LONG,
      userErrors.USER_ALREADY_EXISTS,
      ...Object.values(ruleErrors),
      userErrors.FAILED_TO_CREATE_USER,
      accountErrors.FAILED_TO_CREATE_ACCOUNT,
      sessionErrors.FAILED_TO_CREATE_SESSION,
      verificationErrors.FAILED_TO_CREATE_VERIFICATION,
      fieldRequired('<field>'),
    ],
    handler: async (ctx) => {
      const { enabled, disableSignUp, autoSignIn, requireEmailVerification, antiEnumeration } = ctx.config.emailAndPassword
      if (!enabled || disableSignUp) throw new ApiError(errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED)
      if (!isReachableEmail(ctx.body.email)) throw new ApiError(userErrors.INVALID_EMAIL)
      checkPasswordLength(ctx, ctx.body.password)
      await requireAdmission(ctx, ctx.body.email)
      if (antiEnumeration || !autoSignIn || requireEmailVerification) {
        const user = antiEnumeration ? await signUpQuietly(ctx, ctx.body) : await signUp(ctx, ctx.body)
        rememberBrowser(ctx, user.id)
        return { token: null, user }
      }
      const { user, session } = await signUpAndIn(ctx, ctx.body)
      return { token: session && shownToken(ctx, session), user }
    },
  }),
  'POST /sign-in/email': route({
    summary: 'Sign in with email and password',
    description:
      'Creates a session and sets the session cookie. Returns the session token and the user. Fails with the same error for an unknown email address and for a wrong password, and with 429 after too many failures. With `PASSWORD_MUST_BE_REPLACED`, a reset link was sent: another person may know the password, because it was set before the email address was verified.',
    signsIn: ['first-factor'],
    access: anyone(),
    whileReadOnly: 'operators',
    body: z.object({
      email: typedEmail,
      password: z.string(),
      callbackURL: callbackURL.optional(),
      rememberMe: z.boolean().optional(),
    }),
    returns: z.object({ redirect: z.boolean(), token: z.string(), url: z.string().optional(), user: userView }),
    responseHeaders: writesCookies,
    errors: [
      errors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED,
      userErrors.INVALID_EMAIL,
      errors.INVALID_EMAIL_OR_PASSWORD,
      errors.EMAIL_NOT_VERIFIED,
      errors.PASSWORD_MUST_BE_REPLACED,
      sessionErrors.FAILED_TO_CREATE_SESSION,
      verificationErrors.FAILED_TO_CREATE_VERIFICATION,
    ],
    handler: async (ctx) => {
      const { email, password, callbackURL, rememberMe } = ctx.body
      if (!ctx.config.emailAndPassword.enabled) throw new ApiError(errors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED)
      if (!isEmailAddress(email)) throw new ApiError(userErrors.INVALID_EMAIL)
      const { user, proof, recheck } = await authenticateByPassword(ctx, email, password)
      await requireVerifiedEmail(ctx, user, { callbackURL })
      const session = await signIn(ctx, user, { ...proof, remember: rememberMe ?? true, callbackURL }, { recheck })
      return {
        redirect: Boolean(callbackURL),
        token: shownToken(ctx, session),
        ...(callbackURL !== undefined && { url: callbackURL }),
        user,
      }
    },
  }),
}
