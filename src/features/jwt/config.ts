/** Options of JSON Web Tokens, and the lifetimes that follow from them. */
import { z } from 'zod'
import { type ConfigIssue, callback, group, section } from '../../core/config.ts'
import { apiURL } from '../../core/route.ts'
import type { Config } from '../index.ts'
import type { DescribedUser } from '../users/index.ts'

/** User and session as JSON, without the session token: a payload must not contain a credential. */
export interface TokenSession {
  readonly user: DescribedUser
  readonly session: Readonly<Record<string, unknown>>
}

const unitSeconds = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800, year: 31_557_600 } as const
const timeSpan =
  /^(\d{1,10}) ?(?:(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hrs?|hours?)|(d|days?)|(w|weeks?)|(y|yrs?|years?))(?: from now)?$/i

/** Seconds of a text such as `15m` or `2 hours`; NaN for any other text. */
function secondsOf(text: string): number {
  const [, count, ...matches] = timeSpan.exec(text) ?? []
  const unit = Object.values(unitSeconds)[matches.findIndex((match) => match !== undefined)]
  return Number(count) * (unit ?? Number.NaN)
}

const longestLifetime = unitSeconds.year
const isLifetime = (text: string): boolean => {
  const seconds = secondsOf(text)
  return seconds > 0 && seconds <= longestLifetime
}

/** Seconds for which verifiers and proxies may use a response of /jwks. */
export const keySetMaxAge = 300

const algorithms = ['EdDSA', 'ES256', 'ES512', 'RS256', 'PS256', 'ECDH-ES'] as const
export type SigningAlgorithm = Exclude<(typeof algorithms)[number], 'ECDH-ES'>

const issuerOrAudience = z.string().min(1).max(255)

export const config = {
  jwt: section('JSON Web Tokens of users, signed by keys that other services fetch', {
    jwks: group('Signing keys', {
      keyPairConfig: group('Algorithm of new keys', {
        alg: z.enum(algorithms).default('EdDSA').describe('Signature algorithm; `ECDH-ES` is none, and is rejected'),
        crv: z.string().optional().describe('Curve of `EdDSA`: `Ed25519`'),
        modulusLength: z.int().min(2048).max(4096).optional().describe('Bits of an RSA key; default: 2048'),
      }),
      disablePrivateKeyEncryption: z
        .boolean()
        .default(false)
        .describe('Store the private keys of new signing keys in plain text: who reads the database can then sign tokens'),
      rotationInterval: z
        .int()
        .nonnegative()
        .default(7_776_000)
        .describe(
          'Seconds after which a new key replaces the current one; 0: only `latchkey keys rotate` does. Default: 90 days',
        ),
      activationDelay: z
        .int()
        .min(2 * keySetMaxAge)
        .max(2_592_000)
        .default(3600)
        .describe('Seconds that a new key is published before it signs, so that verifiers know it by then'),
      gracePeriod: z
        .int()
        .min(keySetMaxAge)
        .max(31_536_000)
        .default(3600)
        .describe('Seconds that a key stays published after the last token that it signed has expired'),
    }),
    jwt: group('Tokens', {
      issuer: issuerOrAudience.optional().describe('Claim `iss`; default: the origin of `baseURL`'),
      audience: z
        .union([issuerOrAudience, z.array(issuerOrAudience).min(1).max(20)])
        .optional()
        .describe('Claim `aud`; default: the origin of `baseURL`'),
      expirationTime: z
        .union([
          z.int().positive().max(longestLifetime),
          z.string().refine(isLifetime, 'Expected a lifetime of at most a year, such as "15m" or "2 hours"'),
          z.date(),
        ])
        .default('15m')
        .describe('Lifetime of tokens: seconds, a text such as `15m` or `2 hours`, or the date at which all tokens expire'),
      definePayload: callback<(session: TokenSession) => object | Promise<object>>()
        .optional()
        .describe('Returns the claims in place of the fields of the user; `iat`, `iss`, `aud`, `exp` and `sub` are added'),
      getSubject: callback<(session: TokenSession) => string | Promise<string>>()
        .optional()
        .describe('Returns the claim `sub`; default: the ID of the user'),
    }),
  }),
}

export const enabled = (config: Config) => config.jwt.enabled

export function checkConfig({ jwt }: Config): ConfigIssue[] {
  const { alg, crv, modulusLength } = jwt.jwks.keyPairConfig
  const at = 'jwt.jwks.keyPairConfig'
  const issues: ConfigIssue[] = []
  if (alg === 'ECDH-ES') {
    const message = 'ECDH-ES encrypts and cannot sign tokens.'
    issues.push({ id: 'jwt-algorithm', path: `${at}.alg`, message, hint: 'Remove it: the default is EdDSA.' })
  }
  if (crv !== undefined && (alg !== 'EdDSA' || crv !== 'Ed25519')) {
    const message = alg === 'EdDSA' ? `The curve ${crv} is not supported.` : `${alg} has no choice of curves.`
    issues.push({ id: 'jwt-curve', path: `${at}.crv`, message, hint: 'Remove it: the curve of EdDSA is Ed25519.' })
  }
  if (modulusLength !== undefined && alg !== 'RS256' && alg !== 'PS256') {
    const message = `${alg} has no modulus length.`
    issues.push({ id: 'jwt-modulus-length', path: `${at}.modulusLength`, message, hint: 'Only RS256 and PS256 have one.' })
  }
  return issues
}

/** The algorithm of new keys, as `checkConfig` admits it. */
export const algorithmOf = ({ jwt }: Config): SigningAlgorithm => {
  const { alg } = jwt.jwks.keyPairConfig
  return alg === 'ECDH-ES' ? 'EdDSA' : alg
}

export const modulusLengthOf = ({ jwt }: Config): number => jwt.jwks.keyPairConfig.modulusLength ?? 2048

/** When a token that is issued now expires. @returns milliseconds since 1970 */
export function expiryOf({ jwt }: Config, issuedAt: Date): number {
  const { expirationTime } = jwt.jwt
  if (expirationTime instanceof Date) return expirationTime.getTime()
  return issuedAt.getTime() + (typeof expirationTime === 'number' ? expirationTime : secondsOf(expirationTime)) * 1000
}

/** Seconds for which a token that is issued from now on is valid, at most. */
export const tokenLifetime = (config: Config, now: Date): number =>
  Math.min(2_147_483_647, Math.max(0, Math.ceil((expiryOf(config, now) - now.getTime()) / 1000)))

/** `iss` and `aud` of each token. */
export function partiesOf(config: Config) {
  const { origin } = new URL(apiURL(config))
  const { issuer = origin, audience = origin } = config.jwt.jwt
  return { issuer, audience }
}
