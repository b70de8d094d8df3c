/** Which limit applies to a call, and its refusal (contract 00 §7). */
import type { App } from '../core/app.ts'
import { ApiError, errors } from '../core/errors.ts'
import type { RateLimitRule } from '../core/ports.ts'
import type { IncomingRequest } from '../core/request.ts'
import { networkOf } from '../lib/ip.ts'
import { wildcardPath } from '../lib/wildcard-path.ts'
import type { Call } from './request.ts'
import type { MatchedRoute } from './routing.ts'

/** Paths on which passwords are tried. */
const guessing = ['/sign-in', '/sign-up', '/change-password', '/change-email']
const guessingRule: RateLimitRule = { window: 10, max: 3 }

type CustomRule = App['config']['rateLimit']['customRules'][string]

/** @returns null when limits are off; else a function that counts a call and @throws ApiError 429 */
export function createRateLimit(
  app: App,
): ((call: Call, request: IncomingRequest, match: MatchedRoute | null) => Promise<void>) | null {
  const { enabled, window, max, customRules } = app.config.rateLimit
  if (!(enabled ?? app.config.environment === 'production')) return null
  const custom = Object.entries(customRules).map(([path, rule]) => ({ matches: wildcardPath(path), rule }))
  const standard = { window, max }

  const ruleFor = (
    call: Call,
    path: string,
    match: MatchedRoute | null,
  ): RateLimitRule | false | Promise<RateLimitRule | false> => {
    const own = custom.find(({ matches }) => matches(path))
    if (own) return resolveCustom(own.rule, call)
    return match?.route.rateLimit ?? (guessing.some((prefix) => path.startsWith(prefix)) ? guessingRule : standard)
  }
  return async (call, request, match) => {
    const rule = await ruleFor(call, request.path, match)
    if (!rule) return
    // Unknown paths share one counter: each having its own would let anybody fill the store with made-up ones.
    const path = match ? match.route.pattern : '/'
    const decision = await app.rateLimits.take(`${networkOf(request.networkAddress())}${path}`, rule)
    if (decision.allowed) return
    app.metrics.count('rate_limited')
    const seconds = String(decision.retryAfter)
    throw new ApiError(errors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER, {
      headers: { 'x-retry-after': seconds, 'retry-after': seconds },
    })
  }
}

const resolveCustom = (rule: CustomRule, call: Call) => (typeof rule === 'function' ? rule(call.req.raw) : rule)
