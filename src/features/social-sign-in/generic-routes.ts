/** The calls of the reference's generic OAuth plugin, for providers of `genericOAuth` (contract 03 §8). */
import { z } from 'zod'
import { writesCookies } from '../../core/cookies.ts'
import { ApiError, type ErrorEntry, errorWithValue } from '../../core/errors.ts'
import { anyone, freshSession, sensitiveCalls } from '../../core/permissions.ts'
import type { CallContext } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import type { Config } from '../index.ts'
import { callbackParameters, openFormPost, openGenericCallback, throwProviderError } from './callback.ts'
import { type ConfiguredProvider, findProvider } from './configured-providers.ts'
import { errors as flowErrors } from './id-token-flow.ts'
import { linkRequestOf, requireLinkProof } from './linking.ts'
import { genericRedirects } from './redirect-codes.ts'
import { requestedScopes, startErrors, startFlow } from './start.ts'

const noConfig = (id: string): ErrorEntry =>
  errorWithValue('NO_CONFIG_FOUND_FOR_PROVIDER', 400, `No config found for provider ${id}`)

function findGeneric(ctx: CallContext, id: string): ConfiguredProvider | null {
  const provider = findProvider(ctx, id)
  return provider?.generic ? provider : null
}

/** In error responses, and so bounded. */
const providerId = z.string().max(64)

const signInRequest = z.object({
  providerId,
  callbackURL: callbackURL.optional(),
  errorCallbackURL: callbackURL.optional(),
  newUserCallbackURL: callbackURL.optional(),
  disableRedirect: z.boolean().optional(),
  scopes: requestedScopes.optional(),
  requestSignUp: z.boolean().optional(),
})

const linkRequest = z.object({
  providerId: z.string(),
  callbackURL,
  errorCallbackURL: callbackURL.optional(),
  scopes: requestedScopes.optional(),
})

const exists = ({ genericOAuth }: Config): boolean => genericOAuth.enabled
async function handleCallback(ctx: CallContext, id: string, parameters: z.output<typeof callbackParameters>) {
  const { error, error_description, code } = parameters
  if (error || !code) throwProviderError(error || 'oAuth_code_missing', error_description)
  const provider = findGeneric(ctx, id)
  if (!provider) throw new ApiError(noConfig(id))
  return openGenericCallback(ctx, provider, parameters)
}

const callbackRoute = {
  description:
    'The redirect URI of a provider of `genericOAuth`: exchanges the code, then signs in, signs up or links the account, and redirects to the target of the request that started it. A failure redirects to `errorCallbackURL` or the error page, with the parameter `error`.',
  plugin: 'generic-oauth',
  access: anyone(),
  params: z.object({ providerId }),
  returns: z.never(),
  signsIn: ['first-factor'],
  createsUsers: true,
  errors: [noConfig('<id>')],
  redirects: genericRedirects,
  exists,
} as const

export const genericRoutes = {
  'POST /sign-in/oauth2': route({
    summary: 'Sign in with a generic provider',
    description:
      'Returns the URL of the provider to which to redirect. `/sign-in/social` does the same. Fails when the provider is not configured or has no endpoints.',
    area: 'Sign-up and sign-in',
    plugin: 'generic-oauth',
    access: anyone(),
    body: signInRequest,
    returns: z.object({ url: z.string(), redirect: z.boolean() }),
    responseHeaders: writesCookies,
    errors: [noConfig('<id>'), ...Object.values(startErrors)],
    exists,
    handler: async (ctx) => {
      const { providerId: id, disableRedirect, ...request } = ctx.body
      const provider = findGeneric(ctx, id)
      if (!provider) throw new ApiError(noConfig(id))
      return { url: await startFlow(ctx, provider, request), redirect: !disableRedirect }
    },
  }),
  'POST /oauth2/link': route({
    summary: 'Link a social account of a generic provider',
    description:
      'Returns the URL of the provider to which to redirect. `/link-social` does the same. Fails when the provider is not configured or has no endpoints.',
    plugin: 'generic-oauth',
    access: freshSession(sensitiveCalls),
    stepUp: 'recent',
    sensitive: true,
    body: linkRequest,
    returns: z.object({ url: z.string(), redirect: z.literal(true), status: z.literal(true) }),
    errors: [flowErrors.PROVIDER_NOT_FOUND, ...Object.values(startErrors)],
    exists,
    handler: async (ctx) => {
      const provider = findGeneric(ctx, ctx.body.providerId)
      if (!provider) throw new ApiError(flowErrors.PROVIDER_NOT_FOUND)
      await requireLinkProof(ctx, provider.id)
      return {
        url: await startFlow(ctx, provider, { ...ctx.body, replacesScopes: true }, linkRequestOf(ctx)),
        redirect: true as const,
        status: true as const,
      }
    },
  }),
  'GET /oauth2/callback/:providerId': route({
    summary: 'Continue after a generic provider redirect',
    ...callbackRoute,
    query: callbackParameters,
    handler: (ctx) => handleCallback(ctx, ctx.params.providerId, ctx.query),
  }),
  'POST /oauth2/callback/:providerId': route({
    summary: 'Continue after a generic provider form post',
    ...callbackRoute,
    body: callbackParameters.optional(),
    origin: 'cross-site',
    handler: (ctx) => openFormPost(ctx, ctx.body, (parameters) => handleCallback(ctx, ctx.params.providerId, parameters)),
  }),
}
