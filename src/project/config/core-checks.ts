/** Rules between core options, checked at every start. Each id is explained in docs/configuration.md. */
import { parseDatabaseAddress } from '../../adapters/database/database-address.ts'
import { redisAddressIssue } from '../../adapters/redis-address.ts'
import type { ConfigIssue } from '../../core/config.ts'
import type { Feature } from '../../core/feature.ts'
import type { Config } from '../../features/index.ts'
import { suggest } from '../../lib/input-errors.ts'
import { coversStrangers, isLoopback } from '../../lib/ip.ts'
import { trustsStrangers } from '../../lib/open-origins.ts'
import { checkCookies } from './cookie-checks.ts'
import { checkOrigins } from './origin-checks.ts'
import { checkSecrets } from './secret-checks.ts'

/** @param features all features, including disabled ones @returns the issues in the core options */
export const checkCoreConfig = (config: Config, features: readonly Feature[]): ConfigIssue[] => [
  ...secretIssues(config),
  ...baseURLIssues(config),
  ...checkOrigins(config),
  ...checkCookies(config),
  ...connectionIssues(config),
  ...privateListenerIssues(config),
  ...checkSecrets(config),
  ...proxyIssues(config),
  ...pathIssues(config, features),
]

/** Of public examples, without case and separators. */
const publicSecrets = ['betterauthsecret', 'changeme', 'changethis', 'replaceme', 'replacethis', 'yoursecret', 'yoursupersecret']

function secretIssues({ secret, environment }: Config): ConfigIssue[] {
  const hint = 'Generate one with `latchkey secret`, then set LATCHKEY_SECRET or LATCHKEY_SECRET_FILE.'
  if (secret === undefined) return [{ id: 'secret-missing', path: 'secret', message: 'The secret is missing.', hint }]
  return [secret].flat().flatMap((text, position) => {
    const path = Array.isArray(secret) ? `secret.${position}` : 'secret'
    const weakness = weaknessOf(text)
    return weakness && !(environment === 'development' && text.length >= 32)
      ? [{ id: 'secret-weak', path, message: `The secret ${weakness}.`, hint }]
      : []
  })
}

function weaknessOf(secret: string): string | null {
  if (secret.length < 32) return `has ${secret.length} characters; it needs at least 32`
  const bare = secret.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return new Set(secret).size < 12 || publicSecrets.some((known) => bare.includes(known)) ? 'is easy to guess' : null
}

function baseURLIssues({ baseURL, environment, server, trustedOrigins }: Config): ConfigIssue[] {
  const issues: ConfigIssue[] = []
  if (!baseURL && environment === 'production') {
    issues.push({
      id: 'base-url-missing',
      path: 'baseURL',
      message: 'The public URL is required for links, redirects and cookies.',
      hint: 'Set baseURL, or LATCHKEY_BASE_URL.',
    })
  }
  const url = baseURL ? new URL(baseURL) : null
  if (url?.protocol === 'http:' && environment === 'production' && !isLoopback(url.hostname) && !server.allowPlainHTTP) {
    issues.push({
      id: 'base-url-plain-http',
      path: 'baseURL',
      message: 'Passwords and session cookies would be sent unencrypted.',
      hint: 'Use https:, or accept the risk with `server: { allowPlainHTTP: true }`.',
    })
  }
  if (url && (url.username || url.password || url.search || url.hash || /[*?]/.test(url.host))) {
    issues.push({ id: 'base-url-form', path: 'baseURL', message: 'Only a protocol, a host and a path are allowed.' })
  }
  const tooWide = environment === 'production' && Array.isArray(trustedOrigins) && trustedOrigins.find(trustsStrangers)
  if (tooWide) {
    issues.push({
      id: 'trusted-origins-everything',
      path: 'trustedOrigins',
      message: `${tooWide} trusts websites of any owner.`,
      hint: 'List your origins; use `*` only below a domain of yours, as in `https://*.example.com`.',
    })
  }
  return issues
}

