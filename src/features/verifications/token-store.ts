/** Single-use tokens that expire. The feature that creates a token decides what it permits. */
import type { Insertable } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { group } from '../../core/config.ts'
import { defineErrors, type ErrorEntry } from '../../core/errors.ts'
import type { Job } from '../../core/feature.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { hidden, id, index, nullable, secret, string, text, timestamp, unique } from '../../core/table.ts'
import { deferAfterCommit, respondFirst, transaction } from '../../core/transaction.ts'
import { createId, hookable, type RowWrite, runBeforeHooks, write, written } from '../../core/write.ts'
import type { Database } from '../index.ts'
import type { TokenPurpose } from './token-purposes.ts'

export const config = {
  ...hookable('verification', 'verifications'),
  verification: group('Single-use tokens, such as those of password reset links', {
    disableCleanup: z.boolean().default(false).describe('Keep expired tokens in the table, which then grows without limit'),
  }),
}

export const errors = defineErrors({
  FAILED_TO_CREATE_VERIFICATION: [400, 'Failed to create verification'],
  INVALID_TOKEN: [400, 'invalid token'],
})

/** `identifier` is a keyed hash of purpose and token, so that a leaked table contains no usable token. */
export const tokenTables = {
  verification: {
    id: id(),
    identifier: secret(unique(string({ length: 64 }))),
    subject: hidden(nullable(string({ length: 128 }))),
    value: hidden(text()),
    expiresAt: timestamp(),
    createdAt: nullable(timestamp()),
    updatedAt: nullable(timestamp()),
  },
}

export const tokenIndexes = { verification: [index('subject'), index('expiresAt')] }

interface NewVerification {
  readonly purpose: TokenPurpose
  readonly token: string
  /** What `findVerification` returns, such as a user id; stored in plain text. */
  readonly value: string
  /** The user that the token concerns, for `hasVerification` and `deleteVerifications`. */
  readonly subject?: string
  /** In seconds. */
  readonly expiresIn: number
}

type VerificationDraft = Insertable<Database['verification']>

/** A token to create, for `write`; its draft goes to `insertVerification`. The row contains a keyed hash of purpose and token. */
export function verificationCreation(
  app: App,
  { purpose, token, value, subject, expiresIn }: NewVerification,
): RowWrite<VerificationDraft, ErrorEntry> {
  const now = app.now()
  const draft = {
    id: createId(app, 'verification'),
    identifier: app.keyring.hash(purpose, token),
    subject: subject === undefined ? null : `${purpose}:${subject}`,
    value,
    expiresAt: new Date(now.getTime() + expiresIn * 1000),
    createdAt: now,
    updatedAt: now,
  }
  return { table: 'verification', action: 'create', draft, rejection: errors.FAILED_TO_CREATE_VERIFICATION }
}

/** Inserts a token, within `write`. */
export async function insertVerification(tx: App, draft: VerificationDraft): Promise<void> {
  await tx.db.insertInto('verification').values(draft).execute()
  await written(tx, 'verification', 'create', draft)
}

/**
 * Creates a token.
 * @param inTransaction what belongs to it, in the same transaction
 * @throws ApiError FAILED_TO_CREATE_VERIFICATION when the hook rejects it
 */
export const createVerification = (
  app: App,
  given: NewVerification,
  inTransaction: (tx: App) => Promise<void> = async () => {},
): Promise<void> =>
  write(app, [verificationCreation(app, given)], async (tx, draft) => {
    await insertVerification(tx, draft)
    await inTransaction(tx)
  })

/** Whether there is a usable token for this subject. A token hashed with a retired secret is not usable. */
export async function hasVerification(app: App, purpose: string, subject: string): Promise<boolean> {
  const found = await app.db
    .selectFrom('verification')
    .select('identifier')
    .where('subject', '=', `${purpose}:${subject}`)
    .where('expiresAt', '>', app.now())
    .execute()
  return found.some(({ identifier }) => app.keyring.knows(identifier))
}

/** The value of a token, which stays usable; null when it is unknown or has expired. */
export async function findVerification(app: App, purpose: string, token: string): Promise<string | null> {
  const found = await app.db
    .selectFrom('verification')
    .select('value')
    .where('identifier', 'in', app.keyring.hashes(purpose, token))
    .where('expiresAt', '>', app.now())
    .executeTakeFirst()
  return found?.value ?? null
}

