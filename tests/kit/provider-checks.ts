/** What the tests of all providers share: a daemon whose provider is a stand-in, the views that tests compare, hostile responses. */
import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { configuredHosts, createFetch } from '../../src/adapters/outbound-fetch.ts'
import type { ConfigFile } from '../../src/features/index.ts'
import { baseURL, type TestApp, testApp } from './app.ts'
import type { Answer, Browser } from './browser.ts'
import {
  type Endpoints,
  type FlowOptions,
  openCallback,
  respondWith,
  type SigningKey,
  type StandIn,
  type StandInRequest,
  signingKey,
  standIn,
  startFlow,
} from './provider-stand-in.ts'

export const credentials = { clientId: 'the-client', clientSecret: 'the-client-secret' }

/** A token response; `scope` is left out, as its form differs. */
export const tokenResponse = {
  access_token: 'access-token-1',
  refresh_token: 'refresh-token-1',
  token_type: 'bearer',
  expires_in: 3600,
}

export interface ProviderSetup {
  /** Options of the provider; by default it has a client ID and a client secret. */
  readonly options?: object
  readonly config?: ConfigFile
  /** The algorithm of its ID tokens. Default RS256. */
  readonly alg?: string
  /** By method and the provider's own URL without query: `POST https://discord.com/api/oauth2/token`. */
  endpoints(provider: Pick<OpenProvider, 'idToken' | 'key'>): Endpoints
}

export interface OpenProvider {
  readonly id: string
  readonly kit: TestApp
  readonly browser: Browser
  readonly key: SigningKey
  /** Signs claims; with the nonce of the started sign-in, if it has one. */
  idToken(claims: object): Promise<string>
  /** Replaces endpoints, named as in `endpoints`. */
  set(endpoints: Endpoints): void
  /** For `set`: an endpoint that never responds. Requests to it end soon. */
  hangAt(endpoint: string): Endpoints
  /** The last request to this URL. */
  last(url: string): StandInRequest
  /** How many requests came for this URL. */
  count(url: string): number
  /** Starts a sign-in. @returns the URL of the provider's page */
  start(options?: FlowOptions): Promise<URL>
  /** What `start` returned last. */
  started(): URL
  /** The whole redirect flow. @returns the response of the callback */
  signIn(options?: FlowOptions): Promise<Answer>
}

