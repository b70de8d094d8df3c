/** Cross-origin headers, for trusted origins only (contract 00 §1). */
import { type App, memo } from '../core/app.ts'
import type { IncomingRequest } from '../core/request.ts'
import { apiURL } from '../core/route.ts'
import type { Origins } from './origin.ts'
import type { CallRequest } from './request.ts'

const exposed = 'set-auth-token, set-auth-jwt, x-retry-after, retry-after, x-total-count, link'
const allowed = ['content-type', 'authorization', 'x-captcha-response', 'x-captcha-user-remote-ip', 'x-api-key']

const preflightHeaders = memo(({ config: { apiKey } }: Pick<App, 'config' | 'memo'>) => {
  const sets = apiKey.enabled ? [apiKey, ...apiKey.configurations] : []
  const ofKeys = sets.flatMap(({ apiKeyHeaders }) => apiKeyHeaders).map((name) => name.toLowerCase())
  return {
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': [...new Set([...allowed, ...ofKeys])].join(', '),
    'access-control-max-age': '600',
  }
})

type Headers = Readonly<Record<string, string>>

/** @returns a function that returns the headers for a request's origin; null for our own, an untrusted or no origin */
export function createCors(app: App, { isTrusted, report }: Origins): (request: CallRequest) => Promise<Headers | null> | null {
  const own = new URL(apiURL(app.config)).origin
  const headersFor = async (request: CallRequest, origin: string): Promise<Headers | null> => {
    if (!(await isTrusted(request, origin))) {
      // Not for the form of a provider that redirects back with POST: that needs no trust.
      const isScript = isPreflight(request) || request.header('sec-fetch-mode') === 'cors'
      if (isScript && origin !== 'null') report(request, origin)
      return null
    }
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': exposed,
    }
  }
  return (request) => {
    const origin = request.header('origin')
    return !origin || origin === own ? null : headersFor(request, origin)
  }
}

/** Headers of the response to a preflight, which has no body (Fetch standard §3.2). */
export const preflight = (app: App, cors: Headers): Headers => ({ ...cors, ...preflightHeaders(app) })

export const isPreflight = (request: IncomingRequest): boolean =>
  request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined
