/** Which limit applies to which call, and under which key it is counted (contract 00 §7). */
import type { App } from '../core/app.ts'
import type { RateLimitRule } from '../core/ports.ts'
import type { Config } from '../features/index.ts'
import { networkOf } from '../lib/ip.ts'
import { wildcardPath } from '../lib/wildcard-path.ts'
import { createRouting, mountRoutes } from './routing.ts'

/** Paths on which passwords are tried. */
const guessing = ['/sign-in', '/sign-up', '/change-password', '/change-email']
const guessingRule: ChosenRule = { source: 'guessing', rule: { window: 10, max: 3 } }

type CustomRule = Config['rateLimit']['customRules'][string]

export interface ChosenRule {
  /** Who says so: the configuration by `customRules`, the call itself, the list of paths for guessing, or the default. */
  readonly source: 'customRules' | 'call' | 'guessing' | 'default'
  /** False for no limit; a function answers for each request. */
  readonly rule: CustomRule
}

export const isLimited = ({ rateLimit, environment }: Config): boolean => rateLimit.enabled ?? environment === 'production'

/** @returns which rule is for a path; `declared` is that of its call */
export function createRateLimitRules({
  rateLimit: { window, max, customRules },
}: Config): (path: string, declared: RateLimitRule | undefined) => ChosenRule {
  const custom = Object.entries(customRules).map(([path, rule]) => {
    const chosen: ChosenRule = { source: 'customRules', rule }
    return { matches: wildcardPath(path), chosen }
  })
  const standard: ChosenRule = { source: 'default', rule: { window, max } }
  return (path, declared) => {
    const own = custom.find(({ matches }) => matches(path))
    if (own) return own.chosen
    if (declared) return { source: 'call', rule: declared }
    return guessing.some((prefix) => path.startsWith(prefix)) ? guessingRule : standard
  }
}

/** All unknown paths: each having a counter of its own would let anybody fill the store with made-up ones. */
const unknownPaths = '/'

/** @param pattern of the call; null when there is none for the path */
export const rateLimitKey = (address: string, pattern: string | null): string => `${networkOf(address)}${pattern ?? unknownPaths}`

export interface LimitedCall extends ChosenRule {
  /** Null for paths on which there is no call. */
  readonly method: string | null
  /** As declared; null for paths on which there is no call. Calls of one pattern are counted together. */
  readonly pattern: string | null
}

/** @param path below the base path, to ask for its calls only; null for all there are */
export function listLimitedCalls(app: App, path: string | null): LimitedCall[] {
  const choose = createRateLimitRules(app.config)
  const disabled = new Set(app.config.disabledPaths)
  const routes = mountRoutes(app).map(([, route]) => route)
  const find = createRouting(app)
  const wanted = path === null ? routes : routes.filter(({ method, pattern }) => find(method, path)?.route.pattern === pattern)
  const calls = wanted
    .filter(({ pattern }) => !disabled.has(path ?? pattern))
    .map(({ method, pattern, rateLimit }) => ({ method, pattern, ...choose(path ?? pattern, rateLimit) }))
  if (path !== null && (calls.length > 0 || disabled.has(path))) return calls
  return [...calls, { method: null, pattern: null, ...choose(path ?? unknownPaths, undefined) }]
}
