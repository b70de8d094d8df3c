/** The cookies of contract 00 §5 by key: name and attributes as the configuration has them. */
import type { Config } from '../features/index.ts'
import { type CookieOptions, serializeCookie } from '../lib/cookie.ts'
import type { CookieJar } from './cookie-jar.ts'

export type CookieKey = 'session_token' | 'session_data' | 'dont_remember' | 'known_device'

export interface CookieDefinition {
  readonly name: string
  /** @param value encoded already; @param maxAge seconds; absent: until the browser is closed */
  set(jar: CookieJar, value: string, maxAge?: number): void
  clear(jar: CookieJar): void
}

/** Whether cookies are marked secure: as configured, else as `baseURL` says, else in production. */
export const usesSecureCookies = ({ advanced, baseURL, environment }: Config): boolean =>
  advanced.useSecureCookies ?? (baseURL ? baseURL.startsWith('https:') : environment === 'production')

export function cookieDefinition(config: Config, key: CookieKey): CookieDefinition {
  const { advanced, baseURL } = config
  const secure = usesSecureCookies(config)
  const custom = advanced.cookies[key]
  const name = `${secure ? '__Secure-' : ''}${custom?.name ?? `${advanced.cookiePrefix}.${key}`}`
  const { crossSubDomainCookies } = advanced
  const host = baseURL ? new URL(baseURL).hostname : undefined
  const domain = crossSubDomainCookies.enabled ? (crossSubDomainCookies.domain ?? host) : undefined
  const shared = { path: '/', httpOnly: true, secure, sameSite: 'Lax', ...(domain && { domain }) }
  const before = { ...shared, ...defined(advanced.defaultCookieAttributes) }
  const after = defined(custom?.attributes ?? {})
  const options = (maxAge?: number): CookieOptions => ({ ...before, ...(maxAge !== undefined && { maxAge }), ...after })
  const cleared = serializeCookie(name, '', { ...options(), maxAge: 0 })
  return {
    name,
    set: (jar, value, maxAge) => jar.set(name, serializeCookie(name, value, options(maxAge))),
    clear: (jar) => jar.set(name, cleared),
  }
}

const defined = (attributes: object): CookieOptions =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