/** `https://host/path` is `/host/path` of the stand-in, so that tests see the URLs that the daemon really uses. */
const pathOf = (url: string): string => url.replace(/^https:\//, '')
const keyOf = (endpoint: string): string => endpoint.replace(' https:/', ' ')
const withPaths = (endpoints: Endpoints): Endpoints =>
  Object.fromEntries(Object.entries(endpoints).map(([key, response]) => [keyOf(key), response]))

/** Opens a daemon with this provider; what it sends to the provider goes to a stand-in. */
export async function openProvider(id: string, { options, config, alg, endpoints }: ProviderSetup): Promise<OpenProvider> {
  const kit = await testApp({ ...config, socialProviders: { [id]: { ...credentials, ...options } } })
  const server = await standIn()
  const hanging = new Set<string>()
  sendTo(kit, server, hanging)
  const key = await signingKey(kit.clock.now, alg === undefined ? {} : { alg })
  const browser = kit.browser()
  let started = new URL(baseURL)
  const start = async (flowOptions?: FlowOptions) => {
    started = await startFlow(browser, id, flowOptions)
    return started
  }
  const idToken = (claims: object) => {
    const nonce = started.searchParams.get('nonce')
    return key.sign({ ...(nonce !== null && { nonce }), ...claims })
  }
  const set = (more: Endpoints) => server.set(withPaths(more))
  set(endpoints({ idToken, key }))
  return {
    ...{ id, kit, browser, key, idToken, set, start },
    started: () => started,
    hangAt: (endpoint) => {
      hanging.add(pathOf(endpoint.split(' ')[1] ?? ''))
      return { [endpoint]: () => undefined }
    },
    last: (url) => server.last(pathOf(url)),
    count: (url) => server.requests.filter((request) => request.url.pathname === pathOf(url)).length,
    signIn: async (flowOptions) => openCallback(browser, id, await start(flowOptions), flowOptions?.callback),
  }
}

/** Only requests to hanging endpoints have a short deadline: all others must survive a slow machine. */
function sendTo(kit: TestApp, server: StandIn, hanging: ReadonlySet<string>): void {
  const open = (timeoutMs: number) => createFetch({ timeoutMs, allowedHosts: configuredHosts({ url: server.origin }) })
  const [usual, short] = [open(60_000), open(50)]
  onTestFinished(() => Promise.all([usual.close(), short.close()]).then(() => {}))
  const send: typeof fetch = (input, init) => {
    const target = String(input instanceof Request ? input.url : input)
    const sent = target.startsWith('https://') ? `${server.origin}${pathOf(target)}` : target
    return (hanging.has(new URL(sent).pathname) ? short : usual)(sent, init)
  }
  Object.assign(kit.app, { fetch: send })
}

/**
 * An authorization URL as tests compare it.
 * @returns the endpoint, then `name=value` of each parameter in order; random values as `state=<state>`
 */
export function viewAuthorization(url: URL): string[] {
  const random = ['state', 'nonce', 'code_challenge']
  const parameters = [...url.searchParams].map(([name, value]) => `${name}=${random.includes(name) ? `<${name}>` : value}`)
  return [`${url.origin}${url.pathname}`, ...parameters]
}

/**
 * The last token request as tests compare it.
 * @param url of the token endpoint
 * @returns `Basic id:secret` if it has it, then `name=value` of each form field by name; as `code_verifier=<verifier>`, one that
 * matches the challenge of the sign-in
 */
export function viewTokenRequest(open: OpenProvider, url: string): string[] {
  const { headers, form } = open.last(url)
  const challenge = open.started().searchParams.get('code_challenge')
  const isVerifier = (value: string) => createHash('sha256').update(value).digest('base64url') === challenge
  const fields = [...form].map(([name, value]) => `${name}=${isVerifier(value) ? '<verifier>' : value}`).sort()
  const [scheme, encoded] = headers.authorization?.split(' ') ?? []
  return encoded === undefined ? fields : [`${scheme} ${Buffer.from(encoded, 'base64')}`, ...fields]
}

/** Of a sign-in that succeeded: the user of the session, and what is stored of the account, except its tokens. */
export async function viewUser({ id, kit, browser }: OpenProvider) {
  const { name, email, emailVerified, image } = (await browser.call('GET /get-session', {})).body.user
  const { accountId, issuer, scope } = await kit.app.db
    .selectFrom('account')
    .selectAll()
    .where('providerId', '=', id)
    .executeTakeFirstOrThrow()
  return { name, email, emailVerified, image, accountId, issuer, scope }
}

/** Refreshes the tokens of the signed-in user with this token response. @returns the response of `/refresh-token` */
export async function refresh(open: OpenProvider, endpoint: string, response: object): Promise<Answer> {
  open.set({ [endpoint]: response })
  return open.browser.call('POST /refresh-token', { body: { providerId: open.id } })
}

/** Signs in with an ID token that an app got from the provider. @param given more members of `idToken` */
export async function signInWithIdToken(open: OpenProvider, claims: object, given: { nonce?: string } = {}): Promise<Answer> {
  const body = { provider: open.id, idToken: { token: await open.idToken(claims), ...given } }
  return open.browser.call('POST /sign-in/social', { body })
}

/** Where a callback redirected to: the error code, or the target. */
export function outcome({ status, headers }: Answer): string {
  const target = new URL(headers.get('location') ?? '', baseURL)
  return `${status} ${target.searchParams.get('error') ?? target.pathname}`
}

/** Responses that no provider should send, for any endpoint. */
export const hostile = {
  html: respondWith(200, '<!doctype html><title>Maintenance</title>', 'text/html'),
  errorPage: respondWith(503, '<!doctype html><title>Unavailable</title>', 'text/html'),
  tenMebibytes: (_: unknown, response: { writeHead(status: number, headers: object): { end(body: Buffer): unknown } }) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(10 * 2 ** 20, ' ')),
  /** GitHub and others send their errors so. */
  errorWithStatus200: { error: 'bad_verification_code', error_description: 'The code has expired.' },
  list: respondWith(200, '[]'),
  nothing: respondWith(200, 'null'),
} satisfies Endpoints