/** Consumes a token. Of concurrent requests exactly one gets the value: the delete decides, not the query. */
export async function consumeVerification(app: App, purpose: string, token: string): Promise<string | null> {
  const value = await findVerification(app, purpose, token)
  if (value === null) return null
  const deleted = await app.db
    .deleteFrom('verification')
    .where('identifier', 'in', app.keyring.hashes(purpose, token))
    .where('expiresAt', '>', app.now())
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n ? value : null
}

/** A token that was found, and not used. */
export interface FoundToken {
  /** Of its row. */
  readonly id: string
  readonly value: string
  readonly isExpired: boolean
}

/** Finds a token, also an expired one. @param by the token, or the id of its row */
export async function findToken(
  app: App,
  purpose: string,
  by: { readonly token: string } | { readonly id: string },
): Promise<FoundToken | null> {
  const rows = app.db.selectFrom('verification').select(['id', 'value', 'expiresAt'])
  const found = await ('token' in by
    ? rows.where('identifier', 'in', app.keyring.hashes(purpose, by.token))
    : rows.where('id', '=', by.id)
  ).executeTakeFirst()
  return found ? { id: found.id, value: found.value, isExpired: found.expiresAt <= app.now() } : null
}

/** Uses a token that was found, in the transaction of what it permits. @returns false when another request has used it */
export async function useToken(app: App, { id }: FoundToken): Promise<boolean> {
  const used = app.db.deleteFrom('verification').where('id', '=', id).where('expiresAt', '>', app.now())
  return (await used.executeTakeFirst()).numDeletedRows > 0n
}

/** Removes a token, also an expired one. Of concurrent requests exactly one gets it: the delete decides, not the query. */
export async function takeVerification(app: App, purpose: string, token: string): Promise<FoundToken | null> {
  const found = await findToken(app, purpose, { token })
  if (!found) return null
  const deleted = await app.db.deleteFrom('verification').where('id', '=', found.id).executeTakeFirst()
  return deleted.numDeletedRows > 0n ? found : null
}

/** Deletes the tokens of this subject that have one of these purposes. @param until those created later stay; absent: all end */
export async function deleteVerifications(
  app: App,
  given: readonly TokenPurpose[],
  subject: string,
  until?: Date,
): Promise<void> {
  const subjects = given.map((purpose) => `${purpose}:${subject}`)
  const all = app.db.deleteFrom('verification').where('subject', 'in', subjects)
  await (until ? all.where('createdAt', '<=', until) : all).execute()
}

interface QuietVerification extends NewVerification {
  /** There is nothing that the token could be for. Its row has expired already, and is deleted after the response. */
  readonly isDecoy: boolean
  /** What belongs to it, in the same transaction. @param isDecoy also true when the hook rejected the token */
  readonly inTransaction: (tx: App, isDecoy: boolean) => Promise<void>
}

/**
 * Creates a token, or does the same work without one, so that neither response nor response time reveals whether a user exists
 * (ASVS 6.3.8). The before-hook is called in both cases; when it rejects the token, the response is the same too.
 */
export async function createVerificationQuietly(app: App, given: QuietVerification): Promise<void> {
  const { draft: wanted, ...creation } = verificationCreation(app, given)
  const drafts = await runBeforeHooks(app, [{ ...creation, draft: wanted, rejection: null }])
  const isDecoy = given.isDecoy || drafts === null
  const [draft] = drafts ?? [wanted]
  await transaction(app, (tx) =>
    respondFirst(tx, async (inner) => {
      if (isDecoy) await insertDecoy(inner, draft)
      else await insertVerification(inner, draft)
      await given.inTransaction(inner, isDecoy)
    }),
  )
}

async function insertDecoy(tx: App, draft: VerificationDraft): Promise<void> {
  const row = { ...draft, expiresAt: tx.now() }
  await tx.db.insertInto('verification').values(row).execute()
  await deferAfterCommit(tx, async ({ db }) => {
    await db.deleteFrom('verification').where('id', '=', row.id).execute()
  })
}

/** Deletes tokens and marks a day after they expired, so that a late click gets the right error, unless the configuration keeps them. */
export async function sweepVerifications(app: App, signal: AbortSignal): Promise<void> {
  if (app.config.verification.disableCleanup) return
  const before = ({ now }: App) => new Date(now().getTime() - 86_400_000)
  await sweepEnded(app, signal, { table: 'verification', column: 'expiresAt', before })
}

export const tokenJobs = { verifications: { every: 300, run: sweepVerifications } } satisfies Record<string, Job>
