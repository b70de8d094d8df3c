/** Results and errors become bytes here, with headers prepared at start. */
import type { App } from '../core/app.ts'
import type { CookieJar } from '../core/cookie-jar.ts'
import { usesSecureCookies } from '../core/cookies.ts'
import { ApiError, type ErrorEntry, errors, statusNames } from '../core/errors.ts'
import { findRefusal } from '../core/refusal.ts'
import { isReply, type Page, type Redirect } from '../core/reply.ts'
import type { IncomingRequest } from '../core/request.ts'
import { createErrorReports } from './error-reports.ts'
import type { Call } from './request.ts'
import type { MountedRoute } from './routing.ts'

/** What every answer of one call shares. */
export interface Outgoing {
  readonly call: Call
  readonly request: IncomingRequest
  /** The path as it is declared, which holds no secret as the one sent may; empty for one that no call has. */
  readonly pattern: string
  readonly cookies: CookieJar
  readonly headers: Record<string, string>
}

type Headers = Record<string, string>

export interface Responder {
  result(outgoing: Outgoing, route: MountedRoute, value: unknown): Response
  failure(outgoing: Outgoing, error: unknown): Response
  empty(outgoing: Outgoing, status: number, headers?: Readonly<Headers>): Response
  plainNotFound(outgoing: Outgoing): Response
}

/** Made once: merging them anew for each answer costs more than anything else here. */
function prepareHeaders(app: App): { readonly json: Headers; readonly page: Headers; readonly bare: Headers } {
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

export function createResponder(app: App): Responder {
  const { json, page, bare } = prepareHeaders(app)
  const tellObserver = createErrorReports(app)
  return {
    result(outgoing, route, value) {
      if (isReply(value)) {
        if (value.kind === 'shown') return send(outgoing, 200, JSON.stringify(value.value), { ...json })
        if (value.kind === 'redirect') return sendAway(outgoing, value, bare)
        return send(outgoing, 200, value.body, { ...page, 'content-type': value.contentType, ...value.headers })
      }
      return send(outgoing, 200, JSON.stringify(route.returns.parse(value)), { ...json })
    },
    failure(outgoing, error) {
      const refused = error instanceof ApiError ? error : failureOf(app, error)
      if (isUnexpected(refused)) noteUnexpected(app, outgoing, refused.cause ?? refused)
      tellObserver?.(outgoing, refused)
      const { status, code, message } = refused.entry
      const body = JSON.stringify({ code, message, ...refused.extra })
      return send(outgoing, status, body, { ...json, ...refused.headers }, reasonOf(refused))
    },
    empty: (outgoing, status, headers) => send(outgoing, status, null, { ...bare, ...headers }),
    plainNotFound: (outgoing) => send(outgoing, 404, 'Not Found', { ...bare, 'content-type': 'text/plain' }),
  }
}

const databaseAway: ErrorEntry = { ...errors.SERVICE_UNAVAILABLE }

/** A database that is away or silent is no fault of the caller's, and may be back for the next try (ASVS 16.5.3). */
function failureOf(app: App, cause: unknown): ApiError {
  const refusal = findRefusal(cause)
  if (refusal) return new ApiError(refusal, { cause })
  if (app.database.isUnreachable(cause) || app.database.isTimeout(cause))
    return new ApiError(databaseAway, { cause, headers: { 'retry-after': '1' } })
  return new ApiError(errors.INTERNAL_SERVER_ERROR, { cause })
}

/** A failure that something else has led to; a 500 without a cause is an answer that its call is meant to give. */
const isUnexpected = (refused: ApiError): boolean =>
  'cause' in refused && (refused.entry.status === 500 || refused.entry === databaseAway)

/** The last resort: logged with the request id, and nothing of it shown (ASVS 16.5.1, 16.5.4). */
function noteUnexpected(app: App, { request, pattern }: Outgoing, error: unknown): void {
  app.metrics.count('unexpected_error')
  const fields = { err: error, requestId: request.id, method: request.method, path: pattern }
  app.log.error(fields, 'A call failed unexpectedly')
}

/** Contract 00 §3: the name of the status, but for validation, limits and what nobody has foreseen. */
function reasonOf({ entry }: ApiError): string {
  if (entry.code === errors.VALIDATION_ERROR.code) return '400'
  if (entry.status === 429) return 'Too Many Requests'
  if (entry === errors.INTERNAL_SERVER_ERROR) return entry.message
  return statusNames[entry.status]
}

/** The reference's redirects are errors without a text, and look like them (contract 00 §3). */
function sendAway(outgoing: Outgoing, { location, status }: Redirect, bare: Headers): Response {
  if (status !== 302) return send(outgoing, status, null, { ...bare, location })
  return send(outgoing, status, null, { ...bare, 'content-type': 'application/json', location }, 'FOUND')
}

function send(
  outgoing: Outgoing,
  status: number,
  body: Redirect['location'] | Page['body'] | null,
  headers: Headers,
  reason?: string,
): Response {
  const node = outgoing.call.env?.outgoing
  // The adapter drops the reason phrase of a Response, and clients read it.
  if (reason !== undefined && node) node.statusMessage = reason
  headers['x-request-id'] = outgoing.request.id
  for (const name in outgoing.headers) headers[name] = outgoing.headers[name] ?? ''
  const cookies = outgoing.cookies.headers()
  const [only] = cookies
  if (only === undefined || cookies.length === 1) {
    if (only !== undefined) headers['set-cookie'] = only
    return new Response(body, { status, headers, ...(reason !== undefined && { statusText: reason }) })
  }
  const pairs = [...Object.entries(headers), ...cookies.map((cookie): [string, string] => ['set-cookie', cookie])]
  return new Response(body, { status, headers: pairs, ...(reason !== undefined && { statusText: reason }) })
}
