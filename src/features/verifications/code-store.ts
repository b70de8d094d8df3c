/**
 * One-time codes: short enough to be typed, so that they can be guessed. Each has a limited number of attempts, and one name has one
 * code at a time: a new one replaces it. The feature that creates a code limits how often.
 */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { id, index, integer, nullable, secret, string, timestamp, unique } from '../../core/table.ts'
import { insertUnlessExists } from '../../core/write.ts'

/** `key` is a keyed hash of purpose and name, and `codeHash` one of purpose, name and code. `value`: as in `NewCode`. */
export const codeTables = {
  oneTimeCode: {
    id: id(),
    key: secret(unique(string({ length: 64 }))),
    codeHash: secret(string({ length: 64 })),
    value: nullable(string({ length: 36 })),
    attempts: integer(),
    expiresAt: timestamp(),
  },
}

export const codeIndexes = { oneTimeCode: [index('value'), index('expiresAt')] }

interface CodeName {
  /** What the code is for, such as `phone-number`. */
  readonly purpose: string
  /** Who gets it, such as a phone number. */
  readonly name: string
}

interface NewCode extends CodeName {
  readonly code: string
  /** The id of the user whom it concerns, for `deleteCodes`; returned with the right code. */
  readonly value?: string
  readonly expiresAt: Date
}

/** @param length digits */
export function randomCode({ random }: App, length: number): string {
  const number = BigInt(`0x${Buffer.from(random.bytes(16)).toString('hex')}`)
  return (number % 10n ** BigInt(length)).toString().padStart(length, '0')
}

const keysOf = (app: App, { purpose, name }: CodeName) => app.keyring.hashes('code name', `${purpose}:${name}`)
const codeHashes = (app: App, { purpose, name }: CodeName, code: string) =>
  app.keyring.hashes('code', `${purpose}:${name}:${code}`)

/** Creates a code, in place of the former one of the same purpose and name. */
export async function createCode(tx: App, given: NewCode): Promise<void> {
  const keys = keysOf(tx, given)
  const row = {
    key: keys[0] ?? '',
    codeHash: codeHashes(tx, given, given.code)[0] ?? '',
    value: given.value ?? null,
    attempts: 0,
    expiresAt: given.expiresAt,
  }
  for (;;) {
    const replaced = await tx.db.updateTable('oneTimeCode').set(row).where('key', 'in', keys).executeTakeFirst()
    if (replaced.numUpdatedRows > 0n) return
    const insert = tx.db.insertInto('oneTimeCode').values({ id: tx.random.id(), ...row })
    if (await insertUnlessExists(tx, insert)) return
  }
}

export interface FoundCode {
  readonly state: 'right'
  readonly id: string
  readonly codeHash: string
  readonly value: string | null
}
type Attempt = FoundCode | { readonly state: 'missing' | 'expired' | 'exhausted' | 'wrong' }

/**
 * Compares a code and counts an attempt if it is wrong. A right one is not used by this: `useCode` does that.
 * @returns `exhausted` and `expired` delete the code; the next attempt finds none
 */
export async function checkCode(app: App, name: CodeName, code: string, allowedAttempts: number): Promise<Attempt> {
  const row = await app.db.selectFrom('oneTimeCode').selectAll().where('key', 'in', keysOf(app, name)).executeTakeFirst()
  if (!row) return { state: 'missing' }
  const { id, codeHash, value } = row
  const now = app.now()
  if (row.expiresAt <= now) {
    await app.db.deleteFrom('oneTimeCode').where('id', '=', id).where('expiresAt', '<=', now).execute()
    return { state: 'expired' }
  }
  const thisCode = app.db.updateTable('oneTimeCode').where('id', '=', id).where('codeHash', '=', codeHash)
  if (row.attempts < allowedAttempts) {
    if (codeHashes(app, name, code).includes(codeHash)) return { state: 'right', id, codeHash, value }
    const counted = await thisCode
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where('attempts', '<', allowedAttempts)
      .executeTakeFirst()
    if (counted.numUpdatedRows > 0n) return { state: 'wrong' }
  }
  const deleted = await app.db.deleteFrom('oneTimeCode').where('id', '=', id).where('codeHash', '=', codeHash).executeTakeFirst()
  return { state: deleted.numDeletedRows > 0n ? 'exhausted' : 'missing' }
}

/**
 * Uses a right code, in the transaction that it permits if there is one. The conditional delete decides: of concurrent requests exactly
 * one uses it, and none when concurrent guesses have used up the attempts since it was compared.
 */
export async function useCode(app: App, { id, codeHash }: FoundCode, allowedAttempts: number): Promise<boolean> {
  const deleted = await app.db
    .deleteFrom('oneTimeCode')
    .where('id', '=', id)
    .where('codeHash', '=', codeHash)
    .where('attempts', '<', allowedAttempts)
    .where('expiresAt', '>', app.now())
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Deletes the codes that concern a user. */
export async function deleteCodes(app: App, { userId }: { readonly userId: string }): Promise<void> {
  await app.db.deleteFrom('oneTimeCode').where('value', '=', userId).execute()
}

export const codeJobs = {
  oneTimeCodes: { every: 300, run: (app, signal) => sweepEnded(app, signal, { table: 'oneTimeCode', column: 'expiresAt' }) },
} satisfies Record<string, Job>
