/** What is known of the configured providers: to pages before sign-in, and to administrators. */
import { z } from 'zod'
import { settings } from '../../core/feature.ts'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { type ConfiguredProvider, configuredProviders, redirectURI } from './configured-providers.ts'
import { acceptsIdTokens } from './id-token.ts'
import { canRefresh, scopesToRequest, usesPKCE } from './protocol.ts'

/** Actions on the configured providers that a role may be granted. */
export const permissions = { provider: ['list'] } as const

/** Whether a sign-in creates a user: always, only with `requestSignUp`, or never. */
const signUpRule = z.enum(['always', 'requested', 'never'])

/** Whether a social account is linked to the user with its email address: if the provider has verified it, always, or never. */
const linkingRule = z.enum(['verified', 'always', 'never'])

export function linkingOf({ account }: Config, id: string): z.output<typeof linkingRule> {
  const { enabled, trustedProviders } = account.accountLinking
  if (!enabled) return 'never'
  return trustedProviders.includes(id) ? 'always' : 'verified'
}

export function signUpOf({ options }: ConfiguredProvider): z.output<typeof signUpRule> {
  if (options.disableSignUp) return 'never'
  return options.disableImplicitSignUp ? 'requested' : 'always'
}

const publicView = {
  id: z.string().meta({ examples: ['github'] }),
  name: z.string().meta({ examples: ['GitHub'] }),
  signUp: signUpRule,
}
const publicViewOf = (provider: ConfiguredProvider) => ({
  id: provider.id,
  name: provider.declaration.name,
  signUp: signUpOf(provider),
})

export const publicSettings = settings({ socialProviders: z.array(z.object(publicView)) }, (config) => ({
  socialProviders: configuredProviders(config).map(publicViewOf),
}))

const adminView = z.object({
  ...publicView,
  redirectURI: z
    .string()
    .describe('The redirect URI to register with the provider')
    .meta({ examples: ['https://auth.example.com/api/auth/callback/github'] }),
  scopes: z
    .array(
      z.object({
        name: z.string(),
        grants: z
          .string()
          .nullable()
          .describe('What it grants; null for a scope of the configuration that OpenID Connect does not define'),
      }),
    )
    .meta({
      description: 'The scopes that each sign-in requests',
      examples: [[{ name: 'read:user', grants: 'Read the profile' }]],
    }),
  linking: linkingRule.describe('Whether its accounts link to users with the same email address'),
  usesPKCE: z.boolean().describe('Whether a code challenge is sent (RFC 7636)'),
  canRefresh: z.boolean().describe('Whether its access tokens can be refreshed'),
  idTokenSignIn: z.boolean().describe('Whether apps can sign in with an ID token of the provider'),
})

/** What scopes grant at every OpenID provider (OpenID Connect Core §3.1.2.1, §5.4, §11). */
const standardScopes: Readonly<Record<string, string>> = {
  openid: 'Identify the user',
  profile: 'Read the profile',
  email: 'Read the email address',
  address: 'Read the postal address',
  phone: 'Read the phone number',
  offline_access: 'Renew the access',
}

/** A provider declares what its own default scopes grant. Of others only those of the standard are known. */
function scopeViewsOf(provider: ConfiguredProvider) {
  const names = scopesToRequest(provider)
  const known = new Map(Object.entries({ ...(names.includes('openid') && standardScopes), ...provider.declaration.scopes }))
  return names.map((name) => ({ name, grants: known.get(name) ?? null }))
}

function adminViewOf(config: Config, provider: ConfiguredProvider): z.output<typeof adminView> {
  return {
    ...publicViewOf(provider),
    redirectURI: redirectURI(config, provider),
    scopes: scopeViewsOf(provider),
    linking: linkingOf(config, provider.id),
    usesPKCE: usesPKCE(provider),
    canRefresh: canRefresh(provider),
    idTokenSignIn: !provider.options.disableIdTokenSignIn && acceptsIdTokens(provider),
  }
}

export const listRoutes = {
  'GET /admin/social-providers': route({
    summary: 'List social providers',
    description:
      'Returns the configured providers, with the scopes that each requests and what they grant. Only for users whose role permits `provider:list`.',
    access: permission({ provider: ['list'] }),
    returns: z.array(adminView),
    handler: ({ config }) => configuredProviders(config).map((provider) => adminViewOf(config, provider)),
  }),
}