/** Signs in and expects this error code, no user, no session, and no secret in the log. */
export async function expectRejected(open: OpenProvider, code: string, options?: FlowOptions): Promise<void> {
  const done = await open.signIn(options)
  expect(outcome(done)).toBe(`302 ${code}`)
  expect((await open.browser.call('GET /get-session', {})).body).toBeNull()
  expect(await open.kit.app.db.selectFrom('user').select('email').execute()).toEqual([])
  expectNoSecret(open)
}

/**
 * One test for each hostile response.
 * @param cases what the provider sends → the error code of the callback, and the endpoints that send it
 */
export function testRejections(
  open: () => Promise<OpenProvider>,
  cases: Readonly<Record<string, readonly [code: string, prepare: (provider: OpenProvider) => Endpoints]>>,
): void {
  test.each(Object.entries(cases))('rejects %s', async (_, [code, prepare]) => {
    const provider = await open()
    provider.set(prepare(provider))
    await expectRejected(provider, code)
  })
}

const hostileClaims = {
  'for another client': { aud: 'another-client' },
  'of another issuer': { iss: 'https://issuer.test' },
  'that has expired': { iat: 1, exp: 2 },
  'without an expiry': { exp: undefined },
  'without a subject': { sub: undefined },
}

/** Tests for ID tokens that are not valid. @param endpoint the token endpoint @param claims of a valid ID token */
export function testHostileIdTokens(open: () => Promise<OpenProvider>, endpoint: string, claims: object): void {
  const expectRejectedToken = async (provider: OpenProvider, sign: () => Promise<string>) => {
    provider.set({ [endpoint]: async () => ({ ...tokenResponse, id_token: await sign() }) })
    await expectRejected(provider, 'unable_to_get_user_info')
  }
  test.each(Object.entries(hostileClaims))('rejects an ID token %s', async (_, changes) => {
    const provider = await open()
    await expectRejectedToken(provider, () => provider.idToken({ ...claims, ...changes }))
  })
  test('rejects an ID token that another key has signed', async () => {
    const provider = await open()
    const other = await signingKey(provider.kit.clock.now, { isOther: true })
    await expectRejectedToken(provider, () => other.sign({ ...claims, nonce: provider.started().searchParams.get('nonce') }))
  })
  test('rejects an ID token without a signature', async () => {
    const provider = await open()
    await expectRejectedToken(provider, async () => {
      const [, payload] = (await provider.idToken(claims)).split('.')
      return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    })
  })
}

/** Signs in, and expects that a user with a password and this verified email address stays without the account. */
export async function expectNotLinked(open: OpenProvider, email: string): Promise<void> {
  const { db } = open.kit.app
  await open.kit.browser().call('POST /sign-up/email', { body: { name: 'Owner', email, password: 'correct horse battery' } })
  await db.updateTable('user').set({ emailVerified: true }).execute()
  expect(outcome(await open.signIn())).toBe('302 account_not_linked')
  expect((await open.browser.call('GET /get-session', {})).body).toBeNull()
  expect(await db.selectFrom('account').select('providerId').execute()).toEqual([{ providerId: 'credential' }])
  expectNoSecret(open)
}

const expectNoSecret = ({ kit }: OpenProvider): void => {
  for (const line of kit.log) expect(line).not.toMatch(/(access|refresh)-token-\d|the-client-secret|eyJ/)
}
