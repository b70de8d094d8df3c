/**
 * Social sign-in: with a provider's account, by redirect or with an ID token, and linking of such accounts. Which accounts a user
 * has, and how one is unlinked, is in `accounts`.
 */
import { z } from 'zod'
import { writesCookies } from '../../core/cookies.ts'
import { ApiError } from '../../core/errors.ts'
import { anyone, freshSession, sensitiveCalls } from '../../core/permissions.ts'
import { redirect } from '../../core/reply.ts'
import { route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { userView } from '../users/index.ts'
import { callbackParameters, openCallback, openFormPost } from './callback.ts'
import { config as socialConfig } from './config.ts'
import { findProvider } from './configured-providers.ts'
import { genericRoutes } from './generic-routes.ts'
import { errors as flowErrors, linkErrors, linkWithIdToken, signInErrors, signInWithIdToken } from './id-token-flow.ts'
import { linkRequestOf, requireLinkProof } from './linking.ts'
import { mailConfig } from './mails.ts'
import { listRoutes } from './provider-list.ts'
import { coreRedirects } from './redirect-codes.ts'
import {
  hasApps,
  loginHint,
  openStartingAddress,
  requestedScopes,
  startErrors,
  startFlow,
  errors as startingErrors,
} from './start.ts'
import { tokenErrors, tokenRoutes } from './token-routes.ts'

export { checkConfig, credentialVariables } from './config.ts'
export {
  type ConfiguredProvider,
  configuredProviders,
  declaredProviders,
  disabledProviders,
  fetchDiscovery,
  findEndpoints,
  redirectURI,
  registrationURL,
} from './configured-providers.ts'
export { signInMethod } from './identity.ts'
export { ruleForUnverified } from './linking.ts'
export { mails } from './mails.ts'
export { scopesToRequest } from './protocol.ts'
export { linkingOf, permissions, publicSettings, signUpOf } from './provider-list.ts'
export { openToken as openProviderToken, sealProviderToken, secretUses } from './provider-tokens.ts'

export const area = 'Social accounts'
export const config = { ...mailConfig, ...socialConfig }
export const errors = { ...flowErrors, ...startErrors, ...startingErrors, ...tokenErrors }

const optionalText = z.string().optional()

/** Tokens that an app got from the provider itself. */
const token = z.string()
const idToken = {
  token,
  nonce: optionalText,
  accessToken: token.optional(),
  refreshToken: token.optional(),
  user: z.unknown().optional(),
}

const providerRedirect = {
  provider: z.string(),
  callbackURL: callbackURL.optional(),
  errorCallbackURL: callbackURL.optional(),
  requestSignUp: z.boolean().optional(),
  scopes: requestedScopes.optional(),
  disableRedirect: z.boolean().optional(),
  loginHint: loginHint.optional(),
}

const signInRequest = z.object({
  ...providerRedirect,
  newUserCallbackURL: callbackURL.optional(),
  idToken: z.object({ ...idToken, expiresAt: z.number().optional() }).optional(),
})

const linkRequest = z.object({
  ...providerRedirect,
  idToken: z.object({ ...idToken, scopes: requestedScopes.optional() }).optional(),
})

const callbackDescription =
  'The redirect URI of a provider: exchanges the code, then signs in, signs up or links the account, and redirects to the target of the request that started it. A failure redirects to `errorCallbackURL` or the error page, with the parameter `error`.'

export const routes = {
  'POST /sign-in/social': route({
    summary: 'Sign in with a social account',
    description:
      'Returns the URL of the provider to which to redirect, or signs in with an ID token of the provider. Fails when the provider is not configured, or the ID token or its user is not accepted.',
    area: 'Sign-up and sign-in',
    signsIn: ['first-factor'],
    createsUsers: true,
    access: anyone(),
    body: signInRequest,
    returns: z.object({
      url: z.string().optional(),
      redirect: z.boolean(),
      token: z.string().optional(),
      user: userView.optional(),
    }),
    responseHeaders: writesCookies,
    errors: [...Object.values(startErrors), ...signInErrors],
    handler: async (ctx) => {
      const { provider: id, idToken: given, disableRedirect, ...request } = ctx.body
      const provider = findProvider(ctx, id)
      if (!provider) throw new ApiError(flowErrors.PROVIDER_NOT_FOUND)
      if (given) return signInWithIdToken(ctx, provider, given, request)
      const url = await startFlow(ctx, provider, request)
      return { url, redirect: !disableRedirect }
    },
  }),
  'POST /link-social': route({
    summary: 'Link a social account',
    description:
      'Returns the URL of the provider to which to redirect, or links the account of an ID token. The current user can then sign in with it. Fails when the provider is not configured, or the account cannot be linked.',
    access: freshSession(sensitiveCalls),
    stepUp: 'recent',
    sensitive: true,
    body: linkRequest,
    returns: z.object({ url: z.string(), redirect: z.boolean(), status: z.literal(true) }),
    errors: [...Object.values(startErrors), ...linkErrors],
    handler: async (ctx) => {
      const { provider: id, idToken: given, disableRedirect, ...request } = ctx.body
      const provider = findProvider(ctx, id)
      if (!provider) throw new ApiError(flowErrors.PROVIDER_NOT_FOUND)
      await requireLinkProof(ctx, provider.id)
      if (given) {
        await linkWithIdToken(ctx, provider, given, ctx)
        return { url: '', redirect: false, status: true as const }
      }
      return {
        url: await startFlow(ctx, provider, request, linkRequestOf(ctx)),
        redirect: !disableRedirect,
        status: true as const,
      }
    },
  }),
  'GET /callback/:id': route({
    summary: 'Continue after a provider redirect',
    description: callbackDescription,
    access: anyone(),
    params: z.object({ id: z.string() }),
    query: callbackParameters,
    returns: z.never(),
    signsIn: ['first-factor'],
    createsUsers: true,
    redirects: coreRedirects,
    handler: (ctx) => openCallback(ctx, ctx.params.id, ctx.query),
  }),
  'POST /callback/:id': route({
    summary: 'Continue after a provider form post',
    description: callbackDescription,
    access: anyone(),
    params: z.object({ id: z.string() }),
    body: callbackParameters.optional(),
    origin: 'cross-site',
    returns: z.never(),
    signsIn: ['first-factor'],
    createsUsers: true,
    redirects: coreRedirects,
    handler: (ctx) => openFormPost(ctx, ctx.body, (parameters) => openCallback(ctx, ctx.params.id, parameters)),
  }),
  'GET /expo-authorization-proxy': route({
    summary: 'Open a social sign-in of a native app',
    description:
      'The address that `/sign-in/social` returns to an app whose `callbackURL` has a scheme of its own. The app opens it in the system browser, which continues to the provider; the callback then opens `callbackURL` with the session in the parameter `cookie`. Works once. Fails when the URL is not that of an open sign-in.',
    area: 'Sign-up and sign-in',
    plugin: 'expo',
    access: anyone(),
    query: z.object({ authorizationURL: z.string(), oauthState: optionalText }),
    returns: z.never(),
    responseHeaders: { 'set-cookie': 'The state cookie' },
    errors: [startingErrors.INVALID_AUTHORIZATIONURL],
    exists: hasApps,
    handler: async (ctx) => redirect(await openStartingAddress(ctx, ctx.query.authorizationURL)),
  }),
  ...genericRoutes,
  ...tokenRoutes,
  ...listRoutes,
}
