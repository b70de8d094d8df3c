/** Whether browsers will keep and send the cookies, and whether the address of a client can be believed. */

import { apiURL } from '../../core/base-url.ts'
import { usesSecureCookies } from '../../core/cookies.ts'
import type { Config } from '../../features/index.ts'
import { isLoopback } from '../../lib/loopback.ts'
import { type Finding, failed, ok, skipped, warning } from './finding.ts'

export function checkBaseURL(config: Config): Finding {
  const url = new URL(apiURL(config))
  const title = 'Base URL'
  if (url.protocol === 'https:') return ok('base-url', title, url.href)
  if (isLoopback(url.hostname)) return ok('base-url', title, `${url.href}, on this machine only`)
  return warning(
    'base-url',
    title,
    `${url.href}: passwords travel in clear text`,
    'Put a proxy with TLS in front, and write https: in baseURL.',
  )
}

/** Plays through what a browser does with the session cookie for each origin that may call. */
export function checkCookies(config: Config): Finding[] {
  const { trustedOrigins } = config
  const title = 'Cookies'
  if (typeof trustedOrigins === 'function') return [skipped('cookies', title, 'trustedOrigins is a function')]
  const own = new URL(apiURL(config))
  if (usesSecureCookies(config) && own.protocol === 'http:' && !isLoopback(own.hostname))
    return [failed('cookies', title, `A browser drops secure cookies from ${own.origin}`, 'Use https: in baseURL.')]
  if (trustedOrigins.length === 0) return [ok('cookies', title, `Kept for ${own.origin}, the only origin that calls`)]
  return trustedOrigins.map((origin) => checkOrigin(config, own, origin))
}

function checkOrigin(config: Config, own: URL, origin: string): Finding {
  const title = `Cookies from ${origin}`
  const id = `cookies:${origin}`
  const from = URL.parse((origin.includes('://') ? origin : `${own.protocol}//${origin}`).replaceAll('*', 'example'))
  if (!from || !/^https?:$/.test(from.protocol)) return skipped(id, title, 'No origin of a web page')
  const sameSite = sameSiteOf(config)
  if (from.protocol === own.protocol && siteOf(from.hostname) === siteOf(own.hostname))
    return ok(id, title, 'Sent: both are one site')
  if (sameSite === 'none')
    return warning(
      id,
      title,
      'Sent by some browsers: it is a third-party cookie there',
      `Serve both below one domain, such as ${siteOf(from.hostname)}.`,
    )
  const mend = `Serve both below one domain and over one protocol; else set advanced.defaultCookieAttributes to { sameSite: 'none' }, and secure.`
  return failed(id, title, `Not sent: ${from.host} and ${own.host} are different sites, and SameSite is ${sameSite}`, mend)
}

const sameSiteOf = ({ advanced }: Config): string =>
  (advanced.cookies.session_token?.attributes?.sameSite ?? advanced.defaultCookieAttributes.sameSite ?? 'lax').toLowerCase()

/**
 * What browsers call a site: the name that can be bought, and what is below it. Their list of such endings is long; two short
 * last labels, as in `co.uk`, are taken for one ending here.
 */
export function siteOf(host: string): string {
  if (isLoopback(host) || /^[\d.]+$|:/.test(host)) return host
  const labels = host.split('.')
  const [last = '', second = ''] = labels.toReversed()
  return labels.slice(last.length === 2 && second.length <= 3 ? -3 : -2).join('.')
}

export function checkProxies({ server, baseURL }: Config): Finding {
  const title = 'Proxies'
  const id = 'proxy-trust'
  const open = server.trustedProxies.find((network) => network.endsWith('/0'))
  if (open)
    return failed(
      id,
      title,
      `${open} lets every caller choose an address`,
      'Name the addresses of your proxies in server.trustedProxies.',
    )
  const proxied = baseURL?.startsWith('https:') ?? false
  if (proxied && server.trustedProxies.length === 0) {
    const message =
      'baseURL is https:, which a proxy must speak, and no proxy is trusted: all callers count as one for the limits'
    return warning(id, title, message, "Name the address of the proxy, such as server: { trustedProxies: ['127.0.0.1'] }.")
  }
  return ok(
    id,
    title,
    server.trustedProxies.length === 0
      ? 'None is trusted; callers are known by their connection'
      : server.trustedProxies.join(', '),
  )
}
