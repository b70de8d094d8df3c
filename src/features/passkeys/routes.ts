/** The calls of passkeys (contract 12 §3, §4, §8). */
import { z } from 'zod'
import { writesCookies } from '../../core/cookies.ts'
import { anyone, freshSession, optionalSession, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import type { Tables } from '../../core/table.ts'
import type { Config } from '../index.ts'
import { errors as factorErrors } from '../second-factor/index.ts'
import { fullSession } from '../sessions/index.ts'
import { fullUser, typedEmail } from '../users/index.ts'
import { authenticationOptions, verifyAssertion } from './authentication.ts'
import { rpIDOf } from './config.ts'
import { registrationRoutes } from './registration-routes.ts'
import { deletePasskey, renamePasskey, restorePasskey } from './removal.ts'
import { accepted, rateLimit, requestOptions, setsChallenge, shown } from './responses.ts'
import { describePasskey, errors, findHandle, listPasskeys, notFound, passkeyView } from './store.ts'
import { usePasskey } from './use.ts'
import { browserResponse } from './verification.ts'

const authenticateOptions = {
  access: optionalSession(),
  returns: requestOptions,
  responseHeaders: setsChallenge,
  rateLimit,
}

const optionsText =
  'Returns what the browser needs to use a passkey. Without a session it names no passkey: the browser offers the ones that it has. With a session it names those of the current user.'

const authentication = {
  'GET /passkey/generate-authenticate-options': route({
    summary: 'Get the options to use a passkey',
    description: optionsText,
    ...authenticateOptions,
    handler: (ctx) => authenticationOptions(ctx, ctx.user, undefined),
  }),
  'POST /passkey/generate-authenticate-options': route({
    summary: 'Get the options to use a passkey (POST)',
    description: `${optionsText} With \`passkey.byEmail\` and \`email\`, it names the passkeys of that email address, and random ones if there are none.`,
    ...authenticateOptions,
    whileImpersonating: 'allowed',
    body: z.object({ email: typedEmail.optional() }).optional(),
    handler: (ctx) => authenticationOptions(ctx, ctx.user, ctx.body?.email),
  }),
  'POST /passkey/verify-authentication': route({
    summary: 'Sign in with a passkey',
    description:
      'Verifies what the browser has signed, creates a session and sets the session cookie. Completes a sign-in that waits for a second factor; with a session of the same user, notes the proof and replaces its token. Returns the session and the user. Fails when the options were not requested by this browser, or more than five minutes ago; when the passkey is unknown, `details` names it, so that the browser can remove it (`signalUnknownCredential`). A passkey whose counter went back is suspended.',
    access: anyone(),
    whileReadOnly: 'operators',
    acceptsPending: ['verify'],
    usesCredential: true,
    signsIn: ['first-factor'],
    body: z.object({ response: browserResponse, rememberMe: z.boolean().optional() }),
    returns: (_config: Config, tables: Tables) =>
      z.object({
        ...{ session: fullSession(tables), user: fullUser(tables) },
        redirect: z.boolean().optional(),
        url: z.string().optional().meta({ description: 'The `callbackURL` of the first factor' }),
      }),
    responseHeaders: writesCookies,
    errors: [errors.CHALLENGE_NOT_FOUND, errors.PASSKEY_NOT_FOUND, errors.AUTHENTICATION_FAILED, errors.UNABLE_TO_CREATE_SESSION],
    rateLimit,
    handler: async (ctx) => {
      const verified = await verifyAssertion(ctx, ctx.body.response)
      const { session, url } = await usePasskey(ctx, verified, ctx.body.rememberMe ?? true)
      return { session: shown(ctx, session), user: verified.user, ...(url !== undefined && { redirect: true, url }) }
    },
  }),
}

const passkeyId = z
  .string()
  .max(64)
  .meta({ examples: ['q3v5XsYb1cE6hJ3mA5dGf0wLr8Tn2Kp7'] })

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
      'Deletes a passkey of the current user, and with `revokeSessions` the sessions that it has signed in. Fails when it does not exist or belongs to another user, and when the user could not sign in any more, or a rule demands it as a second factor.',
    access: freshSession(),
    stepUp: 'established',
    sensitive: true,
    body: z.object({ id: passkeyId, revokeSessions: z.boolean().optional() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [notFound, errors.YOU_CANT_DELETE_YOUR_LAST_PASSKEY, factorErrors.SECOND_FACTOR_CANNOT_BE_DISABLED],
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
    // The copy for which it was suspended would be a factor on no probation.
    stepUp: 'established',
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
      'Returns what `signalAllAcceptedCredentials` and `signalCurrentUserDetails` of the browser need, so that password managers show the passkeys and the name that the current user has.',
    access: session(),
    returns: accepted,
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

export const routes = { ...registrationRoutes, ...authentication, ...management }
