/** Rate limits: the rule for each call, the key under which it is counted, and the count itself (contract 00 §7). */
import type { App } from '../core/app.ts'
import { tooManyRequests } from '../core/errors.ts'
import type { RateLimitRule } from '../core/ports.ts'
import type { IncomingRequest } from '../core/request.ts'
import { disabledPaths } from '../core/route.ts'
import type { Config } from '../features/index.ts'
import { networkOf } from '../lib/ip.ts'
import { wildcardPath } from '../lib/url.ts'
import type { Call } from './request.ts'
import { createRouting, type MatchedRoute, type MountedRoute, mountRoutes } from './routing.ts'

/** Paths on which passwords can be guessed. */
const guessing = ['/sign-in', '/sign-up', '/change-password', '/change-email']
const guessingRule: ChosenRule = { source: 'guessing', rule: { window: 10, max: 3 } }

type CustomRule = Config['rateLimit']['customRules'][string]

interface ChosenRule {
  /** Where the rule is from: `customRules`, the declaration of the call, the list of paths for guessing, or the default. */
  readonly source: 'customRules' | 'call' | 'guessing' | 'default'
  /** False for no limit; a function decides for each request. */
  readonly rule: CustomRule
}

export const isLimited = ({ rateLimit, environment }: Config): boolean => rateLimit.enabled ?? environment === 'production'

/** @returns a function that finds the rule for a path; `pattern` and `declared` are those of its call */
function createRateLimitRules({
  rateLimit: { window, max, customRules },
}: Config): (path: string, pattern: string | null, declared: RateLimitRule | undefined) => ChosenRule {
  const custom = Object.entries(customRules).map(([path, rule]) => {
    const chosen: ChosenRule = { source: 'customRules', rule }
    return { matches: wildcardPath(path), chosen }
  })
  const standard: ChosenRule = { source: 'default', rule: { window, max } }
  return (path, pattern, declared) => {
    const own = custom.find(({ matches }) => matches(path) || (pattern !== null && matches(pattern)))
    if (own) return own.chosen
    if (declared) return { source: 'call', rule: declared }
    return guessing.some((prefix) => path.startsWith(prefix)) ? guessingRule : standard
  }
}

/** All unknown paths share one counter; with one each, a client could fill the store with random paths. */
const unknownPaths = '/'

/** @param pattern of the call; null when there is none for the path */
export const rateLimitKey = (address: string, pattern: string | null): string => `${networkOf(address)}${pattern ?? unknownPaths}`

export interface LimitedCall extends ChosenRule {
  /** Null for paths on which there is no call. */
  readonly method: string | null
  /** As declared; null for paths on which there is no call. Calls of one pattern are counted together. */
  readonly pattern: string | null
}

/** @param path below the base path, to list only its calls; null: all calls */
export function listLimitedCalls(app: App, path: string | null): LimitedCall[] {
  const choose = createRateLimitRules(app.config)
  const disabled = disabledPaths(app.config)
  const routes = mountRoutes(app).map(([, route]) => route)
  const find = createRouting(app)
  const selected = path === null ? routes : routes.filter(({ method, pattern }) => find(method, path)?.route.pattern === pattern)
  const calls = selected
    .filter(({ pattern }) => !disabled.has(pattern) && !(path !== null && disabled.has(path)))
    .map(({ method, pattern, rateLimit }) => ({ method, pattern, ...choose(path ?? pattern, pattern, rateLimit) }))
  if (path !== null && (selected.length > 0 || disabled.has(path))) return calls
  return [...calls, { method: null, pattern: null, ...choose(path ?? unknownPaths, null, undefined) }]
}

/** Counts a call for its network, when its session turned out to be invalid. @throws ApiError 429 */
type CountInvalid = () => Promise<void>

/** Whether a call reads as a user under the default rule: pages that an app renders on its server do so for each of its visitors. */
function isRead(match: MatchedRoute | null, { source }: ChosenRule): boolean {
  if (source !== 'default' || match?.route.method !== 'GET') return false
  const { access, usesCredential = false } = match.route.declaration
  return usesCredential || access.kind === 'session' || access.kind === 'optional-session'
}

/**
 * @returns null when limits are off; else a function that counts a call and @throws ApiError 429. It counts a read with a session by
 * this session, because many visitors may share the network of an app's server; and returns a function that counts it for the network
 * in addition, for a session that is not valid. @param sessionOf the session token of the call, if its signature is ours
 */
export function createRateLimit(
  app: App,
):
  | ((
      call: Call,
      request: IncomingRequest,
      match: MatchedRoute | null,
      sessionOf: () => string | null,
    ) => Promise<CountInvalid | null>)
  | null {
  if (!isLimited(app.config)) return null
  const report = createReport(app)
  const chooseByPath = createRateLimitRules(app.config)
  // Matching wildcards takes longer than the rest of a cheap call, and most calls have only one path.
  const fixed = new Map<MountedRoute, ChosenRule>()
  const choose = (path: string, route: MountedRoute | undefined): ChosenRule => {
    const known = route && fixed.get(route)
    if (known) return known
    const chosen = chooseByPath(path, route?.pattern ?? null, route?.rateLimit)
    if (route && !route.pattern.includes(':')) fixed.set(route, chosen)
    return chosen
  }
  return async (call, request, match, sessionOf) => {
    const chosen = choose(request.path, match?.route)
    const rule = typeof chosen.rule === 'function' ? await chosen.rule(call.req.raw) : chosen.rule
    if (!rule) return null
    const pattern = match?.route.pattern ?? null
    const take = async (key: string) => {
      const decision = await app.rateLimits.take(key, rule)
      if (decision.allowed) return
      app.metrics.count('rate_limited')
      report(request, pattern)
      throw tooManyRequests(decision.retryAfter)
    }
    const byNetwork = () => take(rateLimitKey(request.networkAddress(), pattern))
    const session = isRead(match, chosen) ? sessionOf() : null
    await (session === null ? byNetwork() : take(`session:${app.keyring.hash('rate limit', session)}${pattern}`))
    return session === null ? null : byNetwork
  }
}

const reportWindowMs = 60_000

/** Logs that a limit is reached, each call once a minute: the client gets the error, but its operator may be ours. */
function createReport(app: App): (request: IncomingRequest, pattern: string | null) => void {
  const reported = new Map<string, number>()
  return (request, pattern) => {
    const [route, now] = [pattern ?? unknownPaths, app.now().getTime()]
    if (Math.abs(now - (reported.get(route) ?? 0)) < reportWindowMs) return
    reported.set(route, now)
    app.log.warn(
      { route, requestId: request.id },
      'A rate limit was reached. If the client is a server of yours, see "Rate limits of your own servers" in docs/operations.md',
    )
  }
}
