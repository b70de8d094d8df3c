/** Checks the origin of a state-changing call and its redirect targets (contract 00 §6; ASVS 3.5.1, 3.7.2). */
import type { App } from '../core/app.ts'
import { ApiError, type ErrorEntry, errors, errorWithValue, parameterError } from '../core/errors.ts'
import type { IncomingRequest } from '../core/request.ts'
import { apiURL } from '../core/route.ts'
import { isLoopback } from '../lib/ip.ts'
import { isObject } from '../lib/objects.ts'
import { trustsStrangers } from '../lib/open-origins.ts'
import { printable } from '../lib/redact.ts'
import { isOnOrigin, isRelativePath, originMatcher } from '../lib/url.ts'
import type { CallRequest } from './request.ts'
import type { Outgoing } from './respond.ts'
import type { MatchedRoute } from './routing.ts'

export interface Origins {
  /** Whether a URL is on our own origin or a trusted one. */
  readonly isTrusted: (request: CallRequest, url: string) => boolean | Promise<boolean>
  /** Logs the origin of an untrusted URL; without it the owner of a rejected page sees only a status. */
  readonly report: (request: IncomingRequest, url: string) => void
}

export const createOrigins = (app: App): Origins => ({ isTrusted: createTrustedOrigins(app), report: createReport(app) })

function createTrustedOrigins(app: App): Origins['isTrusted'] {
  const own = new URL(apiURL(app.config)).origin
  const { trustedOrigins } = app.config
  const matchersOf = (origins: readonly string[]) => [own, ...origins].map(originMatcher)
  if (typeof trustedOrigins === 'function') {
    const known = createFilter(app)
    return async (request, url) => isOnOrigin(url, matchersOf(known(await trustedOrigins(request.standard()))))
  }
  const fixed = matchersOf(trustedOrigins)
  return (_, url) => isOnOrigin(url, fixed)
}

/** In production, what a fixed list may not contain, a function may not return. Logged once each, in each process. */
function createFilter({ config, log }: App): (origins: readonly string[]) => readonly string[] {
  if (config.environment !== 'production') return (origins) => origins
  const logged = new Set<string>()
  return (origins) =>
    origins.filter((origin) => {
      if (!/[*?]/.test(origin) || !trustsStrangers(origin)) return true
      if (!logged.has(origin) && logged.size < maxReports)
        log.error({ origin }, 'The function trustedOrigins returned an origin that trusts strangers; it is ignored')
      logged.add(origin)
      return false
    })
}

const reportWindowMs = 60_000
/** A client can send any number of origins, which must not fill the log. */
const maxReports = 20

/** Each origin once a minute, in each process. */
function createReport(app: App): Origins['report'] {
  const reported = new Set<string>()
  let windowStart = 0
  return (request, url) => {
    const now = app.now().getTime()
    if (Math.abs(now - windowStart) >= reportWindowMs) {
      reported.clear()
      windowStart = now
    }
    const origin = originOf(url)
    if (reported.size >= maxReports || reported.has(origin)) return
    reported.add(origin)
    app.log.warn({ origin, requestId: request.id }, 'Rejected an untrusted origin. If it is yours, add it to trustedOrigins')
  }
}

/** Without path and query, which may contain a token. */
function originOf(text: string): string {
  const url = URL.parse(text)
  if (!url) return 'not a URL'
  return printable(url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin).slice(0, 200)
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
  origins: Origins,
  { request }: Outgoing,
  { route }: MatchedRoute,
  body: unknown,
): Promise<void> {
  if (route.declaration.origin !== 'cross-site') await checkSender(app, origins, request)
  const fields: Readonly<Record<string, unknown>> = isObject(body) ? body : {}
  for (const [field, label, entry] of targets) {
    const value = fields[field] || (field === 'callbackURL' ? request.queryParameters().get('callbackURL') : null)
    if (value) await checkTarget(origins, request, value, { label, entry })
  }
}

/** Checks the redirect targets of a link. A link has no origin to check. @throws ApiError 403 for the first that is not trusted */
export async function checkCallback(origins: Origins, { request }: Outgoing): Promise<void> {
  const parameters = request.queryParameters()
  for (const [field, label, entry] of targets) {
    const value = parameters.get(field)
    if (value) await checkTarget(origins, request, value, { label, entry })
  }
}

/**
 * Checks where a POST comes from, with or without cookies: without, a page elsewhere could sign its visitor in to the attacker's
 * account (ASVS 7.6.2). Programs send none of these headers.
 */
async function checkSender(app: App, origins: Origins, request: CallRequest): Promise<void> {
  const { disableCSRFCheck, requireOrigin } = app.config.advanced
  if (disableCSRFCheck) return
  // Native apps have no origin, and the published Expo client names that of its scheme here. No page can send it without a preflight.
  const origin = request.header('origin') || request.header('referer') || request.header('expo-origin')
  if (isOwnPage(origin, request)) return
  if (requireOrigin && (!origin || origin === 'null') && isFromBrowser(request)) throw new ApiError(errors.MISSING_OR_NULL_ORIGIN)
  if (origin ? await origins.isTrusted(request, origin) : !isCrossSite(request)) return
  if (origin && origin !== 'null') origins.report(request, origin)
  throw new ApiError(errors.INVALID_ORIGIN)
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

async function checkTarget(
  origins: Origins,
  request: CallRequest,
  value: unknown,
  { label, entry }: { readonly label: string; readonly entry: ErrorEntry },
): Promise<void> {
  if (typeof value !== 'string') {
    const message = `Invalid ${label}: expected a string`
    throw new ApiError(errorWithValue('INVALID_TARGET', 400, message))
  }
  // Before any matching (contract 00 §6), with the error of a text that is too long for its field.
  if (value.length > maxTargetLength) throw parameterError(errors.VALIDATION_ERROR, [label])
  if (isRelativePath(value) || (await origins.isTrusted(request, value))) return
  origins.report(request, value)
  throw new ApiError(entry)
}
