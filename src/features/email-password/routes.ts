import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { route } from '../../core/route.ts'
import { callbackURL, longText } from '../../core/schemas.ts'
import { isEmailAddress } from '../../lib/email.ts'
import { startSession } from '../sessions/index.ts'
import { findUserByEmail, errors as userErrors, userView } from '../users/index.ts'
import { createUserWithPassword } from './create-user.ts'
import { errors } from './errors.ts'
import { authenticateByPassword, checkPasswordLength, hashPassword } from './passwords.ts'

export const routes = {
  'POST /sign-up/email': route({
    summary: 'Create an account with a password',
    access: 'public',
    body: z.object({
      name: longText,
      email: z.string(),
      password: z.string(),
      image: longText.optional(),
      callbackURL: callbackURL.optional(),
      rememberMe: z.boolean().optional(),
    }),
    returns: z.object({ token: z.string().nullable(), user: userView }),
    errors: [
      errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED,
      userErrors.INVALID_EMAIL,
      errors.PASSWORD_TOO_SHORT,
      errors.PASSWORD_TOO_LONG,
      userErrors.USER_ALREADY_EXISTS,
    ],
    handler: async (ctx) => {
      const { enabled, disableSignUp, autoSignIn } = ctx.config.emailAndPassword
      const { email, password, name, image, rememberMe } = ctx.body
      if (!enabled || disableSignUp) throw new ApiError(errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED)
      if (!isEmailAddress(email)) throw new ApiError(userErrors.INVALID_EMAIL)
      checkPasswordLength(ctx, password)
      if (await findUserByEmail(ctx, email)) throw new ApiError(userErrors.USER_ALREADY_EXISTS)
      const user = await createUserWithPassword(ctx, { name, email, image: image ?? null }, await hashPassword(ctx, password))
      if (!autoSignIn) return { token: null, user }
      const session = await startSession(ctx, user, { remember: rememberMe ?? true, refusal: 400 })
      return { token: session.token, user }
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
    errors: [errors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED, userErrors.INVALID_EMAIL, errors.INVALID_EMAIL_OR_PASSWORD],
    handler: async (ctx) => {
      const { email, password, callbackURL, rememberMe } = ctx.body
      if (!ctx.config.emailAndPassword.enabled) throw new ApiError(errors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED)
      if (!isEmailAddress(email)) throw new ApiError(userErrors.INVALID_EMAIL)
      const user = await authenticateByPassword(ctx, email, password)
      const session = await startSession(ctx, user, { remember: rememberMe ?? true })
      return { redirect: Boolean(callbackURL), token: session.token, ...(callbackURL !== undefined && { url: callbackURL }), user }
    },
  }),
}
