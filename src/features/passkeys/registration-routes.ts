/** The calls that add a passkey, and those that sign up with one (contract 12 §3, §6). */
import { z } from 'zod'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import type { Feature } from '../../core/feature.ts'
import { anyone, optionalSession } from '../../core/permissions.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { callbackURL, longText } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { fieldRequired } from '../custom-fields/index.ts'
import type { Config } from '../index.ts'
import { acceptedIn, backupCodes, errors as factorErrors, findSetup, type SetupSubject } from '../second-factor/index.ts'
import { fullSession, errors as sessionErrors, shownToken } from '../sessions/index.ts'
import { findUserById, fullUser, typedEmail, errors as userErrors, userFieldShape } from '../users/index.ts'
import { errors as verificationErrors } from '../verifications/index.ts'
import { startSession } from './authentication.ts'
import { readContext, readResolved } from './challenge.ts'
import type { ResolvedUser } from './function-options.ts'
import { approveOwn, approveRegistration } from './functions.ts'
import {
  addInSetup,
  addPasskey,
  type Owner,
  registrationOptions,
  type VerifiedRegistration,
  verifyRegistration,
} from './registration.ts'
import { creationOptions, rateLimit, setsChallenge, shown } from './responses.ts'
import { codeErrors, findSignUp, finishSignUp, proveSignUp, requestSignUp, type SignUpToFinish } from './sign-up.ts'
import { describePasskey, errors, type PasskeyRow, passkeyView } from './store.ts'
import { browserResponse } from './verification.ts'
import { addWithoutSession, findResolved } from './without-session.ts'

type Caller = CallContext & { readonly user: UserRow | null; readonly session: SessionView | null }

/** The sign-in of this client that waits for a second factor, if that may be a passkey. @throws ApiError EMAIL_CODE_REQUIRED */
async function setupOf(ctx: Caller): Promise<SetupSubject | null> {
  const setup = ctx.config.twoFactor.enabled ? await findSetup(ctx) : null
  return setup && (await acceptedIn(ctx, setup)).includes('passkey') ? setup : null
}

/**
 * @param findResolved whom the application has named; asked when nothing else says who it is
 * @throws ApiError UNAUTHORIZED without a session, a sign-up and a sign-in that waits; SESSION_REQUIRED for an unknown sign-up; those of
 * `findResolved`
 */
async function ownerOf(
  ctx: Caller,
  context: string | null,
  setup: SetupSubject | null,
  findResolved: () => ResolvedUser | Promise<ResolvedUser>,
): Promise<Owner> {
  if (setup) return { user: setup.user, session: null }
  const signUp = context === null ? null : await findSignUp(ctx, context)
  if (context !== null && signUp) return { context, signUp }
  const { requireSession } = ctx.config.passkey.registration
  if (context !== null && requireSession) throw new ApiError(errors.SESSION_REQUIRED)
  if (ctx.user && ctx.session) return { user: ctx.user, session: ctx.session }
  if (requireSession) throw new ApiError(kernelErrors.UNAUTHORIZED)
  return { resolved: await findResolved() }
}

/** The same names as in better-auth 1.7. */
const shownName = ({ email, id }: UserRow) => ({ id, name: email || id, displayName: email || id })

/** @returns the user, when they are to be signed in and still exist */
async function addApproved(
  ctx: Caller,
  owner: Exclude<Owner, { readonly context: string }>,
  given: Pick<SignUpToFinish, 'verified' | 'response' | 'name'>,
  signsIn: boolean,
): Promise<{ readonly passkey: PasskeyRow; readonly user: UserRow | null }> {
  if ('resolved' in owner) {
    const { context, id, name, displayName } = owner.resolved
    const user = { id, name, displayName }
    const added = await addWithoutSession(ctx, owner.resolved, await approveRegistration(ctx, { ...given, user, context }))
    return signsIn ? added : { ...added, user: null }
  }
  const { verified, name } = await approveOwn(ctx, { ...given, user: shownName(owner.user), context: null })
  const passkey = await addPasskey(ctx, owner.user, verified, name)
  return { passkey, user: signsIn ? await findUserById(ctx, owner.user.id) : null }
}

async function finishSetup(ctx: Caller, setup: SetupSubject, verified: VerifiedRegistration, name: string | null) {
  const { passkey, session, user, backupCodes } = await addInSetup(ctx, setup, verified, name)
  if (!passkey) throw new ApiError(errors.FAILED_TO_VERIFY_REGISTRATION)
  const url = setup.challenge.first.callbackURL
  return {
    ...describePasskey(passkey),
    ...{ token: shownToken(ctx, session), session: shown(ctx, session), user, backupCodes: [...backupCodes] },
    ...(url !== undefined && { redirect: true, url }),
  }
}

const registrationErrors: readonly ErrorEntry[] = [
  errors.SESSION_REQUIRED,
  errors.RESOLVED_USER_INVALID,
  errors.CHALLENGE_NOT_FOUND,
  errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY,
  errors.PREVIOUSLY_REGISTERED,
  errors.FAILED_TO_VERIFY_REGISTRATION,
  errors.TOO_MANY_PASSKEYS,
  errors.UNABLE_TO_CREATE_SESSION,
  sessionErrors.FAILED_TO_CREATE_SESSION,
  factorErrors.EMAIL_CODE_REQUIRED,
  factorErrors.INVALID_TWO_FACTOR_COOKIE,
  userErrors.USER_ALREADY_EXISTS,
  userErrors.FAILED_TO_CREATE_USER,
  fieldRequired('<field>'),
]

