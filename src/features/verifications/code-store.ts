/**
 * One-time codes: short enough to be typed, so that they can be guessed. Each has a limited number of attempts, and one name has one
 * code at a time in each browser: a new one replaces it. The feature that creates a code limits how often.
 */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { id, index, integer, nullable, secret, string, timestamp, unique } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { insertUnlessExists } from '../../core/write.ts'

/**
 * `key` is a keyed hash of purpose, name and the browser that the code belongs to, if any, and `codeHash` one of purpose, name and code.
 * `value`: as in `NewCode`.
 */
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

export interface CodeName {
  /** What the code is for, such as `phone-number`. */
  readonly purpose: string
  /** Who gets it, such as a phone number. */
  readonly name: string
  /** The secret of the browser that asked, see `browser-mark.ts`; absent or null: the code belongs to no browser. */
  readonly browser?: string | null
}

interface NewCode extends CodeName {
  /** Of the token in the same email; see `deleteCode`. Default: a new one, or the one of the row that is replaced. */
  readonly id?: string | undefined
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

const keysOf = (app: App, { purpose, name, browser }: CodeName) =>
  app.keyring.hashes('code name', browser ? JSON.stringify([purpose, name, browser]) : `${purpose}:${name}`)
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
    ...(given.id !== undefined && { id: given.id }),
  }
  for (;;) {
    const replaced = await tx.db.updateTable('oneTimeCode').set(row).where('key', 'in', keys).executeTakeFirst()
    if (replaced.numUpdatedRows > 0n) return
    const insert = tx.db.insertInto('oneTimeCode').values({ id: tx.random.id(), ...row })
    if (await insertUnlessExists(tx, insert)) return
  }
}

/** Ends a code, such as one in whose place another one was sent by another way. */
export async function endCode(tx: App, name: CodeName): Promise<void> {
  await tx.db.deleteFrom('oneTimeCode').where('key', 'in', keysOf(tx, name)).execute()
}

export interface FoundCode {
  readonly state: 'right'
  readonly id: string
  readonly codeHash: string
  readonly value: string | null
  readonly expiresAt: Date
}
type Attempt = FoundCode | { readonly state: 'missing' | 'expired' | 'exhausted' | 'wrong' }

/**
 * Compares a code and counts an attempt if it is wrong. A right one is not used by this: `useCode` does that. The row is locked while
 * it is compared, so that of concurrent guesses only as many are compared as are allowed.
 * @returns `exhausted` and `expired` delete the code; the next attempt finds none
 */
export const checkCode = (app: App, name: CodeName, code: string, allowedAttempts: number): Promise<Attempt> =>
  transaction(app, async (tx) => {
    const keys = keysOf(tx, name)
    const locked = tx.db.updateTable('oneTimeCode').set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    if ((await locked.where('key', 'in', keys).executeTakeFirst()).numUpdatedRows === 0n) return { state: 'missing' }
    const row = await tx.db.selectFrom('oneTimeCode').selectAll().where('key', 'in', keys).executeTakeFirstOrThrow()
    const { id, codeHash, value, expiresAt } = row
    const isExpired = expiresAt <= tx.now()
    if (isExpired || row.attempts > allowedAttempts) {
      await tx.db.deleteFrom('oneTimeCode').where('id', '=', id).execute()
      return { state: isExpired ? 'expired' : 'exhausted' }
    }
    if (!codeHashes(tx, name, code).includes(codeHash)) return { state: 'wrong' }
    const undone = tx.db.updateTable('oneTimeCode').set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    await undone.where('id', '=', id).execute()
    return { state: 'right', id, codeHash, value, expiresAt }
  })

/** What a code concerns, without comparing it; it may have expired. Null: there is none. */
export async function findCode(app: App, name: CodeName): Promise<{ readonly id: string; readonly value: string | null } | null> {
  const found = app.db.selectFrom('oneTimeCode').select(['id', 'value']).where('key', 'in', keysOf(app, name))
  return (await found.executeTakeFirst()) ?? null
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

/** Whether there is a code with the id of a token: it was neither used nor replaced, and has not expired. */
export async function hasCode(app: App, id: string): Promise<boolean> {
  const found = app.db.selectFrom('oneTimeCode').select('id').where('id', '=', id).where('expiresAt', '>', app.now())
  return (await found.executeTakeFirst()) !== undefined
}

/**
 * Deletes the code with the id of a token. A code and a token in one email have one id, and using one ends the other: first the code is
 * deleted and then the token, in one transaction, so that of concurrent uses exactly one deletes what it uses.
 */
export async function deleteCode(tx: App, id: string): Promise<void> {
  await tx.db.deleteFrom('oneTimeCode').where('id', '=', id).execute()
}

/** Deletes the token with the id of a used code; see `deleteCode`. */
export async function deleteToken(tx: App, id: string): Promise<void> {
  await tx.db.deleteFrom('verification').where('id', '=', id).execute()
}

/** Deletes the codes that concern a user. */
export async function deleteCodes(app: App, { userId }: { readonly userId: string }): Promise<void> {
  await app.db.deleteFrom('oneTimeCode').where('value', '=', userId).execute()
}

export const codeJobs = {
  oneTimeCodes: { every: 300, run: (app, signal) => sweepEnded(app, signal, { table: 'oneTimeCode', column: 'expiresAt' }) },
} satisfies Record<string, Job>
