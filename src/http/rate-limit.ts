/** Rate limits: the rule for each call, the key under which it is counted, and the count itself (contract 00 §7). */
import { hash } from 'node:crypto'
import type { App } from '../core/app.ts'
import { tooManyRequests } from '../core/errors.ts'
import type { RateLimitDecision, RateLimitRule } from '../core/ports.ts'
import type { IncomingRequest } from '../core/request.ts'
import { disabledPaths } from '../core/route.ts'
import type { Config } from '../features/index.ts'
import { networkOf } from '../lib/ip.ts'
import { decide, type WindowRecord } from '../lib/sliding-window.ts'
import { wildcardPath } from '../lib/url.ts'
import type { CallRequest } from './request.ts'
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

/** @returns a function that finds the rule for a path; `pattern` and `declared` describe its call */
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

/** What a read presents. */
export interface CountedCredential {
  readonly secret: string
  /** Whether it is surely one that was given out; otherwise a client may be guessing it. */
  readonly isSigned: boolean
}

/** Whether a call reads as a user under the default rule: pages that an app renders on its server do so for each of its visitors. */
function isUserRead(match: MatchedRoute | null, { source }: ChosenRule): boolean {
  if (source !== 'default' || !match) return false
  const { access, usesCredential = false, isRead = match.route.method === 'GET' } = match.route.declaration
  if (!isRead) return false
  return usesCredential || access.kind === 'session' || access.kind === 'optional-session'
}

/**
 * @returns null when limits are off; else a function that counts a call and @throws ApiError 429. It counts a read with a credential by
 * this credential, because many visitors may share the network of an app's server; and returns a function that counts it for the
 * network in addition, for a credential that is not valid. Once a network has sent too many of those, unsigned ones are rejected.
 * @param credentialOf what the call presents
 */
export function createRateLimit(
  app: App,
):
  | ((
      request: CallRequest,
      match: MatchedRoute | null,
      credentialOf: () => CountedCredential | null,
    ) => Promise<CountInvalid | null>)
  | null {
  if (!isLimited(app.config)) return null
  const report = createReport(app)
  const choose = createChoice(app.config)
  return async (request, match, credentialOf) => {
    const chosen = choose(request.path, match?.route)
    const rule = typeof chosen.rule === 'function' ? await chosen.rule(request.standard()) : chosen.rule
    if (!rule) return null
    const pattern = match?.route.pattern ?? null
    const requireAllowed = ({ allowed, retryAfter }: RateLimitDecision) => {
      if (allowed) return
      app.metrics.count('rate_limited')
      report(request, pattern)
      throw tooManyRequests(retryAfter)
    }
    const take = async (key: string) => requireAllowed(await app.rateLimits.take(key, rule))
    const network = rateLimitKey(request.networkAddress(), pattern)
    const credential = isUserRead(match, chosen) ? credentialOf() : null
    if (!credential) {
      await take(network)
      return null
    }
    if (!credential.isSigned) requireAllowed(decide(await recordOf(app, network), rule, app.now().getTime()))
    // Tokens and keys are random: without a key of ours, their hash says as little, and costs a fifth.
    await take(`session:${hash('sha256', credential.secret, 'base64url')}${pattern}`)
    return () => take(network)
  }
}

/** Null while the shared store is out of order: counting goes on elsewhere then, and a look is not worth an error. */
const recordOf = async (app: App, key: string): Promise<WindowRecord | null> =>
  (await app.rateLimits.find([key]).catch(() => []))[0] ?? null

/** Matching wildcards takes longer than the rest of a cheap call, and most calls have only one path. */
function createChoice(config: Config): (path: string, route: MountedRoute | undefined) => ChosenRule {
  const chooseByPath = createRateLimitRules(config)
  const fixed = new Map<MountedRoute, ChosenRule>()
  return (path, route) => {
    const known = route && fixed.get(route)
    if (known) return known
    const chosen = chooseByPath(path, route?.pattern ?? null, route?.rateLimit)
    if (route && !route.pattern.includes(':')) fixed.set(route, chosen)
    return chosen
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
