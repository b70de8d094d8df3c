import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { route } from '../../core/route.ts'
import { callbackURL, longText } from '../../core/schemas.ts'
import { isEmailAddress } from '../../lib/email.ts'
import { canVerify, sendVerificationMail } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import { errors as ruleErrors } from '../password-rules/index.ts'
import { shownToken, startSession } from '../sessions/index.ts'
import { errors as userErrors, userFieldShape, userView } from '../users/index.ts'
import { errors } from './errors.ts'
import { authenticateByPassword, checkPasswordLength } from './passwords.ts'
import { signUp, signUpQuietly } from './sign-up.ts'

const signUpBody = z.object({
  name: longText,
  email: z.string(),
  password: z.string(),
  image: longText.nullable().optional(),
  callbackURL: callbackURL.nullable().optional(),
  rememberMe: z.boolean().optional(),
})

export const routes = {
  'POST /sign-up/email': route({
    summary: 'Create an account with a password',
    access: 'public',
    body: (config: Config) => signUpBody.extend(userFieldShape(config)),
    returns: z.object({ token: z.string().nullable(), user: userView }),
    errors: [
      errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED,
      userErrors.INVALID_EMAIL,
      errors.PASSWORD_TOO_SHORT,
      errors.PASSWORD_TOO_LONG,
      userErrors.USER_ALREADY_EXISTS,
      ruleErrors.PASSWORD_COMPROMISED,
      ruleErrors.PASSWORD_TOO_PERSONAL,
    ],
    handler: async (ctx) => {
      const { enabled, disableSignUp, autoSignIn, requireEmailVerification, antiEnumeration } = ctx.config.emailAndPassword
      if (!enabled || disableSignUp) throw new ApiError(errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED)
      if (!isEmailAddress(ctx.body.email)) throw new ApiError(userErrors.INVALID_EMAIL)
      checkPasswordLength(ctx, ctx.body.password)
      if (antiEnumeration) return { token: null, user: await signUpQuietly(ctx, ctx.body) }
      const user = await signUp(ctx, ctx.body)
      if (!autoSignIn || requireEmailVerification) return { token: null, user }
      const session = await startSession(ctx, user, { remember: ctx.body.rememberMe ?? true, refusal: 400 })
      return { token: shownToken(ctx, session), user }
    },
  }),
  'POST /sign-in/email': route({
    summary: 'Sign in with a password',
    access: 'public',
    body: z.object({
      email: z.string(),
      password: z.string(),
      callbackURL: callbackURL.optional(),
      rememberMe: z.boolean().optional(),
    }),
    returns: z.object({ redirect: z.boolean(), token: z.string(), url: z.string().optional(), user: userView }),
    errors: [
      errors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED,
      userErrors.INVALID_EMAIL,
      errors.INVALID_EMAIL_OR_PASSWORD,
      errors.EMAIL_NOT_VERIFIED,
    ],
    handler: async (ctx) => {
      const { email, password, callbackURL, rememberMe } = ctx.body
      const { enabled, requireEmailVerification } = ctx.config.emailAndPassword
      if (!enabled) throw new ApiError(errors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED)
      if (!isEmailAddress(email)) throw new ApiError(userErrors.INVALID_EMAIL)
      const user = await authenticateByPassword(ctx, email, password)
      if (requireEmailVerification && !user.emailVerified) {
        if (canVerify(ctx)) await sendVerificationMail(ctx, user, { callbackURL })
        throw new ApiError(errors.EMAIL_NOT_VERIFIED)
      }
      const session = await startSession(ctx, user, { remember: rememberMe ?? true })
      return {
        redirect: Boolean(callbackURL),
        token: shownToken(ctx, session),
        ...(callbackURL !== undefined && { url: callbackURL }),
        user,
      }
    },
  }),
}
