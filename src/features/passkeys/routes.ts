/** The calls of passkeys (contract 12 §3, §4, §6, §8). */
import { z } from 'zod'
import { writesCookies } from '../../core/cookies.ts'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import type { Feature } from '../../core/feature.ts'
import { anyone, freshSession, optionalSession, session } from '../../core/permissions.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { callbackURL, longText } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { fieldRequired } from '../custom-fields/index.ts'
import type { Config } from '../index.ts'
import { fullSession, errors as sessionErrors, shownToken } from '../sessions/index.ts'
import { findUserById, fullUser, typedEmail, errors as userErrors, userFieldShape } from '../users/index.ts'
import { errors as verificationErrors } from '../verifications/index.ts'
import { authenticationOptions, signInWithPasskey, startSession, verifyAssertion } from './authentication.ts'
import { readContext } from './challenge.ts'
import { rpIDOf } from './config.ts'
import { addPasskey, type Owner, registrationOptions, verifyRegistration } from './registration.ts'
import { deletePasskey, notFound, renamePasskey, restorePasskey } from './removal.ts'
import { codeErrors, findSignUp, finishSignUp, proveSignUp, requestSignUp } from './sign-up.ts'
import { describePasskey, errors, findHandle, listPasskeys, passkeyView } from './store.ts'
import { browserResponse } from './verification.ts'

/** Per path and client network (contract 00 §7). */
const rateLimit = { window: 60, max: 30 }

