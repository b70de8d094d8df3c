/** Where a state-changing call comes from and where it may lead (contract 00 §6; ASVS 3.5.1, 3.7.2). */
import type { App } from '../core/app.ts'
import { ApiError, codeOf, type ErrorEntry, errors } from '../core/errors.ts'
import type { IncomingRequest } from '../core/request.ts'
import type { Call } from './request.ts'
import type { TrustedOrigins } from './trusted-origins.ts'

/** In the order in which they are checked. */
const targets = [
  ['callbackURL', 'callbackURL', errors.INVALID_CALLBACKURL],
  ['redirectTo', 'redirectURL', errors.INVALID_REDIRECTURL],
  ['errorCallbackURL', 'errorCallbackURL', errors.INVALID_ERRORCALLBACKURL],
  ['newUserCallbackURL', 'newUserCallbackURL', errors.INVALID_NEWUSERCALLBACKURL],
] as const

/** @throws ApiError 403 with the text of the first value that is not trusted; 400 for one that is no text */
export async function checkOrigin(
  app: App,
  trusted: TrustedOrigins,
  call: Call,
  request: IncomingRequest,
  body: unknown,
): Promise<void> {
  await checkSender(app, trusted, call, request)
  const fields: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {}
  for (const [field, label, entry] of targets) {
    const value = fields[field] || (field === 'callbackURL' ? request.url().searchParams.get('callbackURL') : null)
    if (value) await checkTarget(trusted, call, value, label, entry)
  }
}

/** The same for a link that is followed, where there is nothing to check but where it leads. @throws ApiError INVALID_CALLBACKURL */
export async function checkCallback(trusted: TrustedOrigins, call: Call, request: IncomingRequest): Promise<void> {
  const value = request.url().searchParams.get('callbackURL')
  if (value) await checkTarget(trusted, call, value, 'callbackURL', errors.INVALID_CALLBACKURL)
}

async function checkSender(app: App, trusted: TrustedOrigins, call: Call, request: IncomingRequest): Promise<void> {
  const { disableCSRFCheck, requireOrigin } = app.config.advanced
  if (disableCSRFCheck || !(request.header('cookie') !== undefined || isSubmitted(request))) return
  const origin = request.header('origin') || request.header('referer')
  // A page that sends no referrer sends no origin with its forms either (Fetch standard §3.2); ours do not.
  if (origin === 'null' && request.header('sec-fetch-site') === 'same-origin') return
  if (requireOrigin && (!origin || origin === 'null')) throw new ApiError(errors.MISSING_OR_NULL_ORIGIN)
  if (origin && !(await trusted.isTrustedOrigin(call, origin))) throw new ApiError(errors.INVALID_ORIGIN)
}

/**
 * Whether a browser sends a form (Fetch Metadata §2.2). Another site's form comes without our cookies, and would bring in
 * those of somebody else's session (ASVS 7.6.2).
 */
const isSubmitted = (request: IncomingRequest): boolean => request.header('sec-fetch-mode') === 'navigate'

async function checkTarget(trusted: TrustedOrigins, call: Call, value: unknown, label: string, entry: ErrorEntry): Promise<void> {
  if (typeof value !== 'string') {
    const message = `Invalid ${label}: expected a string`
    throw new ApiError({ status: 400, code: codeOf(message), message })
  }
  if (!(await trusted.isTrustedTarget(call, value))) throw new ApiError(entry)
}
