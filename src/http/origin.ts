/** Checks the origin of a state-changing call and its redirect targets (contract 00 §6; ASVS 3.5.1, 3.7.2). */
import type { App } from '../core/app.ts'
import { ApiError, type ErrorEntry, errors, errorWithValue } from '../core/errors.ts'
import type { IncomingRequest } from '../core/request.ts'
import { apiURL } from '../core/route.ts'
import { isLoopback } from '../lib/ip.ts'
import { isObject } from '../lib/objects.ts'
import { isOnOrigin, isRelativePath, originMatcher } from '../lib/url.ts'
import type { Call } from './request.ts'
import type { Outgoing } from './respond.ts'
import type { MatchedRoute } from './routing.ts'

/** Whether a URL is on our own origin or a trusted one. */
export type IsTrusted = (call: Call, url: string) => boolean | Promise<boolean>

export function createTrustedOrigins(app: App): IsTrusted {
  const own = new URL(apiURL(app.config)).origin
  const { trustedOrigins } = app.config
  const matchersOf = (origins: readonly string[]) => [own, ...origins].map(originMatcher)
  if (typeof trustedOrigins === 'function')
    return async (call, url) => isOnOrigin(url, matchersOf(await trustedOrigins(call.req.raw)))
  const fixed = matchersOf(trustedOrigins)
  return (_, url) => isOnOrigin(url, fixed)
}

const maxTargetLength = 2048

/**
 * In development, rejects names that are not of this machine: a page elsewhere could resolve its own name to 127.0.0.1, and then
 * read the mailbox as its own origin (DNS rebinding).
 * @returns null in production, where the names are not known; else a function that @throws ApiError INVALID_HOST
 */
export function createHostCheck({ config }: App): ((request: IncomingRequest) => void) | null {
  if (config.environment !== 'development') return null
  const own = new URL(apiURL(config)).hostname
  return (request) => {
    const { hostname } = request.url()
    if (hostname !== own && !isLoopback(hostname) && !hostname.endsWith('.localhost')) throw new ApiError(errors.INVALID_HOST)
  }
}

/** In the order in which they are checked. */
const targets = [
  ['callbackURL', 'callbackURL', errors.INVALID_CALLBACKURL],
  ['redirectTo', 'redirectURL', errors.INVALID_REDIRECTURL],
  ['errorCallbackURL', 'errorCallbackURL', errors.INVALID_ERRORCALLBACKURL],
  ['newUserCallbackURL', 'newUserCallbackURL', errors.INVALID_NEWUSERCALLBACKURL],
] as const

/** @throws ApiError 403 for the first value that is not trusted; 400 for one that is not a string */
export async function checkOrigin(
  app: App,
  isTrusted: IsTrusted,
  { call, request }: Outgoing,
  { route }: MatchedRoute,
  body: unknown,
): Promise<void> {
  if (route.declaration.origin !== 'cross-site') await checkSender(app, isTrusted, call, request)
  const fields: Readonly<Record<string, unknown>> = isObject(body) ? body : {}
  for (const [field, label, entry] of targets) {
    const value = fields[field] || (field === 'callbackURL' ? request.queryParameters().get('callbackURL') : null)
    if (value) await checkTarget(isTrusted, call, value, label, entry)
  }
}

/** Checks the redirect target of a link. A link has no origin to check. @throws ApiError INVALID_CALLBACKURL */
export async function checkCallback(isTrusted: IsTrusted, call: Call, request: IncomingRequest): Promise<void> {
  const value = request.queryParameters().get('callbackURL')
  if (value) await checkTarget(isTrusted, call, value, 'callbackURL', errors.INVALID_CALLBACKURL)
}

/**
 * Checks where a POST comes from, with or without cookies: without, a page elsewhere could sign its visitor in to the attacker's
 * account (ASVS 7.6.2). Programs send none of these headers.
 */
async function checkSender(app: App, isTrusted: IsTrusted, call: Call, request: IncomingRequest): Promise<void> {
  const { disableCSRFCheck, requireOrigin } = app.config.advanced
  if (disableCSRFCheck) return
  const origin = request.header('origin') || request.header('referer')
  if (isOwnPage(origin, request)) return
  if (requireOrigin && (!origin || origin === 'null') && isFromBrowser(request)) throw new ApiError(errors.MISSING_OR_NULL_ORIGIN)
  if (origin ? !(await isTrusted(call, origin)) : isCrossSite(request)) throw new ApiError(errors.INVALID_ORIGIN)
}

/** Whether a browser certainly sends it: with cookies, or as a form (Fetch Metadata §2.2). */
const isFromBrowser = (request: IncomingRequest): boolean =>
  request.header('cookie') !== undefined || request.header('sec-fetch-mode') === 'navigate'

/**
 * `same-site` is accepted, because our own origin is one of that site; which page sent the request is not known then. Browsers
 * that send this header always send an origin with a POST too, so that this decides only when something has removed it.
 */
const isCrossSite = (request: IncomingRequest): boolean => {
  const site = request.header('sec-fetch-site')
  return site !== undefined && site !== 'same-origin' && site !== 'same-site' && site !== 'none'
}

/** Our pages send no referrer, for which browsers send the origin `null` too. No script can set `Sec-Fetch-Site`. */
const isOwnPage = (origin: string | undefined, request: IncomingRequest): boolean =>
  origin === 'null' && request.header('sec-fetch-site') === 'same-origin'

async function checkTarget(isTrusted: IsTrusted, call: Call, value: unknown, label: string, entry: ErrorEntry): Promise<void> {
  if (typeof value !== 'string') {
    const message = `Invalid ${label}: expected a string`
    throw new ApiError(errorWithValue('INVALID_TARGET', 400, message))
  }
  // Before any matching (contract 00 §6), with the error of a text that is too long for its field.
  if (value.length > maxTargetLength) throw new ApiError(errors.VALIDATION_ERROR)
  if (!isRelativePath(value) && !(await isTrusted(call, value))) throw new ApiError(entry)
}