const credential = z.object({
  id: z.string(),
  transports: z.array(z.string()).optional(),
  type: z.literal('public-key'),
})
const creationOptions = z
  .object({
    challenge: z.string(),
    rp: z.object({ name: z.string(), id: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
    timeout: z.int(),
    attestation: z.literal('none'),
    excludeCredentials: z.array(credential),
    authenticatorSelection: z.object({
      residentKey: z.string(),
      userVerification: z.string(),
      authenticatorAttachment: z.string().optional(),
      requireResidentKey: z.boolean(),
    }),
    extensions: z.object({ credProps: z.literal(true) }),
    hints: z.array(z.string()),
  })
  .meta({ title: 'PasskeyCreationOptions' })
const requestOptions = z
  .object({
    rpId: z.string(),
    challenge: z.string(),
    allowCredentials: z.array(credential).optional(),
    timeout: z.int(),
    userVerification: z.string(),
  })
  .meta({ title: 'PasskeyRequestOptions' })

type Caller = CallContext & { readonly user: UserRow | null; readonly session: SessionView | null }

/** @throws ApiError UNAUTHORIZED without a session and a sign-up; SESSION_REQUIRED for an unknown sign-up */
async function ownerOf(ctx: Caller, context: string | null): Promise<Owner> {
  if (context !== null) return { context, signUp: await findSignUp(ctx, context) }
  if (!ctx.user || !ctx.session) throw new ApiError(kernelErrors.UNAUTHORIZED)
  return { user: ctx.user, session: ctx.session }
}

const shown = (ctx: CallContext, current: SessionView) => ({ ...current, token: shownToken(ctx, current) })

const registrationErrors: readonly ErrorEntry[] = [
  errors.SESSION_REQUIRED,
  errors.CHALLENGE_NOT_FOUND,
  errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY,
  errors.PREVIOUSLY_REGISTERED,
  errors.FAILED_TO_VERIFY_REGISTRATION,
  errors.TOO_MANY_PASSKEYS,
  errors.UNABLE_TO_CREATE_SESSION,
  sessionErrors.FAILED_TO_CREATE_SESSION,
  userErrors.USER_ALREADY_EXISTS,
  userErrors.FAILED_TO_CREATE_USER,
  fieldRequired('<field>'),
]

const authenticateOptions = {
  access: optionalSession(),
  returns: requestOptions,
  responseHeaders: { 'set-cookie': 'The challenge, for five minutes' },
  rateLimit,
}

const optionsText =
  'Returns what `navigator.credentials.get` needs. Without a session it names no passkey: the browser offers the ones that it has. With a session it names those of the current user.'

const registration = {
  'GET /passkey/generate-register-options': route({
    summary: 'Get the options to add a passkey',
    description:
      'Returns what `navigator.credentials.create` needs, for the current user, whose session must be fresh, or for a sign-up that `/passkey/verify-sign-up` has begun. Fails when the user has too many passkeys.',
    access: optionalSession(() => true),
    sensitive: true,
    query: z.object({
      authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
      name: z
        .string()
        .trim()
        .max(64)
        .optional()
        .describe('Name of the account in the password manager; default: the email address'),
      context: z.string().max(64).optional().describe('From `/passkey/verify-sign-up`'),
    }),
    returns: creationOptions,
    responseHeaders: { 'set-cookie': 'The challenge, for five minutes' },
    errors: [errors.SESSION_REQUIRED, errors.TOO_MANY_PASSKEYS],
    rateLimit,
    handler: async (ctx) => registrationOptions(ctx, await ownerOf(ctx, ctx.query.context ?? null), ctx.query),
  }),
  'POST /passkey/verify-registration': route({
    summary: 'Add a passkey',
    description:
      'Verifies what the browser has created, and adds the passkey to the current user, whose session must be fresh. For a sign-up, it creates the user. With `createSession`, also returns a new session with its user, and sets the session cookie. Fails when the options were not requested by this browser, or more than five minutes ago, and when the passkey is already registered.',
    access: optionalSession(() => true),
    sensitive: true,
    signsIn: ['first-factor', 'new-user'],
    body: z.object({
      response: browserResponse,
      name: z.string().trim().max(64).optional(),
      createSession: z.boolean().optional(),
      rememberMe: z.boolean().optional(),
    }),
    returns: (_config: Config, tables: Tables) =>
      passkeyView.extend({ session: fullSession(tables).optional(), user: fullUser(tables).optional() }),
    errors: registrationErrors,
    rateLimit,
    handler: async (ctx) => {
      const { response, name = '', createSession = false, rememberMe = true } = ctx.body
      const context = readContext(ctx)
      const owner = await ownerOf(ctx, context)
      const verified = await verifyRegistration(ctx, owner, response)
      const given = { verified, name: name || null, remember: createSession ? rememberMe : null }
      if (!('user' in owner)) {
        const { passkey, user, session } = await finishSignUp(ctx, { ...given, ...owner })
        return { ...describePasskey(passkey), ...(session && { session: shown(ctx, session), user }) }
      }
      const passkey = await addPasskey(ctx, owner.user, verified, given.name)
      const user = createSession ? await findUserById(ctx, owner.user.id) : null
      if (!user) return describePasskey(passkey)
      const { isUserVerified } = verified.credential
      const session = await startSession(ctx, { passkey, user, isUserVerified }, rememberMe)
      return { ...describePasskey(passkey), session: shown(ctx, session), user }
    },
  }),
  'POST /passkey/sign-up': route({
    summary: 'Sign up with a passkey',
    description:
      'Sends a code to the email address, with which `/passkey/verify-sign-up` goes on. The response is the same for an email address that is already used; its owner is notified.',
    access: anyone(),
    exists: ({ passkey }) => passkey.signUp,
    body: (config: Config, _tables: Tables, features: readonly Feature[]) =>
      z
        .object({ email: typedEmail, name: longText.optional(), callbackURL: callbackURL.nullable().optional() })
        .extend(userFieldShape(config, features, 'sign-up')),
    returns: z.object({ status: z.literal(true) }),
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
      'Returns the context with which `/passkey/generate-register-options` gets the options of the first passkey, within ten minutes. A code works once. Fails when it is wrong or expired, and after too many wrong codes.',
    access: anyone(),
    exists: ({ passkey }) => passkey.signUp,
    body: z.object({ email: typedEmail, otp: z.string().max(64) }),
    returns: z.object({ context: z.string() }),
    errors: [...Object.values(codeErrors), verificationErrors.FAILED_TO_CREATE_VERIFICATION],
    rateLimit,
    handler: async (ctx) => ({ context: await proveSignUp(ctx, ctx.body.email, ctx.body.otp) }),
  }),
}

const authentication = {
  'GET /passkey/generate-authenticate-options': route({
    summary: 'Get the options to use a passkey',
    description: optionsText,
    ...authenticateOptions,
    handler: (ctx) => authenticationOptions(ctx, ctx.user, undefined),
  }),
  'POST /passkey/generate-authenticate-options': route({
    summary: 'Get the options to use a passkey (POST)',
    description: `${optionsText} With \`passkey.byEmail\` and \`email\`, it names the passkeys of that email address, and made-up ones if there are none.`,
    ...authenticateOptions,
    whileImpersonating: 'allowed',
    body: z.object({ email: z.string().max(320).optional() }).optional(),
    handler: (ctx) => authenticationOptions(ctx, ctx.user, ctx.body?.email),
  }),
  'POST /passkey/verify-authentication': route({
    summary: 'Sign in with a passkey',
    description:
      'Verifies what the browser has signed, creates a session and sets the session cookie. Returns the session and the user. Fails when the options were not requested by this browser, or more than five minutes ago; when the passkey is unknown, `details` has what `PublicKeyCredential.signalUnknownCredential` needs. A passkey whose counter went back is suspended.',
    access: anyone(),
    signsIn: ['first-factor'],
    body: z.object({ response: browserResponse, rememberMe: z.boolean().optional() }),
    returns: (_config: Config, tables: Tables) => z.object({ session: fullSession(tables), user: fullUser(tables) }),
    responseHeaders: writesCookies,
    errors: [errors.CHALLENGE_NOT_FOUND, errors.PASSKEY_NOT_FOUND, errors.AUTHENTICATION_FAILED, errors.UNABLE_TO_CREATE_SESSION],
    rateLimit,
    handler: async (ctx) => {
      const verified = await verifyAssertion(ctx, ctx.body.response)
      const current = await signInWithPasskey(ctx, verified, ctx.body.rememberMe ?? true)
      return { session: shown(ctx, current), user: verified.user }
    },
  }),
}

const passkeyId = z.string().max(64)

const management = {
  'GET /passkey/list-user-passkeys': route({
    summary: 'List passkeys',
    description: 'Returns the passkeys of the current user, oldest first.',
    access: session(),
    returns: z.array(passkeyView),
    rateLimit,
    handler: async (ctx) => (await listPasskeys(ctx, ctx.user.id)).map(describePasskey),
  }),
  'POST /passkey/update-passkey': route({
    summary: 'Rename a passkey',
    description: 'Changes the name of a passkey of the current user. Fails when it does not exist or belongs to another user.',
    access: session(),
    sensitive: true,
    body: z.object({ id: passkeyId, name: z.string().trim().min(1).max(64) }),
    returns: z.object({ passkey: passkeyView }),
    errors: [notFound, errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY],
    rateLimit,
    handler: async (ctx) => ({
      passkey: describePasskey(await renamePasskey(ctx, ctx.user.id, ctx.body.id, ctx.body.name)),
    }),
  }),
  'POST /passkey/delete-passkey': route({
    summary: 'Delete a passkey',
    description:
      'Deletes a passkey of the current user, and with `revokeSessions` the sessions that it has signed in. Fails when it does not exist or belongs to another user, and when the user could not sign in any more.',
    access: freshSession(),
    sensitive: true,
    body: z.object({ id: passkeyId, revokeSessions: z.boolean().optional() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [notFound, errors.YOU_CANT_DELETE_YOUR_LAST_PASSKEY],
    rateLimit,
    handler: async (ctx) => {
      const { id, revokeSessions: revokesSessions = false } = ctx.body
      await deletePasskey(ctx, ctx.user.id, id, { revokesSessions })
      return { status: true as const }
    },
  }),
  'POST /passkey/restore-passkey': route({
    summary: 'Restore a suspended passkey',
    description:
      'Lets a passkey sign in again that was suspended, because its counter went back. The current user must have signed in with another method since. Fails when the passkey does not exist, belongs to another user or is not suspended.',
    access: freshSession(),
    sensitive: true,
    body: z.object({ id: passkeyId }),
    returns: z.object({ passkey: passkeyView }),
    errors: [notFound],
    rateLimit,
    handler: async (ctx) => ({ passkey: describePasskey(await restorePasskey(ctx, ctx.session, ctx.body.id)) }),
  }),
  'GET /passkey/signal': route({
    summary: 'Get what the browser should know about passkeys',
    description:
      'Returns what `PublicKeyCredential.signalAllAcceptedCredentials` and `signalCurrentUserDetails` need, so that password managers show the passkeys and the name that the current user has.',
    access: session(),
    returns: z.object({
      rpId: z.string(),
      userId: z.string(),
      allAcceptedCredentialIds: z.array(z.string()),
      name: z.string(),
      displayName: z.string(),
    }),
    rateLimit,
    handler: async (ctx) => ({
      rpId: rpIDOf(ctx.config),
      userId: await findHandle(ctx, ctx.user.id),
      allAcceptedCredentialIds: (await listPasskeys(ctx, ctx.user.id)).map(({ credentialID }) => credentialID),
      name: ctx.user.email,
      displayName: ctx.user.name || ctx.user.email,
    }),
  }),
}

export const routes = { ...registration, ...authentication, ...management }
