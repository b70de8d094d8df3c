/** The options of passkeys, and the origins and the RP ID that follow from them. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { type ConfigIssue, section } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import { settings } from '../../core/feature.ts'
import { apiURL } from '../../core/route.ts'
import { isPublicSuffix } from '../../lib/public-suffix.ts'
import { originProblem } from '../../lib/url.ts'
import type { Config } from '../index.ts'
import { mailSender, mailTemplates } from '../outbox/index.ts'
import { checkFunctions, functionOptions } from './function-options.ts'
import type { AddedNotice, ClonedNotice, PasskeyNotice } from './mails.ts'
import { attestationOption, checkAttestation } from './metadata.ts'

/** COSE algorithms: EdDSA, ES256, RS256, which every authenticator has one of. */
const usualAlgorithms = [-8, -7, -257]

export const config = {
  ...cookieOptions('better-auth-passkey', 'passkey_sign_up'),
  ...mailTemplates<{
    'passkey-added': AddedNotice
    'passkey-removed': PasskeyNotice
    'passkey-cloned': ClonedNotice
    'passkey-sign-up': { readonly code: string }
  }>({
    'passkey-added': 'that notifies of a new passkey',
    'passkey-removed': 'that notifies of a removed passkey',
    'passkey-cloned': 'that notifies of a passkey that was suspended',
    'passkey-sign-up': 'with the code of a sign-up with a passkey',
  }),
  passkey: section('Passkeys (WebAuthn): users sign in with their device or a security key', {
    rpID: z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'Expected a domain in lower case, such as example.com')
      .optional()
      .describe(
        'Domain that passkeys belong to: the host of baseURL, which is the default, or a parent domain of it. A passkey of another domain stops working, so it cannot be changed later',
      ),
    rpName: z.string().min(1).max(100).optional().describe('Name that the browser shows; default: appName'),
    origin: z
      .union([z.string(), z.array(z.string()).min(1)])
      .optional()
      .describe(
        'Origins whose pages may use passkeys, and `android:apk-key-hash:…` of Android apps; default: baseURL, and the trustedOrigins without wildcard on the domain of `rpID`',
      ),
    relatedOrigins: z
      .array(z.string().max(267))
      .default([])
      .describe('Origins on other domains whose pages may use the passkeys of `rpID` (Related Origin Requests)'),
    allowedTopOrigins: z
      .array(z.string())
      .default([])
      .describe('Origins of pages that may embed a page that uses passkeys; default: none may'),
    authenticatorSelection: z
      .strictObject({
        residentKey: z
          .enum(['discouraged', 'preferred', 'required'])
          .default('preferred')
          .describe('Whether the authenticator stores the passkey, so that it is found without an email address'),
        userVerification: z
          .enum(['discouraged', 'preferred', 'required'])
          .default('preferred')
          .describe('Whether the authenticator asks for a fingerprint, a face or a PIN'),
        authenticatorAttachment: z
          .enum(['platform', 'cross-platform'])
          .optional()
          .describe('Only the device itself, or only other devices and security keys; default: any'),
      })
      .default({ residentKey: 'preferred', userVerification: 'preferred' })
      .describe('What the browser asks of an authenticator'),
    algorithms: z
      .array(z.literal([-7, -8, -35, -36, -257, -258, -259, -48]))
      .min(1)
      .default(usualAlgorithms as [-8, -7, -257])
      .describe('Signature algorithms of new passkeys, as COSE numbers, preferred first'),
    attestation: attestationOption,
    ...functionOptions,
    requireUserVerification: z
      .boolean()
      .default(false)
      .describe('Reject passkeys whose authenticator did not verify its user; else they count as one factor'),
    signUp: z.boolean().default(false).describe('Let visitors sign up with an email address and a passkey, without a password'),
    autoRegister: z
      .boolean()
      .default(true)
      .describe('Accept a passkey that the browser creates without a dialog, within five minutes of a sign-in with a password'),
    byEmail: z
      .boolean()
      .default(false)
      .describe(
        'List the passkeys of an email address before sign-in, for security keys that store none; unknown email addresses get random ones, which stay the same',
      ),
    maximumPasskeys: z.int().min(1).max(100).default(20).describe('Passkeys that a user may have'),
    sendPasskeyAdded: mailSender<PasskeyNotice>('notice of a new passkey to a verified email address'),
    sendPasskeyRemoved: mailSender<PasskeyNotice>('notice of a removed passkey to a verified email address'),
    sendPasskeyCloned: mailSender<ClonedNotice>('notice of a suspended passkey to a verified email address'),
  }),
}

export const enabled = (config: Config): boolean => config.passkey.enabled

const ownURL = (config: Config): URL => new URL(apiURL(config))

/** The domain that passkeys belong to (WebAuthn Level 3 §4, RP ID). */
export const rpIDOf = (config: Config): string => config.passkey.rpID ?? ownURL(config).hostname

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** Browsers have passkeys on domains with https, and on localhost. */
const isSecure = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || isWithin(hostname, 'localhost')

/** Whether a browser can have passkeys on the pages of this daemon. */
export function isPossible(config: Config): boolean {
  const url = ownURL(config)
  return isSecure(url) && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0
}

