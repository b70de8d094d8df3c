/** Reads which calls the published server of better-auth has, from the endpoints of its code. */

/** An endpoint of better-auth; without a path it is a function of the server. */
interface Endpoint {
  readonly path?: string
  readonly options?: { readonly method?: string | readonly string[]; readonly metadata?: { readonly SERVER_ONLY?: boolean } }
}
interface Published {
  readonly betterAuth: unknown
  readonly plugins: Readonly<Record<string, unknown>>
}

const nothing = async () => {}

/** Each plugin with the least options that it needs to have all its endpoints. */
const options: Readonly<Record<string, unknown>> = {
  admin: {},
  anonymous: {},
  apiKey: {},
  bearer: {},
  captcha: { provider: 'cloudflare-turnstile', secretKey: 'none' },
  customSession: nothing,
  deviceAuthorization: { schema: {} },
  emailOTP: { sendVerificationOTP: nothing },
  genericOAuth: { config: [] },
  haveIBeenPwned: {},
  jwt: {},
  lastLoginMethod: {},
  magicLink: { sendMagicLink: nothing },
  mcp: { loginPage: '/sign-in' },
  multiSession: {},
  oAuthProxy: {},
  oauthPopup: {},
  oidcProvider: { loginPage: '/sign-in' },
  oneTap: { clientId: 'none' },
  oneTimeToken: {},
  openAPI: {},
  organization: { teams: { enabled: true }, dynamicAccessControl: { enabled: true }, ac: {}, sendInvitationEmail: nothing },
  passkey: {},
  phoneNumber: { sendOTP: nothing },
  siwe: { domain: 'localhost', getNonce: nothing, verifyMessage: nothing },
  twoFactor: {},
  username: {},
}

/** Functions of `plugins` that make no plugin with calls: providers, functions of the server, and what tests use. */
const others = [
  ...['auth0', 'gumroad', 'hubspot', 'keycloak', 'line', 'microsoftEntraId', 'okta', 'patreon', 'slack', 'yandex'],
  ...['createAccessControl', 'createAuthEndpoint', 'createAuthMiddleware', 'createJwk', 'defaultKeyHasher', 'testUtils'],
  ...[
    'generateExportedKeyPair',
    'getJwtToken',
    'getMCPProviderMetadata',
    'getOrgAdapter',
    'hasPermission',
    'isPasswordCompromised',
  ],
  ...['oAuthDiscoveryMetadata', 'optionsMiddleware', 'parseRoles', 'redeemDeviceCode', 'resolveSigningKey', 'role', 'signJWT'],
  ...['getMetadata', 'toExpJWT', 'twoFactorClient', 'verifyJWT', 'withMcpAuth'],
]

const callsOf = (endpoints: Readonly<Record<string, Endpoint>>): string[] =>
  Object.values(endpoints).flatMap(({ path, options = {} }) =>
    path && !options.metadata?.SERVER_ONLY ? [options.method ?? 'GET'].flat().map((method) => `${method} ${path}`) : [],
  )

/**
 * The calls of a published server that come over HTTP, such as `POST /sign-in/email`, by the name of their plugin; `core` without one.
 * @throws Error for a function of the package that is neither a known plugin nor known to be none
 */
export function publishedCalls({ betterAuth, plugins }: Published): ReadonlyMap<string, readonly string[]> {
  const open = betterAuth as (options: object) => { readonly api: Readonly<Record<string, Endpoint>> }
  const core = open({ secret: 'x'.repeat(32), baseURL: 'http://localhost', logger: { disabled: true } })
  const known = Object.entries(plugins).filter(([name, value]) => typeof value === 'function' && !others.includes(name))
  const ofPlugins = known.map(([name, make]): [string, string[]] => {
    if (!(name in options)) throw new Error(`${name} is an unknown function of the published package: is it a plugin?`)
    const plugin = (make as (options: unknown) => { endpoints?: Readonly<Record<string, Endpoint>> })(options[name])
    return [name, callsOf(plugin.endpoints ?? {})]
  })
  return new Map([['core', callsOf(core.api)], ...ofPlugins])
}
