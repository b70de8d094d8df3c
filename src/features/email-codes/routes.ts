/** The calls of codes by email (contract 13 §5). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { Feature } from '../../core/feature.ts'
import { anyone } from '../../core/permissions.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { callbackURL, longText } from '../../core/schemas.ts'
import { admitsSignUp } from '../../core/sign-up.ts'
import type { Tables } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { isEmailAddress } from '../../lib/text.ts'
import { settleAttempt } from '../attempts/index.ts'
import { fieldRequired } from '../custom-fields/index.ts'
import { claimByMailbox, signInByMailbox } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { canSend } from '../outbox/index.ts'
import { reissueSession, errors as sessionErrors, shownToken, signIn } from '../sessions/index.ts'
import {
  findUserByEmail,
  imageURL,
  readUserFields,
  typedEmail,
  errors as userErrors,
  userFieldShape,
  userView,
} from '../users/index.ts'
import { changeRoutes } from './changes.ts'
import { codeErrors, consumeCode, describeUse, proven, requireCode, sendCode } from './codes.ts'
import { done, marksBrowser, otp, rateLimit, requireAddress, success } from './inputs.ts'
import { codeKinds, errors, mails } from './mails.ts'

/** Whether a user asks for a code to their current address, before they change it. */
async function provesCurrent(ctx: CallContext, user: UserRow): Promise<boolean> {
  const { enabled, verifyCurrentEmail } = ctx.config.emailOTP.changeEmail
  return enabled && verifyCurrentEmail && (await ctx.identify({ refresh: false }))?.user.id === user.id
}

async function signInByCode(ctx: CallContext & { readonly body: z.output<typeof signInBody> }) {
  const { name = '', image, rememberMe: remember = true, callbackURL } = ctx.body
  const email = ctx.body.email.toLowerCase()
  if (!isEmailAddress(email)) throw new ApiError(errors.INVALID_OTP)
  const { value: found, attempt } = await requireCode(ctx, 'sign-in', email, ctx.body.otp)
  const newUser = async () => ({ name, image: image ?? null, fields: await readUserFields(ctx, ctx.body, 'create') })
  const proof = { ...proven, remember, callbackURL, details: describeUse(ctx, found), attempt }
  const arrived = await signInByMailbox(ctx, email, {
    newUser: ctx.config.emailOTP.disableSignUp ? null : newUser,
    use: (tx) => consumeCode(tx, 'sign-in', found),
    proof: () => proof,
  })
  if (!arrived) throw new ApiError(errors.INVALID_OTP)
  const { session, user } = arrived
  return {
    token: shownToken(ctx, session),
    user,
    ...(callbackURL !== undefined && { redirect: true, url: callbackURL }),
  }
}

async function verifyAddress(ctx: CallContext, typedAddress: string, code: string) {
  const email = requireAddress(typedAddress)
  const { value: found, attempt } = await requireCode(ctx, 'email-verification', email, code)
  const known = await findUserByEmail(ctx, email)
  if (!known) throw new ApiError(organizationErrors.USER_NOT_FOUND)
  const claim = await claimByMailbox(ctx, known, { use: (tx) => consumeCode(tx, 'email-verification', found) })
  // Not together with the session: the address stays verified when a hook rejects that.
  const user = await transaction(ctx, claim)
  const current: SessionAndUser | null = await ctx.identify()
  if (ctx.config.emailVerification.autoSignInAfterVerification && !current) {
    const recheck = (tx: App) => findUserByEmail(tx, email)
    const proof = { ...proven, details: describeUse(ctx, found), attempt }
    const session = await signIn(ctx, user, proof, { recheck })
    return { status: true as const, token: shownToken(ctx, session), user }
  }
  await settleAttempt(ctx, attempt)
  if (current?.user.id === user.id) await reissueSession(ctx, current.session)
  return { status: true as const, token: null, user }
}

const signInBody = z.object({
  email: typedEmail,
  otp,
  name: longText.optional(),
  image: imageURL.nullable().optional(),
  rememberMe: z.boolean().optional(),
  callbackURL: callbackURL.optional(),
})

/** Of the link that an email with a code to sign in has too, when magic links are enabled. */
const linkTargets = {
  callbackURL: callbackURL.optional(),
  newUserCallbackURL: callbackURL.optional(),
  errorCallbackURL: callbackURL.optional(),
}