/** The origins that a response of a browser may name, as browsers write them. */
export const expectedOrigins = memo(({ config }: Pick<App, 'config' | 'memo'>): readonly string[] => [
  ...new Set([...ownOrigins(config), ...config.passkey.relatedOrigins].map(asBrowsersWrite)),
])

/** A page on another domain, as browsers write it; null for one on the own domain. */
export const relatedOriginOf = ({ config }: Pick<App, 'config'>, origin: string): string | null =>
  config.passkey.relatedOrigins.map(asBrowsersWrite).includes(origin) ? origin : null

function ownOrigins(config: Config): readonly string[] {
  const { origin } = config.passkey
  if (origin !== undefined) return [origin].flat()
  const trusted = typeof config.trustedOrigins === 'function' ? [] : config.trustedOrigins
  const usable = trusted.filter((text) => {
    const url = /[*?]/.test(text) ? null : URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && isSecure(url) && isWithin(url.hostname, rpIDOf(config))
  })
  return [ownURL(config).origin, ...usable]
}

const asBrowsersWrite = (text: string): string => (/^https?:/i.test(text) ? (URL.parse(text)?.origin ?? text) : text)

/** The registrable part of a domain, such as `acme` of `login.acme.co.uk`: browsers accept five of them (Level 3 §5.11). */
function labelOf(origin: string): string {
  const labels = (URL.parse(origin)?.hostname ?? origin).split('.')
  const at = labels.findIndex((_, position) => isPublicSuffix(labels.slice(position + 1).join('.')))
  return labels[at] ?? origin
}

const mostLabels = 5

/** What is wrong with an option, where, and how to fix it. */
type Report = (id: string, path: string, message: string, hint: string) => void

function checkDomain(config: Config, report: Report): void {
  const { hostname } = ownURL(config)
  const domain = rpIDOf(config)
  const isOutside = config.baseURL !== undefined && !isWithin(hostname, domain)
  if (isOutside)
    report(
      'passkey-rp-id',
      'rpID',
      `The host of baseURL, ${hostname}, is not within "${domain}".`,
      'Set it to that host or to a parent domain.',
    )
  else if (config.passkey.rpID !== undefined && domain !== 'localhost' && isPublicSuffix(domain))
    report('passkey-rp-id', 'rpID', `Anyone can register a name below "${domain}".`, 'Set it to a domain of your own.')
}

function checkOrigins(config: Config, report: Report): void {
  const domain = rpIDOf(config)
  for (const origin of [config.passkey.origin ?? []].flat()) {
    if (/^(android|ios):/.test(origin)) continue
    const url = originProblem(origin) === null && !origin.includes('*') ? URL.parse(origin) : null
    if (!url || !isSecure(url) || !isWithin(url.hostname, domain))
      report(
        'passkey-origin',
        'origin',
        `No page on "${origin}" can use passkeys of "${domain}".`,
        `Write an https origin on ${domain}, such as https://${domain}.`,
      )
  }
}

function checkOtherOrigins({ passkey }: Config, report: Report): void {
  for (const option of ['relatedOrigins', 'allowedTopOrigins'] as const) {
    const wrong = passkey[option].find(
      (origin) => originProblem(origin) !== null || !/^https:\/\/[^*]+$|^http:\/\/localhost/.test(origin),
    )
    if (wrong === undefined) continue
    const message = `"${wrong}" is not the origin of a page with https.`
    report('passkey-related-origins', option, message, 'Write an origin such as https://acme.co.uk.')
  }
  if (new Set(passkey.relatedOrigins.map(labelOf)).size > mostLabels)
    report(
      'passkey-related-origins',
      'relatedOrigins',
      `Browsers accept ${mostLabels} different names before the public suffix.`,
      'Shorten the list, or send users to the hosted pages.',
    )
}

export function checkConfig(config: Config): ConfigIssue[] {
  const { passkey } = config
  const issues: ConfigIssue[] = []
  const report: Report = (id, path, message, hint) => issues.push({ id, path: `passkey.${path}`, message, hint })
  checkDomain(config, report)
  checkOrigins(config, report)
  checkOtherOrigins(config, report)
  if (passkey.enabled && passkey.signUp && !config.mail.enabled)
    report(
      'passkey-sign-up-without-mail',
      'signUp',
      'No email can be sent, so that no code reaches those who sign up.',
      'Set mail, or turn signUp off.',
    )
  return [...issues, ...checkFunctions(config), ...checkAttestation(config)]
}

export const publicSettings = settings(
  {
    passkey: z
      .object({
        rpId: z.string().meta({ examples: ['example.com'] }),
        signUp: z.boolean(),
        byEmail: z.boolean(),
        autoRegister: z.boolean(),
      })
      .nullable()
      .meta({ description: 'Null when passkeys are disabled, or impossible because the pages have neither https nor a domain' }),
  },
  (config) => {
    const { enabled, signUp, byEmail, attestation } = config.passkey
    // A browser that creates a passkey without a dialog does not ask for an attestation.
    const autoRegister = config.passkey.autoRegister && attestation.conveyance === 'none'
    return { passkey: enabled && isPossible(config) ? { rpId: rpIDOf(config), signUp, byEmail, autoRegister } : null }
  },
)
