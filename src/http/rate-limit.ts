/** Counts a call, and refuses it (contract 00 §7). */
import type { App } from '../core/app.ts'
import { ApiError, errors } from '../core/errors.ts'
import type { IncomingRequest } from '../core/request.ts'
import { createRateLimitRules, isLimited, rateLimitKey } from './rate-limit-rules.ts'
import type { Call } from './request.ts'
import type { MatchedRoute } from './routing.ts'

/** @returns null when limits are off; else a function that counts a call and @throws ApiError 429 */
export function createRateLimit(
  app: App,
): ((call: Call, request: IncomingRequest, match: MatchedRoute | null) => Promise<void>) | null {
  if (!isLimited(app.config)) return null
  const choose = createRateLimitRules(app.config)
  return async (call, request, match) => {
    const chosen = choose(request.path, match?.route.rateLimit).rule
    const rule = typeof chosen === 'function' ? await chosen(call.req.raw) : chosen
    if (!rule) return
    const decision = await app.rateLimits.take(rateLimitKey(request.networkAddress(), match?.route.pattern ?? null), rule)
    if (decision.allowed) return
    app.metrics.count('rate_limited')
    const seconds = String(decision.retryAfter)
    throw new ApiError(errors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER, {
      headers: { 'x-retry-after': seconds, 'retry-after': seconds },
    })
  }
}
