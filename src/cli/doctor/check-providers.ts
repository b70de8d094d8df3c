/** Checks social sign-in: redirect URIs, discovery documents, client secrets that expire, and the rules for linking. */
import { decodeJwt } from 'jose'
import { mails as verificationMails } from '../../features/email-verification/index.ts'
import type { Config } from '../../features/index.ts'
import { isSent } from '../../features/outbox/index.ts'
import {
  type ConfiguredProvider,
  configuredProviders,
  fetchDiscovery,
  redirectURI,
  registrationURL,
  ruleForUnverified,
} from '../../features/social-sign-in/index.ts'
import { isLoopback } from '../../lib/ip.ts'
import { errorReason } from '../../lib/redact.ts'
import { counted } from '../../lib/text.ts'
import { check, type Finding } from './finding.ts'

interface Outside {
  readonly fetch: typeof fetch
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Fetches all discovery documents in parallel. */
export async function checkProviders(config: Config, { fetch, now }: Outside): Promise<Finding[]> {
  const configured = configuredProviders(config)
  if (configured.length === 0) return [check('providers', 'Social sign-in').skipped('No provider is configured')]
  const found = configured.map(async (provider) => [
    checkRedirectURI(config, provider),
    ...(await checkEndpoints(provider, fetch)),
    ...checkClientSecret(provider, now()),
    ...checkEmails(provider),
  ])
  return [...(await Promise.all(found)).flat(), checkTrust(config, configured), checkUnverifiedUsers(config)]
}

function checkRedirectURI(config: Config, provider: ConfiguredProvider): Finding {
  const { declaration } = provider
  const { ok, warning, failed } = check(`provider:${provider.id}`, declaration.name)
  const uri = redirectURI(config, provider)
  const page = registrationURL(provider)
  const where = page ? ` at ${page}` : ''
  const message = `Register exactly this redirect URI${where}: ${uri}`
  if (uri.startsWith('https:')) return ok(message)
  if (declaration.requiresHTTPS)
    return failed(
      `${declaration.name} does not accept a redirect URI with http:, not even for localhost: ${uri}`,
      'Run Latchkey behind TLS, and use https: in baseURL. For development, use a tunnel with a public https: address.',
    )
  if (isLoopback(new URL(uri).hostname)) return ok(message)
  return warning(
    `${message}. Most providers accept http: for localhost only`,
    'Run Latchkey behind TLS, and use https: in baseURL.',
  )
}

type Announced = { readonly [name in keyof Awaited<ReturnType<typeof fetchDiscovery>>]?: unknown }

async function checkEndpoints({ id, declaration, generic }: ConfiguredProvider, fetch: Outside['fetch']): Promise<Finding[]> {
  if (!generic) return []
  const { failed, ok } = check(`provider-endpoints:${id}`, declaration.name)
  const announced = generic.discoveryUrl === undefined ? {} : await readDiscovery(generic, fetch)
  if ('status' in announced) return [announced]
  const missing = missingEndpoints(generic, announced)
  if (missing.length === 0)
    return generic.discoveryUrl === undefined ? [] : [ok(`Announces its endpoints, as ${announced.issuer}`)]
  const fix = `Set discoveryUrl, or ${missing.map(([option]) => option).join(' and ')}, in genericOAuth.config.`
  return [failed(`No ${missing.map(([, title]) => title).join(' and no ')} is known: sign-in fails`, fix)]
}

type Generic = NonNullable<ConfiguredProvider['generic']>

function missingEndpoints(generic: Generic, announced: Announced): (readonly [option: string, title: string])[] {
  const { authorizationUrl, tokenUrl, userInfoUrl, getUserInfo, jwksUri } = generic
  const identifies = userInfoUrl ?? announced.userInfoEndpoint ?? getUserInfo ?? jwksUri ?? announced.jwksUri
  return [
    ...(authorizationUrl || announced.authorizationEndpoint ? [] : [['authorizationUrl', 'authorization endpoint'] as const]),
    ...(tokenUrl || announced.tokenEndpoint ? [] : [['tokenUrl', 'token endpoint'] as const]),
    ...(identifies ? [] : [['userInfoUrl', 'user info endpoint'] as const]),
  ]
}

/** A provider that cannot be reached from here is a warning: this machine may be offline, or not the one of the daemon. */
async function readDiscovery(generic: Generic, fetch: Outside['fetch']): Promise<Announced | Finding> {
  const { warning, failed } = check(`provider-endpoints:${generic.providerId}`, generic.name ?? generic.providerId)
  const { discoveryUrl = '' } = generic
  let status: number | null = null
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    status = response.status
    return response
  }
  try {
    return await fetchDiscovery({ fetch: watched }, generic)
  } catch (error) {
    const fix = `Open ${discoveryUrl} in a browser, and compare \`issuer\` there with discoveryUrl.`
    if (status === null)
      return warning(`Cannot fetch ${discoveryUrl}: ${causeOf(error)}`, 'Check the URL, and that the daemon may connect to it.')
    if (status !== 200) return failed(`${discoveryUrl} responds with status ${status}`, 'Check discoveryUrl.')
    if (error instanceof SyntaxError) return failed(`${discoveryUrl} is not JSON`, 'Check discoveryUrl.')
    return failed(`${discoveryUrl}: ${errorReason(error)}`, fix)
  }
}

