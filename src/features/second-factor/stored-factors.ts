/** Second factors of many users, as an import writes them and an export reads them. */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { batchesOf } from '../../core/write.ts'
import type { TOTPAlgorithm } from '../../lib/totp.ts'
import { hashBackupCodes, type NewCodes } from './backup-codes.ts'
import type { Channel } from './config.ts'
import { channelsOf, reachableChannels } from './methods.ts'
import { describeSecret, type SecretDescription, sealKey } from './totp.ts'

/** The secret of an authenticator app of another product. */
interface GivenSecret {
  /** Bytes. */
  readonly key: Uint8Array
  readonly algorithm?: TOTPAlgorithm | undefined
  readonly digits?: number | undefined
  readonly period?: number | undefined
  readonly issuer?: string | undefined
  readonly createdAt?: Date | undefined
  readonly addedWith?: string | undefined
}

/** What a line of an import gives a user who is asked for a second factor. */
export interface GivenFactors {
  readonly totp: GivenSecret | null
  readonly channels: readonly Channel[]
  /** Whether a passkey is a factor also without the others. */
  readonly passkeys: boolean
  readonly backupCodes: readonly string[]
}

/**
 * Whether a user could sign in with these factors, so that no user is imported and locked out.
 * @param hasPasskey one that works under the configuration
 */
export const canAnswer = (app: App, user: UserRow, { totp, channels }: GivenFactors, hasPasskey: boolean): boolean =>
  hasPasskey ||
  (totp !== null && !app.config.twoFactor.totpOptions.disable) ||
  channels.some((channel) => reachableChannels(app, user).includes(channel))

/** The rows of one user; backup codes are hashed. */
export interface FactorDraft {
  readonly userId: string
  readonly factors: GivenFactors
  readonly codes: NewCodes['rows']
}

/** Hashes the backup codes, which takes long, so call it outside a transaction. */
export const draftFactors = async (app: App, userId: string, factors: GivenFactors): Promise<FactorDraft> => ({
  userId,
  factors,
  codes: await hashBackupCodes(app, factors.backupCodes),
})

const rowsPerStatement = 500

/** Writes the factors of users who have none yet. */
export async function insertFactors(tx: App, drafts: readonly FactorDraft[]): Promise<void> {
  const factors = drafts.map((draft) => rowOf(tx, draft))
  const now = tx.now()
  const codes = drafts.flatMap(({ userId, codes }) =>
    codes.map((code) => ({ id: tx.random.id(), userId, ...code, isPending: false, createdAt: now, usedAt: null })),
  )
  for (const batch of batchesOf(factors, rowsPerStatement)) await tx.db.insertInto('twoFactor').values(batch).execute()
  for (const batch of batchesOf(codes, rowsPerStatement)) await tx.db.insertInto('backupCode').values(batch).execute()
}

/** Settings of a secret are stored when they differ from the configured ones. */
function rowOf(tx: App, { userId, factors: { totp, channels, passkeys } }: FactorDraft) {
  const { digits, period } = tx.config.twoFactor.totpOptions
  const now = tx.now()
  const other = <T>(given: T | undefined, usual: T): T | null => (given === undefined || given === usual ? null : given)
  return {
    id: tx.random.id(),
    userId,
    secret: totp && sealKey(tx, totp.key),
    issuer: totp?.issuer ?? null,
    verified: totp !== null,
    algorithm: other(totp?.algorithm, 'SHA1'),
    digits: other(totp?.digits, digits),
    period: other(totp?.period, period),
    addedAt: totp && (totp.createdAt ?? now),
    addedWith: totp?.addedWith ?? null,
    otpChannels: channels.length > 0 ? channels.join(',') : null,
    otpAddedAt: channels.length > 0 ? now : null,
    passkeys,
    createdAt: totp?.createdAt ?? now,
    updatedAt: now,
  }
}

export interface ExportedFactors {
  readonly totp?: Omit<SecretDescription, 'issuer'> & {
    readonly issuer?: string
    readonly createdAt?: Date
    readonly addedWith?: string
  }
  readonly otp?: readonly Channel[]
  readonly passkey?: true
}

/**
 * The second factors of users, in the form of an import. Backup codes are not part of it: only hashes of them are stored.
 * @throws Error when a secret was encrypted with a key that is not configured any more
 */
export async function exportFactors(app: App, userIds: readonly string[]): Promise<Map<string, ExportedFactors>> {
  if (userIds.length === 0) return new Map()
  const rows = await app.db.selectFrom('twoFactor').selectAll().where('userId', 'in', userIds).execute()
  return new Map(
    rows.map((row) => {
      const { issuer, ...secret } = (row.verified && describeSecret(app, row)) || { issuer: null }
      const dated = { ...(row.addedAt && { createdAt: row.addedAt }), ...(row.addedWith && { addedWith: row.addedWith }) }
      const otp = channelsOf(row)
      const totp = 'secret' in secret && { totp: { ...secret, ...(issuer !== null && { issuer }), ...dated } }
      return [row.userId, { ...totp, ...(otp.length > 0 && { otp }), ...(row.passkeys && { passkey: true as const }) }]
    }),
  )
}
