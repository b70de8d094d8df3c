/** Checks base URL, cookies, proxies, secret and environment of the configuration. */
import { cookieDefinition, usesSecureCookies } from '../../core/cookies.ts'
import { apiURL } from '../../core/route.ts'
import { type DaemonState, findPortMismatch } from '../../daemon/state.ts'
import { mails as verificationMails } from '../../features/email-verification/index.ts'
import { type Config, featureList } from '../../features/index.ts'
import { tokenLifetime } from '../../features/jwt/index.ts'
import { mails } from '../../features/organizations/index.ts'
import { isSent } from '../../features/outbox/index.ts'
import { isLimited } from '../../http/rate-limit.ts'
import { isLoopback } from '../../lib/ip.ts'
import { counted } from '../../lib/text.ts'
import { wildcardPath } from '../../lib/url.ts'
import { configShape } from '../../project/config/parse-config.ts'
import { findWeakSettings } from '../../project/protections/index.ts'
import { check, type Finding } from './finding.ts'

/** @param running the daemon of the project, which may have another port than the configuration */
export function checkBaseURL(config: Config, running: Pick<DaemonState, 'port'> | null): Finding {
  const { ok, warning } = check('base-url', 'Base URL')
  const { server } = config
  const url = new URL(apiURL(config))
  if (url.protocol === 'https:') return ok(url.href)
  const port = running?.port ?? server.port
  const mismatch = port === 0 ? null : findPortMismatch(url.href, port)
  if (mismatch !== null) return warning(mismatch, 'Set the same port in baseURL and server.port.')
  if (isLoopback(url.hostname)) return ok(`${url.href}, on this machine only`)
  return warning(`${url.href}: passwords are sent unencrypted`, 'Run it behind a TLS proxy, and use https: in baseURL.')
}

/** Recommends the prefix that no other host of the domain can set a cookie with (ASVS 3.3.3). Changing it signs everyone out. */
export function checkCookiePrefix(config: Config): Finding {
  const { ok, skipped } = check('cookie-prefix', 'Cookie prefix')
  if (!usesSecureCookies(config)) return skipped('Cookies are not secure: the base URL is http:')
  const { name } = cookieDefinition(config, 'session_token')
  if (name.startsWith('__Host-')) return ok(name)
  const { crossSubDomainCookies, defaultCookieAttributes } = config.advanced
  if (crossSubDomainCookies.enabled || defaultCookieAttributes.domain) return ok(`${name}, for all subdomains`)
  return ok(
    `${name}. Recommended: advanced.cookiePrefix: '__Host-latchkey', which no other subdomain can set; signs everyone out once`,
  )
}

/** Simulates how a browser treats the session cookie for each trusted origin. */
export function checkCookies(config: Config): Finding[] {
  const { trustedOrigins } = config
  const { ok, skipped, failed } = check('cookies', 'Cookies')
  if (typeof trustedOrigins === 'function') return [skipped('trustedOrigins is a function')]
  const own = new URL(apiURL(config))
  if (usesSecureCookies(config) && own.protocol === 'http:' && !isLoopback(own.hostname))
    return [failed(`Browsers reject secure cookies from ${own.origin}`, 'Use https: in baseURL.')]
  if (trustedOrigins.length === 0) return [ok(`Accepted for ${own.origin}, the only trusted origin`)]
  return trustedOrigins.map((origin) => checkOrigin(config, own, origin))
}

function checkOrigin(config: Config, own: URL, origin: string): Finding {
  const { ok, skipped, warning, failed } = check(`cookies:${origin}`, `Cookies from ${origin}`)
  const from = URL.parse((origin.includes('://') ? origin : `${own.protocol}//${origin}`).replaceAll('*', 'example'))
  if (!from || !/^https?:$/.test(from.protocol)) return skipped('Not the origin of a web page')
  const sameSite = sameSiteOf(config)
  if (from.protocol === own.protocol && siteOf(from.hostname) === siteOf(own.hostname)) return ok('Sent: both are the same site')
  if (sameSite === 'none')
    return warning(
      'Some browsers do not send them: they are third-party cookies there',
      `Serve both under one domain, such as ${siteOf(from.hostname)}.`,
    )
  const fix = `Serve both under one domain and protocol; otherwise set advanced.defaultCookieAttributes to { sameSite: 'none', secure: true }.`
  return failed(`Not sent: ${from.host} and ${own.host} are different sites, and SameSite is ${sameSite}`, fix)
}