/** `fetch` has only "fetch failed" in the error itself. */
const causeOf = (error: unknown): string => errorReason(error instanceof Error && error.cause ? error.cause : error)

const dayMs = 86_400_000

/** Apple's client secret is a JWT that is valid for half a year at most. */
function checkClientSecret({ id, declaration, options }: ConfiguredProvider, now: number): Finding[] {
  const expiry = expiryOf(options.clientSecret ?? '')
  if (expiry === null) return []
  const { ok, warning, failed } = check(`provider-secret:${id}`, declaration.name)
  const days = Math.floor((expiry - now) / dayMs)
  const date = new Date(expiry).toISOString().slice(0, 10)
  const fix = `Generate a new client secret at ${declaration.registrationURL ?? declaration.name}, and set clientSecret.`
  if (expiry <= now) return [failed(`The client secret expired on ${date}: sign-in fails`, fix)]
  if (days < 30) return [warning(`The client secret expires in ${counted(days, 'day')}, on ${date}`, fix)]
  return [ok(`The client secret is valid until ${date}`)]
}

/** @returns milliseconds since 1970; null for a secret that is not a JWT, or one without an expiry that a date can have */
function expiryOf(secret: string): number | null {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(secret)) return null
  try {
    const { exp } = decodeJwt(secret)
    return exp === undefined || exp > 8_640_000_000_000 ? null : exp * 1000
  } catch {
    return null
  }
}

function checkEmails({ id, declaration, options }: ConfiguredProvider): Finding[] {
  const { name, emails } = declaration
  if (emails !== 'none' || options.mapProfileToUser || options.getUserInfo) return []
  const { warning } = check(`provider-emails:${id}`, name)
  const message = `${name} sends no email addresses: its users get placeholders, to which no emails are sent`
  return [warning(message, `Ask users for an email address, or return one from socialProviders.${id}.mapProfileToUser.`)]
}

function checkTrust({ account }: Config, configured: readonly ConfiguredProvider[]): Finding {
  const { ok, warning } = check('linking-trusted-providers', 'Trusted providers')
  const { trustedProviders, enabled } = account.accountLinking
  if (!enabled) return ok('Linking is disabled')
  if (trustedProviders.length === 0) return ok('None: accounts are linked only with a verified email address')
  const unknown = trustedProviders.filter((id) => !configured.some((provider) => provider.id === id))
  if (unknown.length > 0)
    return warning(`Not configured: ${unknown.join(', ')}`, 'Correct account.accountLinking.trustedProviders.')
  const risky = configured.filter(({ id, declaration }) => trustedProviders.includes(id) && declaration.emails !== 'verified')
  if (risky.length === 0) return ok(trustedProviders.join(', '))
  return warning(
    `${risky.map(({ id }) => id).join(', ')}: an account there gets access to the user with the same email address, even if it is not verified`,
    'Remove from account.accountLinking.trustedProviders each provider that does not verify all email addresses of its users.',
  )
}

/** An attacker may have signed up with the email address of another user before that user signs in with a provider. */
function checkUnverifiedUsers(config: Config): Finding {
  const { ok, warning } = check('linking-unverified-users', 'Unverified users')
  const { unverifiedUsers: configured, enabled } = config.account.accountLinking
  const unverifiedUsers = ruleForUnverified(config, isSent(config, verificationMails.verification))
  const strict = "account.accountLinking.unverifiedUsers: 'reject'"
  if (!enabled) return ok('Linking is disabled')
  if (unverifiedUsers === 'reject') return ok('Accounts are linked only if both sides have verified the email address')
  if (unverifiedUsers === 'revoke')
    return ok(`Their earlier access is revoked when an account is linked. Recommended: ${strict}, which does not link`)
  const effect = 'An attacker who signed up with the email address of another user keeps access when that user links'
  if (configured === undefined)
    return warning(
      `${effect}: no verification emails are sent, so no user is verified, and the rule is \`keep\``,
      `Configure mail, so that email addresses are verified; or set ${strict}.`,
    )
  return warning(effect, `Set ${strict}, or remove the option.`)
}
