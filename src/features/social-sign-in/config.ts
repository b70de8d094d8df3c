/** Options for social sign-in (contract 03 §6, §8). */
import { z } from 'zod'
import { type ConfigIssue, group, type Section, secret, section } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import { isLoopback } from '../../lib/ip.ts'
import type { Config } from '../index.ts'
import { mailSender } from '../outbox/index.ts'
import { configuredProviders } from './configured-providers.ts'
import type { LinkNotice } from './mails.ts'
import type { ProviderDeclaration } from './provider.ts'
import { commonOptions, endpointURL } from './provider-options.ts'
import { providers } from './providers/index.ts'

type Providers = typeof providers
type OptionsOf<D> = D extends { readonly options?: infer O } ? typeof commonOptions & NonNullable<O> : never
type ProviderSections = { readonly [K in keyof Providers]: Section<OptionsOf<Providers[K]>, 'presence'> }

// Built from data, so the compiler cannot check that it matches the type.
const providerSections = Object.fromEntries(
  Object.entries(providers).map(([id, { name, options }]) => [
    id,
    section(`Sign-in with ${name}`, { ...commonOptions, ...options }),
  ]),
) as unknown as ProviderSections

const headers = secret(z.record(z.string(), z.string()).optional())
const { clientId, clientSecret, prompt, responseMode, disableImplicitSignUp, disableSignUp, redirectURI } = commonOptions
const { getUserInfo, mapProfileToUser, issuer, jwksUri } = commonOptions

const genericProvider = z.strictObject({
  providerId: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'Expected letters, digits, _, - and ., 64 at most')
    .describe('ID of the provider, part of its redirect URI'),
  name: z.string().min(1).max(64).optional().describe('Name on buttons; default: the ID'),
  discoveryUrl: endpointURL
    .optional()
    .describe('URL of the OpenID Connect discovery document, from which the other URLs are read'),
  authorizationUrl: endpointURL.optional().describe('Authorization endpoint'),
  tokenUrl: endpointURL.optional().describe('Token endpoint'),
  userInfoUrl: endpointURL.optional().describe('User info endpoint'),
  issuer,
  jwksUri,
  clientId,
  clientSecret,
  scopes: z.array(z.string().min(1)).default([]).describe('Scopes to request'),
  redirectURI: redirectURI.describe('Redirect URI to send; default: `<baseURL>/oauth2/callback/<providerId>`'),
  responseType: z.enum(['code', 'code id_token']).default('code').describe('Value of the parameter `response_type`'),
  responseMode,
  prompt,
  pkce: z.boolean().default(false).describe('Send a code challenge'),
  accessType: z.string().optional().describe('Value of the parameter `access_type`'),
  authorizationUrlParams: z.record(z.string(), z.string()).optional().describe('More parameters of the authorization request'),
  authentication: z.enum(['basic', 'post']).default('post').describe('How the client authenticates at the token endpoint'),
  discoveryHeaders: headers.describe('Headers of the request for the discovery document'),
  authorizationHeaders: headers.describe('Headers of the token request'),
  disableImplicitSignUp,
  disableSignUp,
  overrideUserInfo: z.boolean().default(false).describe('Update the user from the provider profile at each sign-in'),
  getUserInfo,
  mapProfileToUser,
})
export type GenericProvider = z.output<typeof genericProvider>

export const config = {
  ...cookieOptions('state'),
  socialProviders: group('Social sign-in: providers with their options', providerSections),
  genericOAuth: section('Social sign-in with any other OAuth 2 or OpenID provider', {
    config: z
      .array(genericProvider)
      .default([])
      .describe('Providers: each with `providerId`, `clientId`, `clientSecret` and `discoveryUrl`, or its URLs'),
  }),
  account: group('Accounts: the sign-in methods of a user', {
    updateAccountOnSignIn: z.boolean().default(true).describe('Store the new provider tokens at each sign-in'),
    exposeRefreshToken: z.boolean().default(false).describe('Return the refresh token in `/get-access-token`'),
    skipStateCookieCheck: z
      .boolean()
      .default(false)
      .describe('Accept a callback in another browser than the one that started the sign-in; this allows login CSRF'),
    accountLinking: group('Linking several accounts to one user', {
      enabled: z.boolean().default(true).describe('Link a social account to the user with the same email address'),
      trustedProviders: z
        .array(z.string())
        .default([])
        .describe('Providers that link also when they have not verified the email address'),
      allowDifferentEmails: z.boolean().default(false).describe('Allow users to link accounts with another email address'),
      updateUserInfoOnLink: z.boolean().default(false).describe('Update name and image of the user when they link an account'),
      sendAccountLinked: mailSender<LinkNotice>('notice of a linked social account'),
      unverifiedUsers: z
        .enum(['revoke', 'reject', 'keep'])
        .optional()
        .describe(
          'When the email address of the user was never verified, because another person may have signed up with it: `revoke` first removes their sessions, password and other accounts; `reject` does not link; `keep` links, as better-auth does. Default: `revoke`, but `keep` if no verification emails are sent',
        ),
    }),
  }),
}

export function checkConfig(config: Config): ConfigIssue[] {
  const ids = config.genericOAuth.enabled ? config.genericOAuth.config.map(({ providerId }) => providerId) : []
  const known = ['credential', ...Object.keys(config.socialProviders)]
  const taken = ids.filter((id, position) => known.includes(id) || ids.indexOf(id) !== position)
  return [
    ...taken.map((id) => ({
      id: 'provider-id',
      path: 'genericOAuth.config',
      message: `The provider ID "${id}" is already in use.`,
      hint: id in config.socialProviders ? `Configure it as \`socialProviders.${id}\`, or use another ID.` : 'Use another ID.',
    })),
    ...configuredProviders(config).flatMap((provider) => providerIssues(config, provider)),
    ...trustIssues(config),
  ]
}

