/** Creates responses from results and errors, with headers prepared at start. */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { type Actor, type App, isUnavailable, reportFailure } from '../core/app.ts'
import { type CookieJar, usesSecureCookies } from '../core/cookies.ts'
import { ApiError, type ErrorEntry, errors, findRefusal } from '../core/errors.ts'
import { isReply, type Page } from '../core/reply.ts'
import type { CallContext, IncomingRequest } from '../core/request.ts'
import { apiURL } from '../core/route.ts'
import { isObject } from '../lib/objects.ts'
import { headerTarget } from '../lib/url.ts'
import { createErrorReports } from './error-reports.ts'
import type { CallRequest } from './request.ts'
import type { MountedRoute } from './routing.ts'

/** The response of a call as far as it is known. */
export interface Outgoing {
  readonly request: CallRequest
  /** The declared path: unlike the path as sent, it contains no secret. Empty for an unknown path. */
  readonly pattern: string
  readonly cookies: CookieJar
  readonly headers: Record<string, string>
  readonly subject: CallContext['subject']
  /** The verified identity of the client. */
  actor?: Actor
  /** The call failed because the database is unavailable, which is logged for all of them together. */
  isOutage?: true
  /** Of an error response. */
  errorCode?: string
}

type Headers = Record<string, string>

/** A response of which nothing is sent yet, as a plain value: Node's own response and a standard one are made from it. */
export interface Sent {
  readonly status: number
  /** Default: that of the status. */
  readonly reason?: string | undefined
  readonly headers: Readonly<Headers>
  /** Each for a header of its own. */
  readonly cookies?: readonly string[]
  readonly body: Page['body'] | AsyncIterable<Uint8Array>
  /** Where a form continues whose call is challenged. It is not sent. */
  readonly challengeAt?: string
}

export function createCookieJar(request: IncomingRequest): CookieJar {
  const written = new Map<string, string>()
  return {
    set(name, header) {
      written.delete(name)
      written.set(name, header)
    },
    get: (name) => written.get(name),
    sent: (name) => request.cookies(name).length,
    headers: () => [...written.values()],
    discard: () => written.clear(),
  }
}

