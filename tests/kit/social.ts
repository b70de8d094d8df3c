/** An app with providers that are one stand-in: Google with ID tokens, GitHub, and the generic provider `acme`. */
import type { ConfigFile } from '../../src/features/index.ts'
import { type TestApp, type TestOptions, testApp } from './app.ts'
import type { Answer, Browser } from './browser.ts'
import { flow, type StandIn, type StandInRequest, signingKey, standIn } from './provider-stand-in.ts'

export interface ProviderUser {
  readonly sub: string
  readonly name?: string | null
  readonly email?: string | null | undefined
  readonly email_verified?: boolean
  readonly picture?: string
}

export const ann: ProviderUser = {
  sub: 'ann-at-provider',
  name: 'Ann',
  email: 'ann@example.com',
  email_verified: true,
  picture: 'https://img.example/ann.png',
}

type ProviderId = 'google' | 'github' | 'acme'

interface SignInOptions {
  /** More members of the body that starts the flow. */
  readonly body?: object
  readonly start?: 'POST /sign-in/social' | 'POST /link-social'
}

export interface SocialApp extends TestApp {
  readonly provider: StandIn
  /** A code for this user, different each time. */
  codeFor(user: ProviderUser): string
  /** The whole redirect flow. @returns the response of the callback */
  signIn(browser: Browser, provider: ProviderId, user?: ProviderUser, options?: SignInOptions): Promise<Answer>
  /** An ID token of Google for this user. */
  idToken(user?: ProviderUser, claims?: object): Promise<string>
}

const clientId = 'client-id'
const credentials = { clientId, clientSecret: 'client-secret' }

/** Where a callback has redirected to. */
export const target = ({ headers }: Answer): string | null => headers.get('location')

const bearer = ({ headers }: StandInRequest): string => String(headers.authorization).replace('Bearer ', '')

/** The configuration of the providers; tests add options. */
export function providerConfig(origin: string, { socialProviders = {}, genericOAuth, ...config }: ConfigFile = {}): ConfigFile {
  const [generic = {}] = typeof genericOAuth === 'object' ? (genericOAuth.config ?? []) : []
  const at = (path: string) => `${origin}/${path}`
  return {
    ...config,
    socialProviders: {
      google: {
        ...credentials,
        tokenEndpoint: at('google/token'),
        jwksUri: at('google/keys'),
        ...Object(socialProviders.google),
      },
      github: {
        ...credentials,
        tokenEndpoint: at('token'),
        userInfoEndpoint: at('github/user'),
        ...Object(socialProviders.github),
      },
    },
    genericOAuth: {
      config: [
        {
          providerId: 'acme',
          ...credentials,
          authorizationUrl: at('authorize'),
          tokenUrl: at('token'),
          userInfoUrl: at('userinfo'),
          ...generic,
        },
      ],
    },
  }
}

export async function socialApp(config: ConfigFile = {}, options: TestOptions = {}): Promise<SocialApp> {
  const provider = await standIn()
  return withProvider(provider, await testApp(providerConfig(provider.origin, config), options))
}

/** Fills the stand-in for an app that is configured with it. */
export async function withProvider<T extends TestApp>(provider: StandIn, kit: T): Promise<T & SocialApp> {
  const key = await signingKey(kit.clock.now, { alg: 'ES256' })
  const users = new Map<string, ProviderUser>()
  const userOf = (code: string) => users.get(code) ?? ann
  const idToken = (user: ProviderUser = ann, claims: object = {}) =>
    key.sign({ iss: 'https://accounts.google.com', aud: clientId, ...user, ...claims })
  const tokens = (code: string) => ({ access_token: code, token_type: 'Bearer', expires_in: 3600, scope: 'email' })
  provider.set({
    'GET /google/keys': key.jwks,
    'POST /google/token': async ({ form }: StandInRequest) => {
      const code = form.get('code') ?? ''
      return { ...tokens(code), id_token: await idToken(userOf(code)) }
    },
    'POST /token': ({ form }: StandInRequest) => tokens(form.get('code') ?? ''),
    'GET /userinfo': (request: StandInRequest) => userOf(bearer(request)),
    'GET /github/user': (request: StandInRequest) => {
      const { sub, name, email, picture } = userOf(bearer(request))
      // GitHub has numbers.
      return { id: numberOf(sub), login: sub, name, email, avatar_url: picture }
    },
    'GET /github/user/emails': (request: StandInRequest) => {
      const { email, email_verified: verified = false } = userOf(bearer(request))
      return email ? [{ email, primary: true, verified }] : []
    },
  })
  const codeFor = (user: ProviderUser) => {
    const code = `code-${users.size}`
    users.set(code, user)
    return code
  }
  return {
    ...kit,
    provider,
    codeFor,
    idToken,
    signIn: (browser, id, user = ann, more = {}) => flow(browser, id, { ...more, callback: { code: codeFor(user) } }),
  }
}

const numberOf = (sub: string): number => [...sub].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)

/** Providers of the accounts of a user, in alphabetical order. */
export const accountsOf = async ({ app }: TestApp, email: string): Promise<readonly string[]> =>
  (
    await app.db
      .selectFrom('account')
      .innerJoin('user', 'user.id', 'account.userId')
      .select('account.providerId')
      .where('user.email', '=', email)
      .orderBy('account.providerId')
      .execute()
  ).map(({ providerId }) => providerId)
