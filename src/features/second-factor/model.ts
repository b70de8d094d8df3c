/** Tables, errors and views of second factors (contract 11 §4, §8). */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { defineErrors } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { isoDate } from '../../core/schemas.ts'
import { statement } from '../../core/statement.ts'
import {
  bigint,
  boolean,
  hidden,
  id,
  index,
  integer,
  internal,
  nullable,
  primary,
  references,
  secret,
  string,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from '../../core/table.ts'
import { insertUnlessExists } from '../../core/write.ts'
import type { Database } from '../index.ts'

export const errors = defineErrors({
  TOTP_ISNT_CONFIGURED: [400, "totp isn't configured"],
  OTP_ISNT_CONFIGURED: [400, "otp isn't configured"],
  TOTP_NOT_ENABLED: [400, 'TOTP not enabled'],
  OTP_NOT_ENABLED: [400, 'OTP not enabled'],
  OTP_HAS_EXPIRED: [400, 'OTP has expired'],
  INVALID_CODE: [401, 'Invalid code'],
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: [400, 'Too many attempts. Please request a new code.'],
  BACKUP_CODES_ARENT_ENABLED: [400, "Backup codes aren't enabled"],
  INVALID_BACKUP_CODE: [401, 'Invalid backup code'],
  TWO_FACTOR_ISNT_ENABLED: [400, "Two factor isn't enabled"],
  INVALID_TWO_FACTOR_COOKIE: [401, 'Invalid two factor cookie'],
  EMAIL_CODE_REQUIRED: [403, 'Email code required'],
  SECOND_FACTOR_SETUP_REQUIRED: [403, 'Second factor setup required'],
  SECOND_FACTOR_CANNOT_BE_DISABLED: [403, 'Second factor cannot be disabled'],
  YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS: [403, 'You are not allowed to reset second factors'],
  YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR: [400, 'You cannot reset your own second factor'],
  USER_HAS_NO_SECOND_FACTOR: [400, 'User has no second factor'],
  RESETTING_SECOND_FACTORS_IS_DISABLED: [403, 'Resetting second factors is disabled'],
  ACCOUNT_TEMPORARILY_LOCKED: [
    429,
    'Too many failed verification attempts. Your account is temporarily locked. Please try again later.',
  ],
})

/**
 * `user.mustSetUpFactor`: a move could not bring the second factor of the user; null since they have set up another one.
 * `twoFactor`: one row per user. Secrets are encrypted; `lastUsedStep` is the time step of the last code of the app, so that each works
 * once. `failures` are consecutive wrong codes, and `blockedUntil` (milliseconds since 1970) the end of their delay.
 * `clockDrift`: of how many consecutive codes the time step was an earlier one (a negative number) or a later one.
 * `addedWith` and `otpAddedWith`: on which device, in words, because audit events are deleted earlier.
 * `totpUsedAt`, `smsUsedAt` and `emailUsedAt`: when each method was last proven.
 * `signInChallenge.id` is a keyed hash of its cookie, and `proof` the first factor as JSON. `kind` is `verify`, or `setup` for a user who
 * must set up a second factor; `codeProvenAt` is when they have proven their mailbox, or need not.
 * `twoFactorDue`: when a user met a rule, and when it takes effect; `nextAt` is when a job has to do something, null: nothing.
 * `twoFactor.resetAt`: when the last factor was reset; null since the user has set up another one.
 * `factorReset`: at most one per user waits. `noticeAt` is when its second email is due, and null once that is written; `cancelKey` is a
 * keyed hash of the token in its emails.
 * `session.factorProvenAt`: when a second factor was last proven, and `factorTrustedAt`: when the probation of that factor ends.
 */
export const tables = {
  user: { twoFactorEnabled: nullable(boolean()), mustSetUpFactor: internal(nullable(boolean())) },
  session: { factorProvenAt: internal(nullable(bigint())), factorTrustedAt: internal(nullable(bigint())) },
  twoFactor: {
    id: id(),
    userId: unique(references('user')),
    secret: secret(nullable(text())),
    issuer: nullable(string({ length: 64 })),
    verified: boolean({ default: false }),
    algorithm: nullable(string({ length: 16 })),
    digits: nullable(integer()),
    period: nullable(integer()),
    addedAt: nullable(timestamp()),
    addedWith: nullable(string()),
    pendingSecret: secret(nullable(text())),
    pendingIssuer: nullable(string({ length: 64 })),
    pendingAt: nullable(timestamp()),
    lastUsedStep: bigint({ default: 0 }),
    clockDrift: integer({ default: 0 }),
    otpChannels: nullable(string({ length: 32 })),
    otpAddedAt: nullable(timestamp()),
    otpAddedWith: nullable(string()),
    passkeys: boolean({ default: false }),
    failures: integer({ default: 0 }),
    blockedUntil: bigint({ default: 0 }),
    suspendedAt: nullable(timestamp()),
    resetAt: nullable(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    totpUsedAt: nullable(timestamp()),
    smsUsedAt: nullable(timestamp()),
    emailUsedAt: nullable(timestamp()),
  },
  backupCode: {
    id: id(),
    userId: references('user'),
    start: hidden(string({ length: 2 })),
    hash: secret(string()),
    isPending: boolean(),
    createdAt: timestamp(),
    usedAt: nullable(timestamp()),
  },
  signInChallenge: {
    id: secret(primary(string({ length: 64 }))),
    userId: references('user'),
    kind: string({ length: 16 }),
    proof: hidden(text()),
    accessRevision: integer(),
    sessionId: nullable(string({ length: 36 })),
    failures: integer({ default: 0 }),
    codeProvenAt: nullable(timestamp()),
    device: nullable(text()),
    networkKey: hidden(string({ length: 64 })),
    ipAddress: hidden(nullable(string({ length: 64 }))),
    createdAt: timestamp(),
    expiresAt: timestamp(),
  },
  trustedDevice: {
    id: id(),
    userId: references('user'),
    key: secret(string({ length: 64 })),
    formerKey: secret(nullable(string({ length: 64 }))),
    browserKey: secret(nullable(string({ length: 64 }))),
    rotatedAt: nullable(timestamp()),
    name: nullable(string()),
    createdAt: timestamp(),
    lastUsedAt: timestamp(),
    expiresAt: timestamp(),
  },
  twoFactorDue: {
    id: id(),
    userId: references('user'),
    rule: string({ length: 200 }),
    startedAt: timestamp(),
    dueAt: timestamp(),
    nextAt: nullable(timestamp()),
  },
  factorReset: {
    id: id(),
    userId: unique(references('user')),
    requestedBy: string({ length: 16 }),
    administratorId: hidden(nullable(string({ length: 36 }))),
    reason: hidden(nullable(text())),
    factors: string({ length: 64 }),
    cancelKey: secret(unique(string({ length: 64 }))),
    noticeAt: nullable(timestamp()),
    effectiveAt: timestamp(),
    createdAt: timestamp(),
  },
}

export const indexes = {
  user: [index('twoFactorEnabled', 'id')],
  backupCode: [index('userId')],
  signInChallenge: [index('userId', 'createdAt'), index('expiresAt')],
  trustedDevice: [uniqueIndex('key', 'userId'), index('formerKey'), index('browserKey'), index('userId'), index('expiresAt')],
  twoFactorDue: [uniqueIndex('userId', 'rule'), index('nextAt')],
  factorReset: [index('noticeAt'), index('effectiveAt')],
}

export const secretUses = {
  totpSecrets: { table: 'twoFactor', column: 'secret', noun: 'authenticator secret' },
  pendingTOTPSecrets: { table: 'twoFactor', column: 'pendingSecret', noun: 'authenticator secret that is being set up' },
  challenges: { table: 'signInChallenge', column: 'id', noun: 'sign-in that waits for its second factor' },
  trustedBrowsers: { table: 'trustedDevice', column: 'key', noun: 'trusted browser' },
  cancellations: { table: 'factorReset', column: 'cancelKey', noun: 'link that cancels a reset of second factors' },
} as const

export type FactorRow = Selectable<Database['twoFactor']>

const findByUser = statement({ twoFactor: 'twoFactor' }, (db, { userId }: { userId: string }) =>
  db.selectFrom('twoFactor').where('twoFactor.userId', '=', userId),
)

/** The factors of a user; null when they have never set up one. */
export async function findFactors(app: App, userId: string): Promise<FactorRow | null> {
  const [found] = await findByUser(app, { userId })
  return found?.twoFactor ?? null
}

/** Writes the row of a user who has none yet, or these columns of the one that there is. */
export async function writeFactors(tx: App, userId: string, columns: Partial<Omit<FactorRow, 'id' | 'userId'>>): Promise<void> {
  const now = tx.now()
  const row = { id: tx.random.id(), userId, createdAt: now, updatedAt: now, ...columns }
  if (!(await findFactors(tx, userId)) && (await insertUnlessExists(tx, tx.db.insertInto('twoFactor').values(row)))) return
  await tx.db
    .updateTable('twoFactor')
    .set({ ...columns, updatedAt: now })
    .where('userId', '=', userId)
    .execute()
}

/** Consecutive codes after which the clock of an app is thought to be wrong. */
export const driftingCodes = 3

/** How the clock of an app seems to be wrong, by its last codes; null: not as far as they show. */
export const clockOf = ({ clockDrift }: Pick<FactorRow, 'clockDrift'>): 'slow' | 'fast' | null =>
  Math.abs(clockDrift) < driftingCodes ? null : clockDrift < 0 ? 'slow' : 'fast'

/** Whether sign-ins of this user demand a second factor. */
export const hasSecondFactor = ({ twoFactorEnabled }: Pick<UserRow, 'twoFactorEnabled'>): boolean => twoFactorEnabled === true

/** A way to answer a challenge. */
export const methodView = z.object({
  type: z
    .string()
    .meta({ description: '`totp`, `otp`, `backup-code`, or another second factor that is enabled', examples: ['totp'] }),
  channel: z.enum(['sms', 'email']).optional(),
  to: z
    .string()
    .optional()
    .meta({ description: 'Where a code is sent, shortened', examples: ['•••• ••67'] }),
  left: z.int().optional().meta({ description: 'Backup codes that are left' }),
})
export type Method = z.output<typeof methodView>

/** A second factor of a user, with what is known of its use. */
export const factorView = methodView.extend({
  createdAt: isoDate.nullable(),
  addedWith: z.string().nullable().describe('On which device it was added, if that is known'),
  lastUsedAt: isoDate.nullable(),
  clock: z.enum(['slow', 'fast']).optional().meta({
    description:
      'Of `totp`, when its last three codes came one time step late or early: how the clock of the app seems to be wrong',
  }),
})