const sameSiteOf = ({ advanced }: Config): string =>
  (advanced.cookies.session_token?.attributes?.sameSite ?? advanced.defaultCookieAttributes.sameSite ?? 'lax').toLowerCase()

/**
 * The registrable domain, by which browsers compare sites. They use a long list of public suffixes; here two short last labels,
 * as in `co.uk`, count as one suffix.
 */
export function siteOf(host: string): string {
  if (isLoopback(host) || /^[\d.]+$|:/.test(host)) return host
  const labels = host.split('.')
  const [last = '', second = ''] = labels.toReversed()
  return labels.slice(last.length === 2 && second.length <= 3 ? -3 : -2).join('.')
}

/** Recommends a recent sign-in for more calls (ASVS 7.5.1): the default follows better-auth. */
export function checkRecentSignIn({ session }: Config): Finding {
  const { ok, skipped } = check('recent-sign-in', 'Recent sign-in')
  if (session.freshAge === 0) return skipped('session.freshAge is 0: no call requires one')
  if (session.freshFor === 'sensitive') return ok('Required for all dangerous calls')
  return ok(
    "As in better-auth. Recommended: session.freshFor: 'sensitive', so that a stolen session cannot create an API key or link an account",
  )
}

export function checkProxies({ server, baseURL }: Config): Finding {
  const { ok, warning } = check('proxy-trust', 'Proxies')
  if (server.trustedProxies.length > 0) return ok(server.trustedProxies.join(', '))
  if (!baseURL?.startsWith('https:'))
    return ok('No proxy is trusted: the IP address of a client is the address of its connection')
  const message = 'baseURL is https:, so there is a proxy, but no proxy is trusted: all clients share one rate limit'
  return warning(message, "Set the address of the proxy, such as server: { trustedProxies: ['127.0.0.1'] }.")
}

/** Every protection that is off or weaker than its default; limits are off in development. */
export function checkProtections(config: Config): Finding[] {
  const { ok, skipped } = check('protections', 'Protections')
  if (config.environment === 'development') return [skipped('Not compared with their defaults in development')]
  const weak = findWeakSettings(configShape(featureList), config)
  if (weak.length === 0) return [ok('None is off or weaker than its default')]
  return weak.map(({ id, path, message, fix }) =>
    check(`protection:${id}:${path}`, 'Protection').warning(`${path}: ${message}`, fix),
  )
}

/** What the stricter of two ways costs honest users, whom it cannot distinguish from an attacker. */
const strictVerification =
  'emailVerification.revokeEarlierAccess: users whose email address is verified by a call alone, in another browser than they signed up in, are signed out and lose their password'

export function checkVerification(config: Config): Finding {
  const { emailVerification, emailAndPassword } = config
  const { ok, warning } = check('email-verification', 'Email verification')
  if (emailAndPassword.enabled && emailAndPassword.requireEmailVerification && !isSent(config, verificationMails.verification))
    return warning(
      'Users can only sign in with a verified email address, and no verification email is sent: no new user can sign in',
      'Configure mail, or emailVerification.sendVerificationEmail; or set emailAndPassword.requireEmailVerification: false.',
    )
  if (!emailVerification.revokeEarlierAccess) return ok('The hosted page asks before an address is verified in another browser')
  return warning(strictVerification, 'Remove it, unless a mail with a link must never keep the access of the user who signed up.')
}

/** Loading rejects weak secrets in production; in development only short ones. */
export function checkSecret({ secret, environment }: Config): Finding {
  const { ok, warning } = check('secret', 'Secret')
  const secrets = [secret ?? []].flat()
  if (secrets.some((text) => new Set(text).size < 12))
    return warning(`Weak, accepted only because the environment is ${environment}`, 'Generate one with `latchkey secret`.')
  const [newest = ''] = secrets
  const older = secrets.length === 1 ? '' : `, and ${secrets.length - 1} older to remove after the rotation`
  return ok(`${newest.length} characters${older}`)
}

