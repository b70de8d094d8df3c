/** Rules between core options, asked at every start. Each id is explained in docs/configuration.md. */

import type { Config } from '../features/index.ts'
import { longestMaxAge } from '../lib/cookie.ts'
import { isLoopback } from '../lib/loopback.ts'
import { redisAddressFault } from '../lib/redis-address.ts'
import { errorURLFault } from './api-errors.ts'
import type { ConfigFault } from './config.ts'

/** What is wrong with the core sections taken together; empty when nothing is. */
export const checkCoreConfig = (config: Config): ConfigFault[] => [
  ...secretFaults(config),
  ...baseURLFaults(config),
  ...cookieDomainFaults(config),
  ...cookieAttributeFaults(config),
  ...connectionFaults(config),
  ...privateListenerFaults(config),
  ...errorPageFaults(config),
]

/** Constants that stand in public examples. */
const publicSecrets = ['better-auth-secret-', 'changeme', 'change-me', 'your-secret']

function secretFaults({ secret, environment }: Config): ConfigFault[] {
  const hint = 'Make one with `latchkey secret` and set LATCHKEY_SECRET, or LATCHKEY_SECRET_FILE.'
  if (secret === undefined) return [{ id: 'secret-missing', path: 'secret', message: 'There is no secret to sign with.', hint }]
  return [secret].flat().flatMap((text, position) => {
    const path = Array.isArray(secret) ? `secret.${position}` : 'secret'
    const weakness = weaknessOf(text)
    return weakness && !(environment === 'development' && text.length >= 32)
      ? [{ id: 'secret-weak', path, message: `The secret ${weakness}.`, hint }]
      : []
  })
}

function weaknessOf(secret: string): string | null {
  if (secret.length < 32) return `has ${secret.length} characters; 32 are the least`
  if (new Set(secret).size < 12 || publicSecrets.some((known) => secret.includes(known))) return 'is easy to guess'
  return null
}

function baseURLFaults({ baseURL, environment, server, trustedOrigins }: Config): ConfigFault[] {
  const faults: ConfigFault[] = []
  if (!baseURL && environment === 'production') {
    faults.push({
      id: 'base-url-missing',
      path: 'baseURL',
      message: 'The public address is needed for links, redirects and cookies.',
      hint: 'Set baseURL, or LATCHKEY_BASE_URL.',
    })
  }
  const url = baseURL ? new URL(baseURL) : null
  if (url?.protocol === 'http:' && environment === 'production' && !isLoopback(url.hostname) && !server.allowPlainHTTP) {
    faults.push({
      id: 'base-url-plain-http',
      path: 'baseURL',
      message: 'Passwords and session cookies would travel in clear text.',
      hint: 'Use https:, or accept the risk with `server: { allowPlainHTTP: true }`.',
    })
  }
  if (url && (url.username || url.password || url.search || url.hash)) {
    faults.push({ id: 'base-url-form', path: 'baseURL', message: 'Only a protocol, a host and a path can stand here.' })
  }
  if (
    Array.isArray(trustedOrigins) &&
    environment === 'production' &&
    trustedOrigins.some((origin) => /^(https?:\/\/)?\*+$/.test(origin))
  ) {
    faults.push({
      id: 'trusted-origins-everything',
      path: 'trustedOrigins',
      message: 'This trusts every site.',
      hint: 'Name your origins; `*` may stand for one label.',
    })
  }
  return faults
}

function cookieDomainFaults({ advanced, baseURL }: Config): ConfigFault[] {
  const { crossSubDomainCookies, defaultCookieAttributes } = advanced
  const path = 'advanced.crossSubDomainCookies.domain'
  const host = baseURL ? new URL(baseURL).hostname : null
  const domain = crossSubDomainCookies.enabled ? (crossSubDomainCookies.domain ?? host) : defaultCookieAttributes.domain
  if (crossSubDomainCookies.enabled && !domain) {
    return [{ id: 'cookie-domain-missing', path, message: 'Neither a domain nor a baseURL is given.' }]
  }
  if (!domain || !host || holdsCookies(domain, host)) return []
  const message = `A browser drops cookies for ${domain} that come from ${host}.`
  return [{ id: 'cookie-domain', path, message, hint: 'Use the host of baseURL or a domain above it.' }]
}

function cookieAttributeFaults(config: Config): ConfigFault[] {
  const { defaultCookieAttributes, cookies, useSecureCookies } = config.advanced
  const faults: ConfigFault[] = []
  const secure = useSecureCookies ?? config.baseURL?.startsWith('https:') ?? false
  if (secure && config.baseURL?.startsWith('http:') && !isLoopback(new URL(config.baseURL).hostname)) {
    const message = 'A browser drops secure cookies that come over http:.'
    faults.push({ id: 'cookie-secure-over-http', path: 'advanced.useSecureCookies', message })
  }
  const sets = [
    { ...defaultCookieAttributes, at: 'advanced.defaultCookieAttributes' },
    ...Object.entries(cookies).map(([key, { attributes }]) => ({
      ...defaultCookieAttributes,
      ...attributes,
      at: `advanced.cookies.${key}.attributes`,
    })),
  ]
  const dropped = sets.find((set) => set.sameSite?.toLowerCase() === 'none' && !(set.secure ?? set.partitioned ?? secure))
  if (dropped) {
    const message = 'SameSite=None works for secure cookies only.'
    faults.push({ id: 'cookie-same-site-none', path: `${dropped.at}.sameSite`, message })
  }
  if (sets.some((set) => (set.maxAge ?? 0) > longestMaxAge)) {
    faults.push({ id: 'cookie-max-age', path: 'advanced', message: 'A cookie lives 400 days at most.' })
  }
  return faults
}

const holdsCookies = (domain: string, host: string) => {
  const bare = domain.replace(/^\./, '').toLowerCase()
  return bare === host || (bare.includes('.') && host.endsWith(`.${bare}`))
}

function connectionFaults(config: Config): ConfigFault[] {
  const { database, redis, server, rateLimit } = config
  const faults: ConfigFault[] = []
  if (!database.url) {
    faults.push({
      id: 'database-missing',
      path: 'database.url',
      message: 'There is no database.',
      hint: 'Set database.url, or DATABASE_URL.',
    })
  } else if (!/^(mysql:\/\/|sqlite:)./.test(database.url)) {
    faults.push({ id: 'database-scheme', path: 'database.url', message: 'Expected mysql://… or sqlite:….' })
  }
  if (database.url?.startsWith('sqlite:') && server.workers > 1) {
    faults.push({
      id: 'sqlite-workers',
      path: 'server.workers',
      message: 'An embedded database serves one worker.',
      hint: 'Use MySQL for several.',
    })
  }
  const redisFault = redis.enabled ? redisAddressFault(redis) : null
  if (redisFault) faults.push({ ...redisFault, path: redisFault.path ? `redis.${redisFault.path}` : 'redis' })
  if (rateLimit.storage === 'secondary-storage' && !redis.enabled) {
    faults.push({ id: 'rate-limit-storage', path: 'rateLimit.storage', message: 'secondary-storage needs the section redis.' })
  }
  return faults
}

function privateListenerFaults({ server }: Config): ConfigFault[] {
  if (!server.private.port || isLoopback(server.private.host) || server.private.token) return []
  const message = 'Metrics and health would be open to the network.'
  return [{ id: 'private-listener-open', path: 'server.private.token', message, hint: 'Set a token, or listen on loopback.' }]
}

function errorPageFaults(config: Config): ConfigFault[] {
  const message = errorURLFault(config)
  return message === null ? [] : [{ id: 'error-url', path: 'onAPIError.errorURL', message }]
}