export const routes = {
  'POST /email-otp/send-verification-otp': route({
    summary: 'Send a code to an email address',
    description:
      'Sends a code that signs in, verifies the email address or resets the password. With magic links enabled, an email to sign in also has a link, with the targets of the request; using one of them ends the other. The response is the same whether or not the email address is known. The code belongs to the browser that asks for it, which gets a cookie. Fails when the address is invalid or no email can be sent.',
    access: anyone(),
    usesCredential: true,
    body: z.object({ email: typedEmail, type: z.enum(codeKinds), ...linkTargets }),
    returns: success,
    responseHeaders: marksBrowser,
    errors: [errors.INVALID_OTP_TYPE, errors.SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED, userErrors.INVALID_EMAIL],
    rateLimit,
    handler: async (ctx) => {
      const { type, email: typed, ...targets } = ctx.body
      if (type === 'change-email') throw new ApiError(errors.INVALID_OTP_TYPE)
      if (!canSend(ctx, mails['email-code'])) throw new ApiError(errors.SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED)
      const email = requireAddress(typed)
      const user = await findUserByEmail(ctx, email)
      const mayBeNew =
        type === 'sign-in' &&
        !ctx.config.emailOTP.disableSignUp &&
        (await admitsSignUp(ctx, { method: proven.method, email }, user !== null))
      const isNeeded = {
        'sign-in': user !== null || mayBeNew,
        'email-verification': user !== null && (!user.emailVerified || (await provesCurrent(ctx, user))),
        'forget-password': user !== null,
      }
      await sendCode(ctx, type, email, { user, isSent: isNeeded[type], targets })
      return done
    },
  }),
  'POST /sign-in/email-otp': route({
    summary: 'Sign in with a code by email',
    description:
      'Creates a session and sets the session cookie. Creates a user for an unknown email address, unless `emailOTP.disableSignUp` is on. The email address of the user is verified; when it was not, and the browser is not known to belong to the user, what was set up before ends. A code works once. In the browser that asked for a magic link, the code in its email works too. Fails when it is wrong or expired, and after too many wrong codes.',
    access: anyone(),
    signsIn: ['first-factor', 'new-user'],
    createsUsers: true,
    body: (config: Config, _tables: Tables, features: readonly Feature[]) =>
      signInBody.extend(userFieldShape(config, features, 'sign-up')),
    returns: z.object({ token: z.string(), user: userView, redirect: z.boolean().optional(), url: z.string().optional() }),
    errors: [
      ...codeErrors,
      fieldRequired('<field>'),
      userErrors.FAILED_TO_CREATE_USER,
      userErrors.FAILED_TO_UPDATE_USER,
      sessionErrors.FAILED_TO_CREATE_SESSION,
    ],
    rateLimit,
    handler: (ctx) => signInByCode(ctx),
  }),
  'POST /email-otp/verify-email': route({
    summary: 'Verify an email address with a code',
    description:
      'Verifies the email address of a user. `token` is set when `emailVerification.autoSignInAfterVerification` creates a session; never in a browser that is signed in. When the browser is not known to belong to the user, what was set up before the address was verified ends. A code works once. Fails when it is wrong or expired, after too many wrong codes, and when there is no user with the email address.',
    access: anyone(),
    usesCredential: true,
    signsIn: ['first-factor'],
    body: z.object({ email: typedEmail, otp }),
    returns: z.object({ status: z.literal(true), token: z.string().nullable(), user: userView }),
    errors: [
      userErrors.INVALID_EMAIL,
      ...codeErrors,
      organizationErrors.USER_NOT_FOUND,
      userErrors.FAILED_TO_UPDATE_USER,
      sessionErrors.FAILED_TO_CREATE_SESSION,
    ],
    rateLimit,
    handler: (ctx) => verifyAddress(ctx, ctx.body.email, ctx.body.otp),
  }),
  'POST /email-otp/check-verification-otp': route({
    summary: 'Check a code',
    description:
      'Returns whether a code is right, without using it. A wrong one counts as an attempt. Fails when the code is wrong or expired, and after too many wrong codes.',
    access: anyone(),
    body: z.object({ email: typedEmail, type: z.enum(codeKinds), otp }),
    returns: success,
    errors: [userErrors.INVALID_EMAIL, ...codeErrors],
    rateLimit,
    handler: async (ctx) => {
      const { attempt } = await requireCode(ctx, ctx.body.type, requireAddress(ctx.body.email), ctx.body.otp)
      await settleAttempt(ctx, attempt)
      return done
    },
  }),
  ...changeRoutes,
}