export function checkEnvironment({ environment }: Config): Finding {
  const { ok, warning } = check('environment', 'Environment')
  if (environment === 'production') return ok(environment)
  const message = 'development: limits are off by default, and start-up checks are relaxed'
  return warning(message, 'Unset NODE_ENV, or set it to production, if others can reach the daemon.')
}

/** An app's server reads the sessions of all its visitors from one IP address. */
export function checkOwnServers(config: Config): Finding {
  const { ok, skipped, warning } = check('own-servers', 'Own servers')
  if (!isLimited(config)) return skipped('Rate limits are off')
  const [path] = Object.entries(config.rateLimit.customRules).find(([rule]) => wildcardPath(rule)('/get-session')) ?? []
  if (path === undefined || config.rateLimit.customRules[path] === false)
    return ok('An app may read the sessions of its visitors from one IP address: each session counts by itself')
  return warning(
    `rateLimit.customRules['${path}'] counts by IP address: visitors of an app that reads their sessions on a server share one limit`,
    'Remove the rule for /get-session: each session then counts by itself. See "Rate limits of your own servers" in docs/operations.md.',
  )
}

const day = 86_400
/** PCI DSS 10.5.1 requires three months that are available immediately. */
const leastRetentionDays = 90

/** An attack is often found months later. */
export function checkAuditRetention({ audit }: Config): Finding {
  const { ok, warning } = check('audit-retention', 'Audit log')
  const days = Math.floor(audit.retention / day)
  if (days >= leastRetentionDays) return ok(`Events are kept for ${days} days`)
  return warning(
    `Events are kept for only ${counted(days, 'day')}`,
    `Set audit.retention to ${leastRetentionDays * day} (${leastRetentionDays} days) or more, or ship the log: docs/audit-log.md.`,
  )
}

/** A token cannot be revoked, so that its lifetime is the time for which a banned user keeps access. */
const longestTokenHours = 24

/** Nothing while there are no tokens. */
export function checkSigningKeys(config: Config, now: Date): Finding[] {
  const { enabled, jwks } = config.jwt
  if (!enabled) return []
  const { ok, warning } = check('signing-keys', 'Signing keys')
  if (jwks.disablePrivateKeyEncryption)
    return [warning('New private keys are stored in plain text', 'Remove jwt.jwks.disablePrivateKeyEncryption.')]
  const hours = Math.ceil(tokenLifetime(config, now) / 3600)
  if (hours > longestTokenHours) {
    const fix = 'Lower jwt.jwt.expirationTime: a token cannot be revoked.'
    return [warning(`Tokens stay valid for up to ${counted(hours, 'hour')} after a user is banned`, fix)]
  }
  const days = Math.floor(jwks.rotationInterval / day)
  const rotation = days > 0 ? `rotated every ${counted(days, 'day')}` : 'rotated by `latchkey keys rotate`'
  return [ok(`${jwks.keyPairConfig.alg}, ${rotation}`)]
}

/** Nothing while organizations are disabled. */
export function checkOrganizations(config: Config): Finding[] {
  const { organization } = config
  const { enabled, roles, sendInvitationEmail } = organization
  if (!enabled) return []
  const { ok, warning } = check('organizations', 'Organizations')
  if (roles !== undefined && !Object.hasOwn(roles, 'member')) {
    const fix = 'Declare it in organization.roles, such as member: {}.'
    return [warning('There is no role "member", which is the default in seed.organizations and `latchkey orgs`', fix)]
  }
  if (organization.requireEmailVerificationOnInvitation && !isSent(config, verificationMails.verification))
    return [
      warning(
        'Invitations can only be accepted with a verified email address, and no verification email is sent: no user can accept one',
        'Configure mail, or emailVerification.sendVerificationEmail; or set organization.requireEmailVerificationOnInvitation: false.',
      ),
    ]
  if (isSent(config, mails['organization-invitation'])) return [ok('Invitations are sent by email')]
  if (sendInvitationEmail === false) return [ok('Invitations are not sent by email, because sendInvitationEmail is false')]
  const fix = 'Configure mail, or set organization.sendInvitationEmail: to a function, or to false if links are passed on.'
  return [warning('Invitations cannot be sent by email: mail is disabled', fix)]
}
