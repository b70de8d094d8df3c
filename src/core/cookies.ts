/** Cookies of responses, with configured names and attributes (contract 00 §5). Features declare theirs with `cookieOptions`. */
import { z } from 'zod'
import type { Config } from '../features/index.ts'
import { type CookieOptions, serializeCookie } from '../lib/cookie.ts'
import { definedMembers } from '../lib/objects.ts'
import { group } from './config.ts'

/** Cookies of a response, in the order in which they were set. Of several with one name the last is sent (contract 00 §5). */
export interface CookieJar {
  /** @param header the whole value of one `Set-Cookie` header */
  set(name: string, header: string): void
  /** The `Set-Cookie` header last written for this name. */
  get(name: string): string | undefined
  /** How many cookies of this name the request carried. */
  sent(name: string): number
  headers(): string[]
  /** Removes all cookies. */
  discard(): void
}

const sameSite = z.enum(['lax', 'strict', 'none', 'Lax', 'Strict', 'None'])
export const cookieAttributes = z.strictObject({
  maxAge: z.int().nonnegative().optional().describe('`Max-Age`, in seconds; at most 400 days'),
  domain: z.string().optional().describe('`Domain`; default: none, so that only the host of baseURL gets the cookie'),
  path: z.string().optional().describe('`Path`; default: /'),
  httpOnly: z.boolean().optional().describe('`HttpOnly`: scripts of pages cannot read the cookie; default: true'),
  secure: z.boolean().optional().describe('`Secure`; default: `advanced.useSecureCookies`'),
  sameSite: sameSite.optional().describe('`SameSite`; `none` requires secure cookies; default: Lax'),
  partitioned: z.boolean().optional().describe('`Partitioned`: one cookie for each site that embeds the application (CHIPS)'),
})

const cookieShape = {
  name: z.string().optional().describe('Name of the cookie; default: `cookiePrefix`, a dot and the key'),
  attributes: cookieAttributes.optional().describe('Attributes of this cookie; they override `defaultCookieAttributes`'),
}
const cookieSection = (key: string) => group(`Cookie \`${key}\``, cookieShape)

/** Declares the cookies that a feature sets: the part of its `config` for their names and attributes. */
export function cookieOptions<const K extends string>(...keys: K[]) {
  type Cookies = { readonly [P in K]: ReturnType<typeof cookieSection> }
  const cookies = Object.fromEntries(keys.map((key) => [key, cookieSection(key)])) as Cookies
  return {
    advanced: group('Advanced options', {
      cookies: group('Names and attributes of single cookies', cookies),
    }),
  }
}

/** The `responseHeaders` of a call that signs in or out and needs no session before. */
export const writesCookies = { 'set-cookie': 'The session cookie, and cookies that belong to it' } as const

type CookieKey = keyof Config['advanced']['cookies']

/** Whether cookies are marked secure: as configured, else by the scheme of `baseURL`, else in production. */
export const usesSecureCookies = ({ advanced, baseURL, environment }: Config): boolean =>
  advanced.useSecureCookies ?? (baseURL ? baseURL.startsWith('https:') : environment === 'production')

/** Browsers reject both prefixes for cookies that are not secure (RFC 6265bis §4.1.3). A configured `__Host-` stays as it is. */
function prefixedName(name: string, secure: boolean): string {
  const bare = name.replace(/^__(?:Host|Secure)-/, '')
  if (!secure) return bare
  return bare === name ? `__Secure-${name}` : name
}

interface Scope {
  readonly domain?: string | undefined
  readonly path?: string | undefined
}
const keyOf = ({ domain = '', path = '/' }: Scope) => `${domain.replace(/^\./, '').toLowerCase()} ${path}`

/**
 * Where other cookies of one name may be, which would stay when this one is deleted (contract 00 §5): those that an earlier
 * configuration set, with or without `Domain`, and for several of them those of any other path or domain of ours.
 */
function otherScopes({ advanced, baseURL, basePath }: Config, own: Scope) {
  const host = baseURL ? new URL(baseURL).hostname : undefined
  const named = advanced.formerCookies.map((former): Scope => ({ ...own, ...former }))
  const domains = [undefined, own.domain, host, advanced.crossSubDomainCookies.domain].filter((domain) => domain !== 'localhost')
  const possible = domains.flatMap((domain) => ['/', own.path, basePath].map((path): Scope => ({ domain, path })))
  const unique = (scopes: readonly Scope[]) => {
    const byKey = new Map(scopes.map((scope) => [keyOf(scope), scope]))
    byKey.delete(keyOf(own))
    return [...byKey]
  }
  return {
    named: unique(named),
    withoutDomain: unique([...named, ...(own.domain ? [{ path: own.path }] : [])]),
    all: unique([...named, ...possible]),
  }
}

/**
 * @param suffix of the name, for a further cookie with the attributes of this one
 * @param bareName follows the prefix, unless the cookie has a name of its own
 */
export function cookieDefinition(config: Config, key: CookieKey, suffix = '', bareName: string = key) {
  const { advanced, baseURL } = config
  const secure = usesSecureCookies(config)
  const custom = advanced.cookies[key]
  const name = prefixedName(custom.name ?? `${advanced.cookiePrefix}.${bareName}`, secure) + suffix
  const { crossSubDomainCookies } = advanced
  const host = baseURL ? new URL(baseURL).hostname : undefined
  const domain = crossSubDomainCookies.enabled ? (crossSubDomainCookies.domain ?? host) : undefined
  const shared = { path: '/', httpOnly: true, secure, sameSite: 'Lax', ...(domain && { domain }) }
  const before = { ...shared, ...definedMembers(advanced.defaultCookieAttributes) }
  const after = definedMembers(custom.attributes ?? {})
  const options = (maxAge?: number): CookieOptions => ({ ...before, ...(maxAge !== undefined && { maxAge }), ...after })
  const cleared = ({ domain = '', path = '/' }: Scope) => serializeCookie(name, '', { ...options(), domain, path, maxAge: 0 })
  const clearOthers = (jar: CookieJar, expected: 'named' | 'withoutDomain') => {
    const sent = name.startsWith('__Host-') ? 0 : jar.sent(name)
    if (sent === 0) return
    const scopes = otherScopes(config, options())[sent > 1 ? 'all' : expected]
    for (const [key, scope] of scopes) jar.set(`${name} ${key}`, cleared(scope))
  }
  return {
    name,
    /** @param value already encoded @param maxAge in seconds; default: until the browser is closed */
    set: (jar: CookieJar, value: string, maxAge?: number) => {
      clearOthers(jar, 'named')
      jar.set(name, serializeCookie(name, value, options(maxAge)))
    },
    /** Also those of the same name that an earlier configuration has set. */
    clear: (jar: CookieJar) => {
      clearOthers(jar, 'withoutDomain')
      jar.set(name, cleared(options()))
    },
  }
}
