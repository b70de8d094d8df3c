/** A stand-in for the endpoints of a provider on loopback, and keys that sign its ID tokens. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'
import type { Browser } from './browser.ts'

export interface StandInRequest {
  readonly method: string
  /** Path and query. */
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  /** The body as it came. */
  readonly body: string
  readonly form: URLSearchParams
}

/** Returns JSON for a response with status 200; undefined when it writes the response itself, or lets the client wait. */
export type Endpoint = (request: StandInRequest, response: ServerResponse) => unknown
/** By method and path: `POST /token`. An object is JSON for a response with status 200. */
export type Endpoints = Readonly<Record<string, object | Endpoint>>

export interface StandIn {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string
  readonly requests: StandInRequest[]
  /** The last request to a path. */
  last(path: string): StandInRequest
  /** Replaces endpoints. */
  set(endpoints: Endpoints): void
}

/** Responds with this status and text. */
export const respondWith =
  (status: number, body: string, contentType = 'application/json'): Endpoint =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': contentType }).end(body)

/** Starts it; it is closed when the test ends. */
export async function standIn(initial: Endpoints = {}): Promise<StandIn> {
  const endpoints = new Map<string, object | Endpoint>(Object.entries(initial))
  const requests: StandInRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const url = new URL(incoming.url ?? '/', 'http://stand-in')
    const request = { method: incoming.method ?? '', url, headers: incoming.headers, body, form: new URLSearchParams(body) }
    requests.push(request)
    const endpoint = endpoints.get(`${request.method} ${url.pathname}`)
    if (endpoint === undefined) return void response.writeHead(404).end()
    const answer = typeof endpoint === 'function' ? await endpoint(request, response) : endpoint
    if (answer !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    last: (path) => {
      const found = requests.findLast(({ url }) => url.pathname === path)
      if (!found) throw new Error(`There was no request to ${path}`)
      return found
    },
    set: (more) => {
      for (const [key, answer] of Object.entries(more)) endpoints.set(key, answer)
    },
  }
}

export interface SigningKey {
  /** A key set with this key. */
  readonly jwks: { readonly keys: readonly object[] }
  /** @param claims `iat` now and `exp` in an hour unless given */
  sign(claims: JWTPayload, header?: object): Promise<string>
}

const generate = (alg: string) => generateKeyPair(alg, { extractable: true })
/** One pair per algorithm for the whole process: many tests need one, and RSA keys take long. */
const pairs = new Map<string, ReturnType<typeof generate>>()

function sharedPair(alg: string): ReturnType<typeof generate> {
  const known = pairs.get(alg)
  if (known !== undefined) return known
  const made = generate(alg)
  pairs.set(alg, made)
  return made
}

/**
 * A key of a provider, the same for each algorithm.
 * @param now the clock of the test
 * @param isOther another one than the others have
 */
export async function signingKey(now: () => Date, { kid = 'key-1', alg = 'RS256', isOther = false } = {}): Promise<SigningKey> {
  const { publicKey, privateKey } = await (isOther ? generate(alg) : sharedPair(alg))
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  const seconds = () => Math.floor(now().getTime() / 1000)
  return {
    jwks: { keys: [jwk] },
    sign: (claims, header = {}) =>
      new SignJWT({ iat: seconds(), exp: seconds() + 3600, ...claims })
        .setProtectedHeader({ alg, kid, ...header })
        .sign(privateKey),
  }
}

export interface FlowOptions {
  /** More members of the body of `/sign-in/social`. */
  readonly body?: object
  /** More parameters of the callback, or others: `{ code: undefined }` leaves one out. */
  readonly callback?: Readonly<Record<string, string | undefined>>
  /** Another call that starts it. */
  readonly start?: 'POST /sign-in/social' | 'POST /link-social'
}

/** Starts a flow. @returns the URL of the provider */
export async function startFlow(browser: Browser, provider: string, { body, start = 'POST /sign-in/social' }: FlowOptions = {}) {
  const started = await browser.call(start, { body: { provider, callbackURL: '/dashboard', ...body } })
  if (started.status !== 200) throw new Error(`${start}: ${started.status} ${JSON.stringify(started.body)}`)
  return new URL(started.body.url)
}

/** The whole redirect flow, with the provider's page left out. @returns the response of the callback */
export async function flow(browser: Browser, provider: string, options: FlowOptions = {}) {
  const url = await startFlow(browser, provider, options)
  return openCallback(browser, provider, url, options.callback)
}

/** Returns from the provider's page at this URL. */
export function openCallback(browser: Browser, provider: string, url: URL, parameters: FlowOptions['callback'] = {}) {
  const given = { code: 'a-code', state: url.searchParams.get('state') ?? '', ...parameters }
  const sent = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return browser.request(`/callback/${provider}?${new URLSearchParams(sent)}`)
}