function connectionIssues(config: Config): ConfigIssue[] {
  const { database, redis, server, rateLimit } = config
  const issues: ConfigIssue[] = []
  if (!database.url) {
    issues.push({
      id: 'database-missing',
      path: 'database.url',
      message: 'The database URL is missing.',
      hint: 'Set database.url, or DATABASE_URL.',
    })
  } else if (!/^(mysql:\/\/|sqlite:)./.test(database.url)) {
    issues.push({ id: 'database-scheme', path: 'database.url', message: 'Expected mysql://… or sqlite:….' })
  }
  const address = database.url?.startsWith('mysql://') ? parseDatabaseAddress(database.url) : null
  if (address && 'message' in address) issues.push(address)
  if (database.url?.startsWith('sqlite:') && server.workers > 1) {
    issues.push({
      id: 'sqlite-workers',
      path: 'server.workers',
      message: 'SQLite supports only one worker.',
      hint: 'Use MySQL for several workers.',
    })
  }
  const redisIssue = redis.enabled ? redisAddressIssue(redis) : null
  if (redisIssue) issues.push({ ...redisIssue, path: redisIssue.path ? `redis.${redisIssue.path}` : 'redis' })
  if (rateLimit.storage === 'secondary-storage' && !redis.enabled) {
    issues.push({ id: 'rate-limit-storage', path: 'rateLimit.storage', message: 'secondary-storage requires the section redis.' })
  }
  return issues
}

function privateListenerIssues({ server }: Config): ConfigIssue[] {
  const { port, host, token, api } = server.private
  const issues: ConfigIssue[] = []
  if (port && !isLoopback(host) && !token) {
    const message = 'Anyone on the network could read metrics and health checks.'
    issues.push({
      id: 'private-listener-open',
      path: 'server.private.token',
      message,
      hint: 'Set a token, or listen on loopback.',
    })
  }
  if (api.port && !api.token) {
    // Also on loopback.
    const message = 'Every program of this machine could act for every user.'
    issues.push({ id: 'private-api-open', path: 'server.private.api.token', message, hint: 'Set a token of random characters.' })
  }
  return issues
}

function proxyIssues({ server }: Config): ConfigIssue[] {
  if (!coversStrangers(server.trustedProxies)) return []
  const message = 'Together these networks include addresses of strangers, who could forge the IP address that limits count.'
  const hint = 'List only the addresses of your proxies.'
  return [{ id: 'trusted-proxies-everything', path: 'server.trustedProxies', message, hint }]
}

/** Unknown paths in `disabledPaths`, `rateLimit.customRules` and `twoFactor.stepUp.calls`. Paths of disabled features are not unknown. */
function pathIssues({ disabledPaths, rateLimit, twoFactor }: Config, features: readonly Feature[]): ConfigIssue[] {
  const patterns = [
    ...new Set(features.flatMap(({ routes }) => Object.keys(routes ?? {}).map((key) => key.replace(/^\S+ /, '')))),
  ]
  const rules = Object.keys(rateLimit.customRules).filter((path) => !path.includes('*'))
  const given = [
    ...disabledPaths.map((path, position) => ({ path, at: `disabledPaths.${position}` })),
    ...rules.map((path) => ({ path, at: `rateLimit.customRules.${path}` })),
    ...Object.keys(twoFactor.enabled ? twoFactor.stepUp.calls : {}).map((path) => ({
      path,
      at: `twoFactor.stepUp.calls.${path}`,
    })),
  ]
  return given
    .filter(({ path }) => !patterns.some((pattern) => isPathOf(pattern, path)))
    .map(({ path, at }) => ({
      id: 'config-unknown-path',
      path: at,
      message: `Unknown path ${path}.`,
      ...suggest(path, patterns),
    }))
}

function isPathOf(pattern: string, path: string): boolean {
  const [declared, given] = [pattern.split('/'), path.replace(/(?<=.)\/$/, '').split('/')]
  // A part such as `:tokn` is a mistyped name, not a value.
  const isPartOf = (part: string, value = '') =>
    part === value || (part.startsWith(':') && value !== '' && !value.startsWith(':'))
  return declared.length === given.length && declared.every((part, position) => isPartOf(part, given[position]))
}
