/** The second factors in a line of an import file: of other products, and rows of better-auth, which its secret has encrypted. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { parseBase32, type TOTPAlgorithm } from '../../lib/totp.ts'
import { openFormerText } from '../../lib/xchacha.ts'
import { canAnswer, type GivenFactors, isCodes, reachableChannels } from '../second-factor/index.ts'
import { lineObject, time, truth } from './line-values.ts'
import { hasUsablePasskey, readPasskeys } from './passkey-line.ts'

/** Keycloak writes `HmacSHA256`, others `SHA-256` or `sha256`. */
const algorithm = z
  .string()
  .transform((text) => text.toUpperCase().replace(/^HMAC/, '').replace('-', ''))
  .pipe(z.enum(['SHA1', 'SHA256', 'SHA512'] satisfies TOTPAlgorithm[]))

/** RFC 4226 wants 16 bytes at least; many products made 10. */
const leastSecret = 10
const mostSecret = 128

const secretBytes = z
  .string()
  .max(1000)
  .transform((text, check) => {
    const key = parseBase32(text)
    if (key && key.length >= leastSecret && key.length <= mostSecret) return key
    check.addIssue(`expected ${leastSecret} to ${mostSecret} bytes in Base32`)
    return z.NEVER
  })

const backupCodes = z
  .array(z.string().max(64))
  .max(20)
  .refine((codes) => codes.length === 0 || isCodes(codes), 'expected different codes of 8 to 64 characters')

const secondFactor = lineObject({
  totp: lineObject({
    secret: secretBytes,
    algorithm: algorithm.optional(),
    digits: z.union([z.literal(6), z.literal(8)]).optional(),
    period: z.int().min(10).max(300).optional(),
    issuer: z.string().min(1).max(64).optional(),
    createdAt: time.optional(),
    addedWith: z.string().max(100).optional(),
  }).optional(),
  otp: z.array(z.enum(['sms', 'email'])).optional(),
  passkey: truth.optional(),
  backupCodes: backupCodes.optional(),
})

const row = lineObject({
  secret: z.string().max(4000),
  backupCodes: z.string().max(16_000).nullish(),
  verified: truth.nullish(),
})

/** The members of a line about second factors; none while they are disabled. */
export const factorMembers = ({ config }: App) =>
  config.twoFactor.enabled ? { secondFactor: secondFactor.optional(), twoFactor: row.nullish() } : {}

interface GivenLine {
  readonly user: { readonly twoFactorEnabled?: boolean | null | undefined }
  readonly secondFactor?: z.output<typeof secondFactor> | undefined
  readonly twoFactor?: z.output<typeof row> | null | undefined
}

const advice = 'Pass the file with the secret of better-auth as --former-secret'

/**
 * What a line gives a user who is asked for a second factor. A user for whom there is none is not imported: they could not sign in, or
 * would sign in without it.
 * @param secrets of better-auth
 * @returns null when no second factor is asked for
 */
export function readFactors(app: App, given: object, secrets: readonly string[], check: z.RefinementCtx): GivenFactors | null {
  const { user, secondFactor, twoFactor } = given as GivenLine
  const hasFactor = secondFactor?.totp !== undefined || secondFactor?.passkey === true || (secondFactor?.otp ?? []).length > 0
  const enabled = user.twoFactorEnabled ?? hasFactor
  if (!app.config.twoFactor.enabled || !enabled) return null
  const former = twoFactor ? readRow(twoFactor, secrets, check) : null
  const { secret, ...settings } = secondFactor?.totp ?? {}
  const totp = secret ? { key: secret, ...settings } : former?.key ? { key: former.key } : null
  const reachable = reachableChannels(app, user as UserRow)
  const channels = secondFactor?.otp ?? (totp === null ? reachable : [])
  const hasPasskey = hasUsablePasskey(app, readPasskeys(given))
  const passkeys = hasPasskey && (secondFactor?.passkey ?? (totp === null && channels.length === 0))
  const factors = { totp, channels, passkeys, backupCodes: secondFactor?.backupCodes ?? former?.backupCodes ?? [] }
  if (former === undefined || canAnswer(app, user as UserRow, factors, passkeys)) return factors
  const message =
    'is true, but the line has no second factor that works here. Add one, or set it to false to import the user without a second factor'
  check.addIssue({ code: 'custom', path: ['user', 'twoFactorEnabled'], message })
  return null
}

/** @returns undefined when it cannot be read, which is an issue of the line */
function readRow(
  { secret, backupCodes: codes, verified }: z.output<typeof row>,
  secrets: readonly string[],
  check: z.RefinementCtx,
) {
  const open = (member: string, sealed: string): string | null => {
    for (const one of secrets) {
      const text = openFormerText(one, sealed)
      if (text !== null) return text
    }
    const message = secrets.length > 0 ? `was not encrypted with the secret of --former-secret` : `is encrypted. ${advice}`
    check.addIssue({ code: 'custom', path: ['twoFactor', member], message })
    return null
  }
  // Version 1.2 has no such column.
  const key = verified === false ? undefined : open('secret', secret)
  // `storeBackupCodes: 'plain'`
  const list = codes ? (codes.startsWith('[') ? codes : open('backupCodes', codes)) : '[]'
  if (key === null || list === null) return undefined
  const parsed = backupCodes.safeParse(parse(list))
  if (parsed.success) return { key: key === undefined ? null : new Uint8Array(Buffer.from(key)), backupCodes: parsed.data }
  check.addIssue({ code: 'custom', path: ['twoFactor', 'backupCodes'], message: 'has no codes of 8 to 64 characters' })
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
