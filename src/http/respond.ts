/** Creates responses from results and errors, with headers prepared at start. */
import type { App } from '../core/app.ts'
import { type CookieJar, usesSecureCookies } from '../core/cookies.ts'
import { ApiError, type ErrorEntry, errors, findRefusal } from '../core/errors.ts'
import { isReply, type Page, type Reply } from '../core/reply.ts'
import type { IncomingRequest } from '../core/request.ts'
import type { ReportedError } from '../features/index.ts'
import { type DescribedError, describeError } from '../lib/redact.ts'
import type { Call } from './request.ts'
import type { MountedRoute } from './routing.ts'

/** The response of a call as far as it is known. */
export interface Outgoing {
  readonly call: Call
  readonly request: IncomingRequest
  /** The declared path: unlike the path as sent, it contains no secret. Empty for an unknown path. */
  readonly pattern: string
  readonly cookies: CookieJar
  readonly headers: Record<string, string>
  /** The call failed because the database is unavailable, which is logged for all of them together. */
  isOutage?: true
}

export function createCookieJar(): CookieJar {
  const written = new Map<string, string>()
  return {
    set(name, header) {
      written.delete(name)
      written.set(name, header)
    },
    get: (name) => written.get(name),
    headers: () => [...written.values()],
    discard: () => written.clear(),
  }
}

type Headers = Record<string, string>

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

export function createResponder(app: App) {
  const { json, page, bare } = prepareHeaders(app)
  const reportError = createErrorReports(app)
  return {
    result(outgoing: Outgoing, route: MountedRoute, value: unknown): Response {
      if (isReply(value)) {
        if (value.kind === 'json') return send(outgoing, 200, JSON.stringify(value.value), { ...json })
        if (value.kind === 'redirect') return sendRedirect(outgoing, value, bare)
        return send(outgoing, 200, value.body, { ...page, 'content-type': value.contentType, ...value.headers })
      }
      return send(outgoing, 200, JSON.stringify(route.returns.parse(value)), { ...json })
    },
    failure(outgoing: Outgoing, error: unknown): Response {
      const failed = error instanceof ApiError ? error : failureOf(app, error)
      if (isUnexpected(failed)) logUnexpected(app, outgoing, failed.cause ?? failed)
      reportError?.(outgoing, failed)
      const { status, code, message } = failed.entry
      const body = JSON.stringify({ code, message })
      return send(outgoing, status, body, { ...json, ...failed.headers }, reasonOf(failed))
    },
    empty: (outgoing: Outgoing, status: number, headers: Readonly<Headers> = {}) =>
      send(outgoing, status, null, { ...bare, ...headers }),
    plainNotFound: (outgoing: Outgoing) => send(outgoing, 404, 'Not Found', { ...bare, 'content-type': 'text/plain' }),
  }
}

const databaseUnavailable: ErrorEntry = { ...errors.SERVICE_UNAVAILABLE }

const isUnavailable = ({ database }: App, error: unknown): boolean => database.isUnreachable(error) || database.isTimeout(error)

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
  const fields = { err: error, requestId: request.id, method: request.method, path: pattern }
  if (isUnavailable(app, error)) {
    // Thousands of calls may fail in one outage: their lines would fill the disk.
    outgoing.isOutage = true
    app.databaseFailed(error)
    app.log.debug(fields, 'A call failed: the database is unavailable')
    return
  }
  app.metrics.count('unexpected_error')
  app.log.error(fields, 'A call failed unexpectedly')
}

/** The reason phrase: the name of the status, except for validation, limits and unexpected failures (contract 00 §3). */
function reasonOf({ entry, statusName }: ApiError): string {
  if (entry.code === errors.VALIDATION_ERROR.code) return '400'
  if (entry.status === 429) return 'Too Many Requests'
  if (entry === errors.INTERNAL_SERVER_ERROR) return entry.message
  return statusName
}

/** A 302 has the reason phrase and content type of an error, as in the reference (contract 00 §3). */
function sendRedirect(outgoing: Outgoing, { location, status }: Extract<Reply, { kind: 'redirect' }>, bare: Headers): Response {
  if (status !== 302) return send(outgoing, status, null, { ...bare, location })
  return send(outgoing, status, null, { ...bare, 'content-type': 'application/json', location }, 'FOUND')
}

function send(
  outgoing: Outgoing,
  status: number,
  body: string | Page['body'] | null,
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

/**
 * Calls `onAPIError.onError` with each error response. Nothing that it does or throws changes the response.
 * @returns null when the configuration has no such function
 */
function createErrorReports(app: App): ((outgoing: Outgoing, error: ApiError) => void) | null {
  const { onError } = app.config.onAPIError
  if (!onError) return null
  return ({ request, pattern }, error) => {
    const call = { method: request.method, path: pattern, requestId: request.id }
    // Deferred, because the response must not wait for it.
    app.defer(async () => {
      try {
        await onError(describe(error), call)
      } catch (thrown) {
        app.metrics.count('unexpected_error')
        app.log.error({ err: thrown, requestId: call.requestId }, 'onAPIError.onError failed')
      }
    })
  }
}

function describe({ entry: { status, code, message }, cause }: ApiError): ReportedError {
  const error = new Error(message, cause instanceof Error ? { cause: withoutValues(describeError(cause)) } : undefined)
  return Object.assign(error, { status, code })
}

/** As in the log: libraries add statements and parameters to their errors, and quote values in their messages. */
function withoutValues({ type, message, stack, cause, code }: DescribedError): Error {
  const options = typeof cause === 'object' ? { cause: withoutValues(cause) } : undefined
  return Object.assign(new Error(message, options), { name: type, stack, ...(code !== undefined && { code }) })
}
