/** Backup codes: made together, shown once, each used once. */
import type { App } from '../../core/app.ts'
import { countRows } from '../../core/statement.ts'

/** Hyphens and blanks are for readers; case counts. */
const normalized = (code: string): string => code.replaceAll(/[\s-]/g, '')

/** A dump without the secret does not even allow guessing, and with it each guess costs a password hash (ASVS 6.5.2). */
const peppered = (app: App, code: string): string[] => app.keyring.hashes('backup code', normalized(code))

/** @throws Error when the function of the configuration returns anything but codes */
function makeCodes(app: App): string[] {
  const { amount, length, customBackupCodesGenerate } = app.config.twoFactor.backupCodeOptions
  const made: unknown = customBackupCodesGenerate?.()
  if (made === undefined) {
    return Array.from({ length: amount }, () => {
      const code = app.random.token(length)
      return `${code.slice(0, 5)}-${code.slice(5)}`
    })
  }
  if (!isCodes(made)) throw new Error('customBackupCodesGenerate must return up to 20 different codes of 8 to 64 characters')
  return made
}

/** Whether these are codes that users could have been given. */
export function isCodes(made: unknown): made is string[] {
  if (!Array.isArray(made) || made.length === 0 || made.length > 20 || new Set(made).size < made.length) return false
  return made.every((code) => typeof code === 'string' && normalized(code).length >= 8 && code.length <= 64)
}

/** Codes as they are shown, and their rows. */
export interface NewCodes {
  readonly codes: readonly string[]
  readonly rows: readonly { readonly start: string; readonly hash: string }[]
}

/** Makes codes; hashing them takes long, so call it outside a transaction. */
export async function makeBackupCodes(app: App): Promise<NewCodes> {
  const codes = makeCodes(app)
  return { codes, rows: await hashBackupCodes(app, codes) }
}

/** @param codes at most 20, because they are hashed concurrently */
export const hashBackupCodes = (app: App, codes: readonly string[]): Promise<NewCodes['rows']> =>
  Promise.all(
    codes.map(async (code) => ({
      start: normalized(code).slice(0, 2),
      hash: await app.hasher.hash(peppered(app, code)[0] ?? ''),
    })),
  )

/** Writes codes in place of others of the same state. @param isPending until the factor with which they were made is verified */
export async function insertBackupCodes(tx: App, userId: string, { rows }: NewCodes, isPending: boolean): Promise<void> {
  await tx.db.deleteFrom('backupCode').where('userId', '=', userId).where('isPending', '=', isPending).execute()
  const createdAt = tx.now()
  const drafts = rows.map((row) => ({ id: tx.random.id(), userId, ...row, isPending, createdAt, usedAt: null }))
  await tx.db.insertInto('backupCode').values(drafts).execute()
}

/** Deletes the codes that wait for the first code of an app. */
export async function deletePendingCodes(tx: App, userId: string): Promise<void> {
  await tx.db.deleteFrom('backupCode').where('userId', '=', userId).where('isPending', '=', true).execute()
}

/** Pending codes take the place of the active ones. @returns false when none were pending */
export async function activateBackupCodes(tx: App, userId: string): Promise<boolean> {
  const pending = tx.db.selectFrom('backupCode').where('userId', '=', userId).where('isPending', '=', true)
  if ((await countRows(pending)) === 0) return false
  await tx.db.deleteFrom('backupCode').where('userId', '=', userId).where('isPending', '=', false).execute()
  await tx.db.updateTable('backupCode').set({ isPending: false }).where('userId', '=', userId).execute()
  return true
}

const usable = (app: App, userId: string) =>
  app.db.selectFrom('backupCode').where('userId', '=', userId).where('isPending', '=', false).where('usedAt', 'is', null)

export const countBackupCodes = (app: App, userId: string): Promise<number> => countRows(usable(app, userId))

/** Whether the user has had active codes, also when all are used. */
export const hasBackupCodes = async (app: App, userId: string): Promise<boolean> =>
  (await countRows(app.db.selectFrom('backupCode').where('userId', '=', userId).where('isPending', '=', false))) > 0

/** A code as it is stored. */
export interface FoundBackupCode {
  readonly id: string
  readonly hash: string
}

/** @returns the code, which is not used by this; null when it is none */
export async function findBackupCode(app: App, userId: string, given: string): Promise<FoundBackupCode | null> {
  const start = normalized(given).slice(0, 2)
  const found = await usable(app, userId).select(['id', 'hash']).where('start', '=', start).execute()
  const candidates = peppered(app, given)
  for (const { id, hash } of found)
    for (const candidate of candidates) if (await app.hasher.verify(hash, candidate)) return { id, hash }
  return null
}

/** Uses a code. Of concurrent requests one uses it. @returns how many are left; null when it was used or replaced before */
export async function useBackupCode(tx: App, userId: string, { id, hash }: FoundBackupCode): Promise<number | null> {
  const used = await tx.db
    .updateTable('backupCode')
    .set({ usedAt: tx.now() })
    .where('id', '=', id)
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows > 0n ? countBackupCodes(tx, userId) : null
}

/** Half a year. A code that was made, used or rehearsed since then shows that the user still has them. */
const rehearsalMs = 182 * 86_400_000

/** When the user should try one of their codes; null when they have none. */
export async function findRehearsalDate(app: App, userId: string): Promise<Date | null> {
  const codes = app.db.selectFrom('backupCode').select(['createdAt', 'usedAt']).where('userId', '=', userId)
  const active = await codes.where('isPending', '=', false).execute()
  if (!active.some(({ usedAt }) => usedAt === null)) return null
  const last = Math.max(...active.flatMap(({ createdAt, usedAt }) => [createdAt.getTime(), usedAt?.getTime() ?? 0]))
  return new Date(last + rehearsalMs)
}

/** One code in place of another, for `replaceBackupCode`; hashing takes long, so call it outside a transaction. */
export async function makeReplacement(app: App) {
  const [code = ''] = makeCodes(app)
  const [row] = await hashBackupCodes(app, [code])
  return { code, row: row ?? { start: '', hash: '' } }
}

/** A new code takes the place of one. Of concurrent requests one replaces it. @returns false when it was used or replaced before */
export async function replaceBackupCode(tx: App, { id, hash }: FoundBackupCode, row: NewCodes['rows'][number]): Promise<boolean> {
  const replaced = await tx.db
    .updateTable('backupCode')
    .set({ ...row, createdAt: tx.now() })
    .where('id', '=', id)
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return replaced.numUpdatedRows > 0n
}

export async function deleteBackupCodes(tx: App, userId: string): Promise<void> {
  await tx.db.deleteFrom('backupCode').where('userId', '=', userId).execute()
}
