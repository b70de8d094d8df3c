/** The options that every provider has. */
import { z } from 'zod'
import { callback, secret } from '../../core/config.ts'
import type { ProviderTokens } from './provider.ts'

/** `fetch` rejects credentials in a URL, and pages and messages would show them. */
const hasNoCredentials = (text: string) => !URL.parse(text)?.username && !URL.parse(text)?.password
export const endpointURL = z
  .url({ protocol: /^https?$/ })
  .refine(hasNoCredentials, 'Expected a URL without user name and password')

/** What a function of the configuration gets and returns; names as in better-auth. */
type TokensForFunctions = ProviderTokens
export interface UserOfFunction {
  readonly id: string
  readonly name?: string | null
  readonly email?: string | null
  readonly image?: string | null
  readonly emailVerified?: boolean
}
type Maybe<T> = T | null | undefined

/** An empty one counts as missing, because a line of `.env` without a value sets an empty text. */
const credential = z
  .string()
  .optional()
  .transform((text) => text || undefined)

/** One client ID, or several: of a web application, and of its apps. */
const clientIds = z
  .union([z.string(), z.array(z.string().optional())])
  .optional()
  .transform((given) => {
    const ids = [given].flat().flatMap((id) => (id ? [id] : []))
    return ids.length > 1 ? ids : ids[0]
  })

/** Options of every provider (contract 03 §6), and its endpoints, for self-hosted instances and regional hosts. */
export const commonOptions = {
  clientId: clientIds.describe(
    'Client ID that the provider assigned, or a list: the first one starts sign-ins, and ID tokens for all of them are accepted',
  ),
  clientSecret: secret(credential).describe('Client secret that the provider assigned'),
  clientKey: credential.describe('Client key, for providers that use one in place of a client ID'),
  scope: z.array(z.string().min(1)).default([]).describe('Scopes to request in addition to the default ones'),
  disableDefaultScope: z.boolean().default(false).describe('Request only the scopes in `scope`'),
  redirectURI: endpointURL.optional().describe('Redirect URI to send; default: `<baseURL>/callback/<provider>`'),
  prompt: z.string().optional().describe('Value of the parameter `prompt`, such as `select_account`'),
  responseMode: z.enum(['query', 'form_post']).optional().describe('How the provider returns to the redirect URI'),
  pkce: z.boolean().optional().describe('Send a code challenge; default: as the provider documents'),
  disableIdTokenSignIn: z.boolean().default(false).describe('Reject sign-in with an ID token'),
  disableImplicitSignUp: z.boolean().default(false).describe('Create users only for requests with `requestSignUp`'),
  disableSignUp: z.boolean().default(false).describe('Never create users'),
  overrideUserInfoOnSignIn: z.boolean().default(false).describe('Update the user from the provider profile at each sign-in'),
  authorizationEndpoint: endpointURL.optional().describe('Replaces the authorization endpoint of the provider'),
  tokenEndpoint: endpointURL.optional().describe('Replaces the token endpoint of the provider'),
  userInfoEndpoint: endpointURL.optional().describe('Replaces the user info endpoint of the provider'),
  jwksUri: endpointURL.optional().describe('Replaces the URL of the keys that sign ID tokens'),
  issuer: z.string().min(1).max(255).optional().describe('Replaces the issuer of the provider'),
  verifyIdToken: callback<(token: string, nonce?: string) => boolean | Promise<boolean>>()
    .optional()
    .describe('Function that verifies an ID token in place of the built-in verification'),
  getUserInfo: callback<
    (
      tokens: TokensForFunctions,
    ) => Maybe<{ user: UserOfFunction; data?: object }> | Promise<Maybe<{ user: UserOfFunction; data?: object }>>
  >()
    .optional()
    .describe(
      'Function that gets the tokens and returns `user` (`id`, `name`, `email`, `image`, `emailVerified`), and the profile as `data`',
    ),
  refreshAccessToken: callback<(refreshToken: string) => TokensForFunctions | Promise<TokensForFunctions>>()
    .optional()
    .describe('Function that gets a refresh token and returns new tokens'),
  mapProfileToUser: callback<(profile: Readonly<Record<string, unknown>>) => object | Promise<object>>()
    .optional()
    .describe('Function that gets the provider profile and returns fields of the user, which replace the mapped ones'),
}

/** The client IDs, the one that starts sign-ins first. */
export const clientIdsOf = ({ clientId = [] }: Pick<ProviderOptions, 'clientId'>): readonly string[] => [clientId].flat()

export type ProviderOptions = Readonly<z.output<z.ZodObject<typeof commonOptions>>>
