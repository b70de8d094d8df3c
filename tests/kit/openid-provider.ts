/**
 * A real OpenID provider (`oidc-provider`) on loopback, with one page on which a test names an account and continues or cancels.
 * It is on another site than the product: `127.0.0.1`, not `localhost`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
// @ts-expect-error: the package has no types
import UntypedProvider from 'oidc-provider'
import { onTestFinished } from 'vitest'
import { baseURL } from './app.ts'
import type { Clock } from './clock.ts'

/** What the tests use of it. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ readonly params: { client_id: string } }>
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  readonly Grant: new (options: { accountId: string; clientId: string }) => Grant
}
interface Grant {
  addOIDCScope(scope: string): void
  save(): Promise<string>
}
const Provider = UntypedProvider as new (issuer: string, configuration: object) => Provider

export interface OpenIDProvider {
  /** Such as `http://127.0.0.1:40123`. */
  readonly issuer: string
  /** An entry of `genericOAuth.config`, with the ID `acme`. */
  readonly settings: {
    readonly providerId: 'acme'
    readonly discoveryUrl: string
    readonly clientId: string
    readonly clientSecret: string
    readonly scopes: string[]
    readonly pkce: true
  }
  /** Registers the redirect URIs of this origin; those of `baseURL` are registered. */
  register(origin: string): void
  /** Follows a URL of the provider, as a browser without a profile. @param account to sign in as; null: cancels @returns the callback's URL */
  visit(url: string, account: string | null): Promise<URL>
  /** From now on ID tokens have another key with another ID. */
  rotateKeys(): Promise<void>
  /** Path of each request, in order. */
  readonly requests: readonly string[]
}

interface ProviderOptions {
  /** Verified addresses are `<account>@example.com`; this one is not verified. */
  readonly unverified?: string
  /** ID tokens contain the claims of their scopes, as those of most large providers. Default: only user info does. */
  readonly claimsInIdToken?: boolean
  /** Seconds that an access token is valid. */
  readonly accessTokenLife?: number
}

const scope = 'openid email profile offline_access'
const clientId = 'latchkey'
const clientSecret = 'a-secret_of.the~client'

/** Starts it; it is closed when the test ends. */
export async function openidProvider({
  unverified,
  claimsInIdToken = false,
  accessTokenLife = 3600,
}: ProviderOptions = {}): Promise<OpenIDProvider> {
  const requests: string[] = []
  const redirectURIs: string[] = []
  let provider: Provider
  let keyCount = 0
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (request.url?.startsWith('/interaction/')) void interact(provider, request, response)
    else provider.callback()(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const adapter = memory()
  const register = (origin: string) => {
    for (const path of ['callback/acme', 'oauth2/callback/acme', 'callback/google'])
      redirectURIs.push(`${origin}/api/auth/${path}`)
    adapter('Client').put(clientId, clientOf(redirectURIs))
  }
  const rotateKeys = async () => {
    keyCount += 1
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const key = { ...(await exportJWK(privateKey)), kid: `key-${keyCount}`, alg: 'RS256', use: 'sig' }
    provider = new Provider(issuer, {
      ...configuration({ claimsInIdToken, accessTokenLife, unverified }),
      adapter,
      jwks: { keys: [key] },
    })
  }
  register(baseURL)
  await rotateKeys()
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`
  const settings = { discoveryUrl, clientId, clientSecret, scopes: scope.split(' ').slice(0, 3), pkce: true } as const
  return { issuer, requests, register, rotateKeys, visit, settings: { ...settings, providerId: 'acme' } }
}

const clientOf = (redirect_uris: readonly string[]) => ({
  client_id: clientId,
  client_secret: clientSecret,
  redirect_uris: [...redirect_uris],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_post',
})

interface Settings {
  readonly unverified: string | undefined
  readonly claimsInIdToken: boolean
  readonly accessTokenLife: number
}

const configuration = ({ unverified, claimsInIdToken, accessTokenLife }: Settings) => ({
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
  conformIdTokenClaims: !claimsInIdToken,
  scopes: scope.split(' '),
  pkce: { required: () => true },
  cookies: { keys: ['a key of the cookies of the provider'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  ttl: { AccessToken: accessTokenLife, IdToken: 3600, Session: 3600, Grant: 3600, Interaction: 600, RefreshToken: 3600 },
  // Each refresh revokes the token that it used (RFC 9700 §4.14.2).
  rotateRefreshToken: true,
  findAccount: (_: unknown, accountId: string) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      name: `${accountId.slice(0, 1).toUpperCase()}${accountId.slice(1)}`,
      email: `${accountId}@example.com`,
      email_verified: accountId !== unverified,
    }),
  }),
})

/** The sign-in page. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    return
  }
  const form = new URLSearchParams(await text(request))
  const accountId = form.get('account') ?? ''
  if (form.get('choice') !== 'continue') {
    const result = { error: 'access_denied', error_description: 'The user canceled the sign-in' }
    return provider.interactionFinished(request, response, result)
  }
  const grant = new provider.Grant({ accountId, clientId: params.client_id })
  grant.addOIDCScope(scope)
  return provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId: await grant.save() } })
}

const page = `<!doctype html><html lang="en"><title>Sign in to the provider</title><form method="post">
<label>Account <input name="account" autofocus></label>
<button name="choice" value="continue">Continue</button><button name="choice" value="cancel">Cancel</button></form>`

async function visit(start: string, account: string | null): Promise<URL> {
  const { origin } = new URL(start)
  const cookies = new Map<string, string>()
  const send = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(url, { ...init, headers: { cookie }, redirect: 'manual' })
    for (const header of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (header.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    return response
  }
  let url = start
  for (let step = 0; step < 10 && url.startsWith(origin); step += 1) {
    const isPage = url.startsWith(`${origin}/interaction/`)
    const body = new URLSearchParams({ account: account ?? '', choice: account === null ? 'cancel' : 'continue' })
    const response = await send(url, isPage ? { method: 'POST', body } : {})
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider stopped at ${url}: ${response.status} ${await response.text()}`)
    url = new URL(location, url).href
  }
  return new URL(url)
}

/** What the provider stores; survives a rotation of its keys. One `Map` for each kind of object. */
function memory() {
  const kinds = new Map<string, Map<string, object>>()
  return (kind: string) => {
    const items = kinds.get(kind) ?? new Map<string, object>()
    kinds.set(kind, items)
    return {
      put: (id: string, item: object) => void items.set(id, item),
      upsert: async (id: string, item: object) => void items.set(id, item),
      find: async (id: string) => items.get(id),
      findByUid: async (uid: string) => [...items.values()].find((item) => Reflect.get(item, 'uid') === uid),
      findByUserCode: async () => undefined,
      consume: async (id: string) => void Object.assign(items.get(id) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
      destroy: async (id: string) => void items.delete(id),
      revokeByGrantId: async (grantId: string) => {
        for (const [id, item] of items) if (Reflect.get(item, 'grantId') === grantId) items.delete(id)
      },
    }
  }
}

/** The provider has the real clock: for a daemon with an earlier one, it would issue tokens in the future. */
export const setToRealTime = (clock: Clock): void => clock.advance((Date.now() - clock.now().getTime()) / 1000)
