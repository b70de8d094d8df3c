/** A client with the types of the server's route declarations: `call('POST /sign-in/email', { body: { email, password } })`. */
import type { Access } from './core/permissions.ts'
import type { Route } from './core/route.ts'
import type { Api, ChallengeBody } from './features/index.ts'

export interface ClientOptions {
  /** Address of the API with its base path, such as https://accounts.example.com/api/auth. */
  readonly baseURL: string
  /** Default: the global one. */
  readonly fetch?: typeof fetch
}

/** An error response, with the code and message of the error catalogue. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly status: number
  readonly code: string
  /** With which the operator finds the call in the log; undefined for a response from elsewhere. */
  readonly requestId: string | undefined
  /** Seconds until the call may be repeated; undefined when the response does not say. */
  readonly retryAfter: number | undefined
  /** What the error says in addition, such as the second factors of which the call demands one. */
  readonly details: unknown
  /** Where the user continues; undefined when the error says nothing about it. */
  readonly url: string | undefined
  constructor(
    status: number,
    code: string,
    message: string,
    more: Partial<Pick<ClientError, 'requestId' | 'retryAfter' | 'details' | 'url'>> = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = more.requestId
    this.retryAfter = more.retryAfter
    this.details = more.details
    this.url = more.url
  }
}

type Types<R> =
  R extends Route<Access, infer Q, infer B, infer P, infer O, infer S>
    ? { query: Q; body: B; params: P; output: O; signsIn: S }
    : never
type Part<K extends string, T> = [T] extends [undefined] ? unknown : object extends T ? { [k in K]?: T } : { [k in K]: T }

/** What a client of this route sends. */
export type Input<R> = Part<'query', Types<R>['query']> & Part<'body', Types<R>['body']> & Part<'params', Types<R>['params']>
/** What a client of this route receives. @param C what features demand before a sign-in creates a session */
export type Output<R, C = ChallengeBody<SignsIn<R>>> =
  | Types<R>['output']
  | (Types<R>['signsIn'] extends readonly unknown[] ? C : never)
type SignsIn<R> = Types<R>['signsIn'] extends readonly (infer K)[] ? K : never

export interface CallOptions {
  /** Aborts the request; the call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

export type Call = <K extends keyof Api & string>(key: K, input: Input<Api[K]>, options?: CallOptions) => Promise<Output<Api[K]>>

interface Parts {
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly params?: Readonly<Record<string, string>>
}

/**
 * @returns a function that makes one call; cookies are sent along
 * @throws ClientError from the call when the response is an error
 */
export function createClient({ baseURL, fetch: send = fetch }: ClientOptions): Call {
  return async (key, input, { signal } = {}) => {
    const [method = '', path = ''] = key.split(' ')
    const { query, body, params } = input as Parts
    const target = `${baseURL}${fillIn(path, params ?? {})}${queryText(query ?? {})}`
    const isPost = method === 'POST'
    const response = await send(target, {
      method,
      credentials: 'include',
      ...(signal && { signal }),
      ...(isPost && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
    })
    const text = await response.text()
    if (!response.ok) throw clientError(response, text)
    return JSON.parse(text)
  }
}

/** A response from elsewhere, such as a proxy, may not be JSON. */
function clientError(response: Response, text: string): ClientError {
  const isJSON = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  const body: { code?: string; message?: string; details?: unknown; url?: string } = isJSON ? JSON.parse(text) : {}
  const { code = 'UNKNOWN', message = response.statusText, details, url } = body
  const requestId = response.headers.get('x-request-id') ?? undefined
  return new ClientError(response.status, code, message, { requestId, retryAfter: secondsToWait(response.headers), details, url })
}

/** The header of the wire contract, then that of RFC 9110, which may also be a date. */
function secondsToWait(headers: Headers): number | undefined {
  const seconds = Number(headers.get('x-retry-after') ?? headers.get('retry-after') ?? Number.NaN)
  return Number.isNaN(seconds) ? undefined : seconds
}

const fillIn = (path: string, params: Readonly<Record<string, string>>) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

function queryText(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, String(one))
  const text = search.toString()
  return text ? `?${text}` : ''
}
