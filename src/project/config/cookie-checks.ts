/** Rules about cookies: browsers must store them, and send them to no stranger. */
import type { ConfigIssue } from '../../core/config.ts'
import { usesSecureCookies } from '../../core/cookies.ts'
import type { Config } from '../../features/index.ts'
import { longestMaxAge } from '../../lib/cookie.ts'
import { isLoopback } from '../../lib/ip.ts'
import { isPublicSuffix } from '../../lib/public-suffix.ts'

/** Issues of the attributes, the domain and the prefix of cookies. */
export const checkCookies = (config: Config): ConfigIssue[] => [
  ...cookieDomainIssues(config),
  ...cookieAttributeIssues(config),
  ...hostPrefixIssues(config),
]

function cookieDomainIssues({ advanced, baseURL }: Config): ConfigIssue[] {
  const { crossSubDomainCookies, defaultCookieAttributes, cookies } = advanced
  const path = 'advanced.crossSubDomainCookies.domain'
  const host = baseURL ? new URL(baseURL).hostname : null
  const domain = crossSubDomainCookies.enabled ? (crossSubDomainCookies.domain ?? host) : defaultCookieAttributes.domain
  if (crossSubDomainCookies.enabled && !domain) {
    return [{ id: 'cookie-domain-missing', path, message: 'Neither a domain nor baseURL is set.' }]
  }
  const own = Object.entries(cookies).flatMap(([key, { attributes }]) =>
    domainIssues(`advanced.cookies.${key}.attributes.domain`, attributes?.domain, host),
  )
  return [...domainIssues(path, domain, host), ...own]
}

function domainIssues(path: string, domain: string | null | undefined, host: string | null): ConfigIssue[] {
  if (domain && !/^\.?([a-z0-9_-]+\.)*[a-z0-9_-]+$/i.test(domain)) {
    const hint = 'Write only the name of the domain, such as example.com.'
    return [{ id: 'cookie-domain', path, message: `"${domain}" is not a domain.`, hint }]
  }
  if (!domain || !host || holdsCookies(domain, host)) return []
  const message = `Browsers reject cookies for ${domain} from ${host}.`
  return [{ id: 'cookie-domain', path, message, hint: 'Use the host of baseURL or one of its parent domains.' }]
}

function cookieAttributeIssues(config: Config): ConfigIssue[] {
  const { defaultCookieAttributes, cookies, useSecureCookies } = config.advanced
  const issues: ConfigIssue[] = []
  const secure = useSecureCookies ?? config.baseURL?.startsWith('https:') ?? false
  if (secure && config.baseURL?.startsWith('http:') && !isLoopback(new URL(config.baseURL).hostname)) {
    const message = 'Browsers reject secure cookies over http:.'
    issues.push({ id: 'cookie-secure-over-http', path: 'advanced.useSecureCookies', message })
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
    const message = 'SameSite=None requires secure cookies.'
    issues.push({ id: 'cookie-same-site-none', path: `${dropped.at}.sameSite`, message })
  }
  if (sets.some((set) => (set.maxAge ?? 0) > longestMaxAge)) {
    issues.push({ id: 'cookie-max-age', path: 'advanced', message: 'A cookie cannot last longer than 400 days.' })
  }
  return issues
}

/** Browsers reject cookies with this prefix that are not secure, or have a domain or another path (RFC 6265bis §4.1.3.2). */
function hostPrefixIssues(config: Config): ConfigIssue[] {
  const { cookiePrefix, cookies, crossSubDomainCookies, defaultCookieAttributes } = config.advanced
  const prefixed = Object.entries(cookies).filter(([, { name = cookiePrefix }]) => name.startsWith('__Host-'))
  if (prefixed.length === 0) return []
  const issue = (message: string, hint: string) => [{ id: 'cookie-host-prefix', path: 'advanced.cookiePrefix', message, hint }]
  // `latchkey dev` serves http:, and leaves the prefix out.
  if (!usesSecureCookies(config) && config.environment === 'production')
    return issue('Cookies with the prefix __Host- must be secure.', 'Use https: in baseURL, or another prefix.')
  const attributes = prefixed.map(([, own]) => ({ ...defaultCookieAttributes, ...own.attributes }))
  if (crossSubDomainCookies.enabled || attributes.some(({ domain, path = '/' }) => domain !== undefined || path !== '/'))
    return issue('Cookies with the prefix __Host- cannot have a domain, or a path other than /.', 'Use another prefix.')
  return []
}

/** A host that is a public suffix itself may have cookies of its own, which other hosts do not get. */
const holdsCookies = (domain: string, host: string) => {
  const bare = domain.replace(/^\./, '').toLowerCase()
  return bare === host || (!isPublicSuffix(bare) && host.endsWith(`.${bare}`))
}