/** Prepared once, because merging them for each response would be the slowest step here. */
function prepareHeaders(app: App) {
  const every: Headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: 'Origin',
    ...(usesSecureCookies(app.config) && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
  const json: Headers = {
    ...every,
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  }
  const page: Headers = {
    ...every,
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
  }
  return { json, page, bare: { ...every, 'cache-control': 'no-store' } }
}

/** Every function but `failure` may throw, for values that no response can have; `failure` then responds with 500. */
export function createResponder(app: App) {
  const { json, page, bare } = prepareHeaders(app)
  const [send, reportError] = [createSend(app), createErrorReports(app)]
  const base = apiURL(app.config)
  return {
    result(outgoing: Outgoing, route: MountedRoute, value: unknown): Sent {
      if (!isReply(value)) return send(outgoing, 200, toJSON(route.returns.parse(withAdded(outgoing, value))), { ...json })
      if (value.kind === 'json') {
        const sent = send(outgoing, 200, toJSON(value.value), { ...json })
        return value.location === undefined ? sent : { ...sent, challengeAt: value.location }
      }
      if (value.kind === 'redirect')
        return send(outgoing, value.status, null, { ...bare }, redirectTo(value.status, headerTarget(value.location, base)))
      const rest = { more: { 'content-type': value.contentType, ...value.headers } }
      if (value.kind === 'download') return { ...send(outgoing, 200, null, { ...page }, rest), body: value.body }
      return send(outgoing, value.body === null ? 304 : 200, value.body, { ...page }, rest)
    },
    failure(outgoing: Outgoing, error: unknown): Sent {
      const failed = error instanceof ApiError ? error : failureOf(app, error)
      if (isUnexpected(failed)) {
        logUnexpected(app, outgoing, failed.cause ?? failed)
        discardInvalid(outgoing)
      }
      try {
        const rest = { more: failed.headers, reason: reasonOf(failed) }
        const response = send(outgoing, failed.entry.status, bodyOf(failed), { ...json }, rest)
        outgoing.errorCode = failed.entry.code
        reportError?.(outgoing, failed)
        return typeof failed.members?.url === 'string' ? { ...response, challengeAt: failed.members.url } : response
      } catch (cause) {
        // Not an ApiError, so that what is sent next is made from constants.
        return this.failure(outgoing, new Error('The error response cannot be sent', { cause }))
      }
    },
    empty: (outgoing: Outgoing, status: number, headers: Readonly<Headers> = {}) =>
      send(outgoing, status, null, { ...bare, ...headers }),
    plainNotFound: (outgoing: Outgoing) => send(outgoing, 404, 'Not Found', { ...bare, 'content-type': 'text/plain' }),
  }
}

const bodyOf = ({ entry: { code, message }, members, details }: ApiError): string =>
  toJSON({ code, message, ...members, details })

const withAdded = ({ subject: { added } }: Outgoing, value: unknown): unknown =>
  added && isObject(value) ? { ...value, ...added } : value
const databaseUnavailable: ErrorEntry = { ...errors.SERVICE_UNAVAILABLE }

/** 503 when the database is unreachable or too slow, since the next attempt may succeed (ASVS 16.5.3). */
function failureOf(app: App, cause: unknown): ApiError {
  const refusal = findRefusal(cause)
  if (refusal) return new ApiError(refusal, { cause })
  if (isUnavailable(app, cause)) return new ApiError(databaseUnavailable, { cause, headers: { 'retry-after': '1' } })
  return new ApiError(errors.INTERNAL_SERVER_ERROR, { cause })
}

/** A failure with a cause; a 500 without one is a declared response of its call. */
const isUnexpected = (error: ApiError): boolean =>
  'cause' in error && (error.entry.status === 500 || error.entry === databaseUnavailable)

/** Logged with the request id; the response contains nothing of it (ASVS 16.5.1, 16.5.4). */
function logUnexpected(app: App, outgoing: Outgoing, error: unknown): void {
  const { request, pattern } = outgoing
  // A thrown value that is not an error may be anything, even a password; as a cause only its type is logged.
  const err = error instanceof Error ? error : new Error('A value that is not an error was thrown', { cause: error })
  if (isUnavailable(app, error)) outgoing.isOutage = true
  reportFailure(app, err, 'A call', { requestId: request.id, method: request.method, path: pattern })
}

/** The reason phrase: the name of the status, except for validation, limits and unexpected failures (contract 00 §3). */
function reasonOf({ entry, statusName }: ApiError): string {
  if (entry.code === errors.VALIDATION_ERROR.code) return '400'
  if (entry.status === 429) return 'Too Many Requests'
  if (entry === errors.INTERNAL_SERVER_ERROR) return entry.message
  return statusName
}

/** A 302 has the reason phrase and content type of an error, as in the reference (contract 00 §3). */
function redirectTo(status: number, location: string): MoreToSend {
  if (status !== 302) return { more: { location } }
  return { more: { location, 'content-type': 'application/json' }, reason: 'FOUND' }
}

/** @throws TypeError for a value without a JSON form, such as a function, a BigInt or a cycle */
function toJSON(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError('The result has no JSON form')
  return text
}

interface MoreToSend {
  /** Headers in addition to the prepared ones; unlike those they are checked. */
  readonly more?: Readonly<Headers> | undefined
  readonly reason?: string | undefined
  /** Headers of features; they replace those of the call. */
  readonly added?: Readonly<Headers>
}

/** @returns `send`, with the headers that features add to each response */
function createSend(app: App): typeof sendResponse {
  const steps = app.features.flatMap(({ responseHeaders }) => (responseHeaders ? [responseHeaders] : []))
  if (steps.length === 0) return sendResponse
  return (outgoing, status, body, headers, rest = {}) => {
    let added: Readonly<Headers> | undefined
    for (const step of steps) {
      const more = step(app, outgoing)
      if (more) added = added ? { ...added, ...more } : more
    }
    return sendResponse(outgoing, status, body, headers, added ? { ...rest, added } : rest)
  }
}

/**
 * Nothing that the HTTP adapter could not write gets past this function: its own error response has no request ID and no security
 * headers, and closes the connection (ASVS 16.5.1, 16.5.4).
 * @param headers prepared, and valid; headers are added to this object
 * @throws TypeError, RangeError for a header, status or body that no response can have
 */
function sendResponse(
  outgoing: Outgoing,
  status: number,
  body: Page['body'],
  headers: Headers,
  { more, reason, added }: MoreToSend = {},
): Sent {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`A response cannot have the status ${status}`)
  if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) throw new TypeError('A body is text or bytes')
  for (const name in more) headers[name] = checkedValue(name, more[name])
  for (const name in outgoing.headers) headers[name] = checkedValue(checkedName(name), outgoing.headers[name])
  for (const name in added) headers[name] = checkedValue(name, added[name])
  headers['x-request-id'] = outgoing.request.id
  const cookies = outgoing.cookies.headers()
  for (const cookie of cookies) validateHeaderValue('set-cookie', cookie)
  return { status, reason, headers, cookies, body }
}

/** Whether a body is sent as it is read. */
export const isStream = (body: Sent['body']): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

/** Headers of the connection belong to Node: another length than that of the body would corrupt the responses that follow. */
const connectionHeaders = /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/** @throws TypeError for a name that no header can have, or that handlers and hooks must not set */
function checkedName(name: string): string {
  validateHeaderName(name)
  if (connectionHeaders.test(name)) throw new TypeError(`The header ${name} cannot be set`)
  return name
}

function checkedValue(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`The value of the header ${name} is not a text`)
  validateHeaderValue(name, value)
  return value
}

/** For the response to an unexpected failure: removes cookies, and headers that cannot be sent. */
function discardInvalid({ cookies, headers }: Outgoing): void {
  cookies.discard()
  for (const [name, value] of Object.entries(headers)) {
    try {
      checkedValue(checkedName(name), value)
    } catch {
      delete headers[name]
    }
  }
}