export const registrationRoutes = {
  'GET /passkey/generate-register-options': route({
    summary: 'Get the options to add a passkey',
    description:
      'Returns what the browser needs to create a passkey, for the current user, whose session must be fresh, for a sign-up that `/passkey/verify-sign-up` has begun, or without a session for the user whom `passkey.registration.resolveUser` names. Fails when the user has too many passkeys.',
    access: optionalSession(() => true),
    acceptsPending: ['setup'],
    stepUp: 'recent',
    sensitive: true,
    query: z.object({
      authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
      name: z
        .string()
        .trim()
        .max(64)
        .optional()
        .describe('Name of the account in the password manager; default: the email address'),
      context: z
        .string()
        .max(1024)
        .optional()
        .meta({
          description: 'From `/passkey/verify-sign-up`, or what `passkey.registration.resolveUser` understands',
          examples: ['q3v5XsYb1cE6hJ3mA5dGf0wLr8Tn2Kp7'],
        }),
    }),
    returns: creationOptions,
    responseHeaders: setsChallenge,
    errors: [errors.SESSION_REQUIRED, errors.RESOLVED_USER_INVALID, errors.TOO_MANY_PASSKEYS, factorErrors.EMAIL_CODE_REQUIRED],
    rateLimit,
    handler: async (ctx) => {
      const { context = null } = ctx.query
      const owner = await ownerOf(ctx, context, await setupOf(ctx), () => findResolved(ctx, context))
      return registrationOptions(ctx, owner, ctx.query)
    },
  }),
  'POST /passkey/verify-registration': route({
    summary: 'Add a passkey',
    description:
      'Verifies what the browser has created, and adds the passkey to the current user, whose session must be fresh. For a sign-in that waits for the set-up of a second factor, it completes the sign-in. For a sign-up, it creates the user. With `createSession`, also returns a new session with its user, and sets the session cookie. Fails when the options were not requested by this browser, or more than five minutes ago, and when the passkey is already registered.',
    access: optionalSession(() => true),
    acceptsPending: ['setup'],
    stepUp: 'recent',
    sensitive: true,
    signsIn: ['first-factor', 'new-user'],
    createsUsers: true,
    body: z.object({
      response: browserResponse,
      name: z.string().trim().max(64).optional(),
      createSession: z.boolean().optional(),
      rememberMe: z.boolean().optional(),
    }),
    returns: (_config: Config, tables: Tables) =>
      passkeyView.extend({
        session: fullSession(tables).optional(),
        user: fullUser(tables).optional(),
        ...{ token: z.string().optional(), redirect: z.boolean().optional(), url: z.string().optional() },
        backupCodes: backupCodes.optional(),
      }),
    errors: registrationErrors,
    rateLimit,
    handler: async (ctx) => {
      const { response, name = '', createSession = false, rememberMe = true } = ctx.body
      const setup = await setupOf(ctx)
      const owner = await ownerOf(ctx, readContext(ctx), setup, () => readResolved(ctx))
      const verified = await verifyRegistration(ctx, owner, response)
      const given = { verified, response, name }
      if ('signUp' in owner) {
        const remember = createSession ? rememberMe : null
        const { passkey, user, session } = await finishSignUp(ctx, { ...given, ...owner, remember })
        return { ...describePasskey(passkey), ...(session && { session: shown(ctx, session), user }) }
      }
      if (setup) {
        const own = await approveOwn(ctx, { ...given, user: shownName(setup.user), context: null })
        return finishSetup(ctx, setup, own.verified, own.name)
      }
      const { passkey, user } = await addApproved(ctx, owner, given, createSession)
      if (!user) return describePasskey(passkey)
      const { isUserVerified, isUserPresent } = verified.credential
      const session = await startSession(ctx, { passkey, user, isUserVerified, isUserPresent }, rememberMe)
      return { ...describePasskey(passkey), session: shown(ctx, session), user }
    },
  }),
  'POST /passkey/sign-up': route({
    summary: 'Sign up with a passkey',
    description:
      'Sends a code to the email address, with which `/passkey/verify-sign-up` goes on in this browser. The response is the same for an email address that is already used, whose owner is notified, and beyond the limits of emails.',
    access: anyone(),
    isSignUp: true,
    exists: ({ passkey }) => passkey.signUp,
    body: (config: Config, _tables: Tables, features: readonly Feature[]) =>
      z
        .object({ email: typedEmail, name: longText.optional(), callbackURL: callbackURL.nullable().optional() })
        .extend(userFieldShape(config, features, 'sign-up')),
    returns: z.object({ status: z.literal(true) }),
    responseHeaders: { 'set-cookie': 'A cookie of the browser that the code belongs to' },
    errors: [userErrors.INVALID_EMAIL, fieldRequired('<field>'), verificationErrors.FAILED_TO_CREATE_VERIFICATION],
    rateLimit,
    handler: async (ctx) => {
      const { callbackURL: _, ...given } = ctx.body
      await requestSignUp(ctx, given)
      return { status: true as const }
    },
  }),
  'POST /passkey/verify-sign-up': route({
    summary: 'Verify the email address of a sign-up',
    description:
      'Returns the context with which `/passkey/generate-register-options` gets the options of the first passkey, within ten minutes. A code works once. Fails when it is wrong or expired, when another browser asked for it, and after too many wrong codes.',
    access: anyone(),
    isSignUp: true,
    exists: ({ passkey }) => passkey.signUp,
    body: z.object({
      email: typedEmail,
      otp: z
        .string()
        .max(64)
        .meta({ examples: ['482913'] }),
    }),
    returns: z.object({ context: z.string().meta({ examples: ['q3v5XsYb1cE6hJ3mA5dGf0wLr8Tn2Kp7'] }) }),
    errors: [...Object.values(codeErrors), verificationErrors.FAILED_TO_CREATE_VERIFICATION],
    rateLimit,
    handler: async (ctx) => ({ context: await proveSignUp(ctx, ctx.body.email, ctx.body.otp) }),
  }),
}