/** Providers at which anyone can have an account with the email address of another person. */
function trustIssues(config: Config): ConfigIssue[] {
  const { enabled, trustedProviders } = config.account.accountLinking
  const path = 'account.accountLinking.trustedProviders'
  const trusted = configuredProviders(config).filter(({ id }) => enabled && trustedProviders.includes(id))
  return trusted.flatMap(({ id, declaration, options, generic }) => {
    const open = generic ? openProviderOf(generic) : isOpen(id, declaration, Reflect.get(options, 'tenantId')) && declaration.name
    if (!open) return []
    const message = `${open} does not verify email addresses: anyone could sign in there as a user with any address, and so take over users here.`
    const tenant = generic
      ? 'Use the URLs of your tenant, with its ID'
      : 'Set socialProviders.microsoft.tenantId to the ID of your tenant'
    const hint = open === providers.microsoft.name ? `${tenant}, or remove it from the list.` : `Remove "${id}" from the list.`
    return [{ id: 'trusted-provider-unverified', path, message, hint }]
  })
}

/** An administrator of any tenant of Microsoft Entra can give its users any address. */
const isOpen = (id: string, { emails }: ProviderDeclaration, tenant: unknown): boolean =>
  (emails !== 'verified' && emails !== 'reported') || (id === 'microsoft' && !z.guid().safeParse(tenant).success)

/** The name of the built-in provider that a generic one is by its URLs, if it does not verify email addresses. */
function openProviderOf({ discoveryUrl, authorizationUrl, tokenUrl, issuer }: GenericProvider): string | undefined {
  const urls = [discoveryUrl, authorizationUrl, tokenUrl, issuer].flatMap((url) => URL.parse(url ?? '') ?? [])
  const hostOf = (endpoint: string | undefined) => URL.parse(endpoint ?? '')?.hostname
  for (const [id, declaration] of Object.entries<ProviderDeclaration>(providers)) {
    const hosts = [declaration.authorizationEndpoint, declaration.tokenEndpoint].map(hostOf)
    const own = urls.filter(({ hostname }) => hosts.includes(hostname))
    if (own.some(({ pathname }) => isOpen(id, declaration, pathname.split('/')[1]))) return declaration.name
  }
  return undefined
}

type Configured = ReturnType<typeof configuredProviders>[number]

function providerIssues(config: Config, { id, declaration, options, generic }: Configured): ConfigIssue[] {
  const position = config.genericOAuth.enabled ? config.genericOAuth.config.findIndex(({ providerId }) => providerId === id) : -1
  const path = generic ? `genericOAuth.config.${position}` : `socialProviders.${id}`
  const { clientSecretOptions = [] } = declaration
  const other = clientSecretOptions.length > 0 ? ` Or set ${clientSecretOptions.join(', ')}, of which it is made.` : ''
  const issues: ConfigIssue[] = missingCredentials({ declaration, options }).map((option) => ({
    id: 'provider-credentials',
    path: `${path}.${option}`,
    message: `${declaration.name} needs ${option === 'clientSecret' ? 'a client secret' : `a ${option}`}.`,
    hint: `Register Latchkey with ${declaration.name} and set the values that it assigns, such as the variable ${variableOf(id, option)} of the environment.${option === 'clientSecret' ? other : ''} Or disable it with \`enabled: false\`.`,
  }))
  if (generic?.jwksUri !== undefined && generic.issuer === undefined && generic.discoveryUrl === undefined)
    issues.push({
      id: 'provider-issuer',
      path: `${path}.issuer`,
      message: 'ID tokens cannot be verified without their issuer.',
      hint: 'Set `issuer`, or `discoveryUrl` in place of `jwksUri`.',
    })
  const urls = Object.entries(generic ?? options).filter(
    ([, value]) => typeof value === 'string' && value.startsWith('http:') && !isLoopback(URL.parse(value)?.hostname ?? ''),
  )
  if (config.environment === 'development') return issues
  return [
    ...issues,
    ...urls.map(([option]) => ({
      id: 'provider-plain-http',
      path: `${path}.${option}`,
      message: 'Codes and tokens would be sent unencrypted.',
      hint: 'Use https:.',
    })),
  ]
}

/** A client secret can be made of other options: of all of them. */
function missingCredentials({ declaration, options }: Pick<Configured, 'declaration' | 'options'>): string[] {
  const { clientIdParameter, clientSecretOptions = [] } = declaration
  const isAbsent = (option: string) => Reflect.get(options, option) === undefined
  const isMade = isAbsent('clientSecret') && !clientSecretOptions.every(isAbsent)
  const needed = [clientIdParameter === 'client_key' ? 'clientKey' : 'clientId']
  return [...needed, ...(isMade ? clientSecretOptions : ['clientSecret'])].filter(isAbsent)
}

/** Such as `GOOGLE_CLIENT_ID`. */
const variableOf = (id: string, option: string): string =>
  `${id}_${option.replaceAll(/[A-Z]/g, '_$&')}`.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')

/** The options that a provider needs, and environment variables to read them from, by option. */
export function credentialVariables(id: string, { clientIdParameter }: ProviderDeclaration): Readonly<Record<string, string>> {
  const client = clientIdParameter === 'client_key' ? 'clientKey' : 'clientId'
  return Object.fromEntries([client, 'clientSecret'].map((option) => [option, variableOf(id, option)]))
}
