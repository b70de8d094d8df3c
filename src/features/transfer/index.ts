/** Import and export of users and their accounts as lines of JSON. */

import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import { transaction } from '../../core/transaction.ts'
import { batchesOf } from '../../core/write.ts'
import { plainMessage } from '../../lib/input-errors.ts'
import { isWellFormed } from '../../lib/text.ts'
import type { WeakHash } from '../../lib/weak-hashes.ts'
import { type AccountDraft, insertAccounts, listAccountsOf } from '../accounts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { markMovedUsers } from '../moved-users/index.ts'
import { exportPasskeys, insertPasskeys } from '../passkeys/index.ts'
import { recordPasswordSchemes } from '../password-hashes/index.ts'
import { draftFactors, type FactorDraft, insertFactors } from '../second-factor/index.ts'
import { findUsersByEmailOrId, insertUsers } from '../users/index.ts'
import { findRejected, invalid, type LineOutcome, type ParsedLine, readFieldsOf, rejectUnknownRoles } from './line-checks.ts'
import { findDifferences, type KnownUser } from './line-differences.ts'
import { countOthers } from './passkey-line.ts'
import { type UserDrafts, type UserLine, userDrafting, userLineSchema, type WeakChoice } from './user-line.ts'

export { exportUsers } from './export-users.ts'
export type { LineOutcome } from './line-checks.ts'
export { passkeyLine } from './passkey-line.ts'

export const auditActions = { 'users.imported': 'Users were imported; one event for each transaction, with counts' }

/** `text`: null for a line that is too long or not UTF-8. `value`: a line that was not read from a text. */
type ImportLine = {
  /** Starts at 1. */
  readonly number: number
} & ({ readonly text: string | null } | { readonly value: object })
interface ImportOptions {
  readonly dryRun: boolean
  readonly weak?: WeakChoice
  /** Of better-auth, which encrypted second factors. */
  readonly formerSecrets?: readonly string[]
  /** Also imports users whom the sign-up policy rejects. */
  readonly ignoreSignUpPolicy?: boolean
}

/**
 * Returns a function that reads a batch of lines, inserts the new users in one transaction, and reports the outcome of each line.
 * Existing users are compared and never changed, so a file can be imported again.
 * Database hooks are not called: imported users are not new sign-ups.
 */
export function importUsers(
  app: App,
  { dryRun, weak, formerSecrets = [], ignoreSignUpPolicy = false }: ImportOptions,
): (lines: readonly ImportLine[]) => Promise<LineOutcome[]> {
  const schema = userLineSchema(app, weak, formerSecrets)
  return async (lines) => {
    const read = lines.map((line) => readLine(schema, line))
    const faults = read.filter((one) => 'outcome' in one)
    const unknown = await rejectUnknownRoles(
      app,
      read.filter((one) => 'input' in one),
    )
    const owned = await readFieldsOf(app, unknown.known)
    const { outcomes, drafts } = await compare(app, owned.known)
    const rejected = ignoreSignUpPolicy ? [] : await findRejected(app, drafts)
    const left = new Set(rejected.map(({ line }) => line))
    const admitted = drafts.filter(({ line }) => !left.has(line))
    const written = dryRun ? [] : await write(app, await hashWeak(app, admitted))
    const failed = new Map([...rejected, ...written].map((outcome) => [outcome.line, outcome]))
    const all = [...faults, ...unknown.faults, ...owned.faults, ...outcomes.map((outcome) => failed.get(outcome.line) ?? outcome)]
    return all.sort((one, other) => one.line - other.line)
  }
}

function readLine(schema: z.ZodType<UserLine>, line: ImportLine): ParsedLine | LineOutcome {
  const { number } = line
  if ('value' in line) return checkLine(schema, number, line.value)
  if (line.text === null) return invalid(number, null, 'the line is too long or not UTF-8')
  let value: unknown
  try {
    value = JSON.parse(line.text)
  } catch {
    return invalid(number, null, 'not valid JSON')
  }
  return checkLine(schema, number, value)
}

function checkLine(schema: z.ZodType<UserLine>, number: number, value: unknown): ParsedLine | LineOutcome {
  if (!isWellFormed(value)) return invalid(number, null, 'a text has half of a surrogate pair')
  const parsed = schema.safeParse(value)
  if (parsed.success) return { line: number, input: parsed.data }
  const messages = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => [path.join('.'), plainMessage(message)].filter(Boolean).join(': '))
  const email: unknown = Reflect.get(Object(Reflect.get(Object(value), 'user')), 'email')
  return invalid(number, typeof email === 'string' ? email.slice(0, 320) : null, messages.join('; '))
}

interface LineDraft extends UserDrafts {
  readonly line: number
}
interface WritableDraft extends Omit<LineDraft, 'accounts' | 'factors'> {
  readonly accounts: readonly AccountDraft[]
  readonly factors: FactorDraft | null
}

async function compare(app: App, read: readonly ParsedLine[]): Promise<{ outcomes: LineOutcome[]; drafts: LineDraft[] }> {
  const { byEmail, byId } = await findKnown(app, read)
  const drafts: LineDraft[] = []
  const draftUser = userDrafting(app)
  const outcomes = read.map(({ line, input }): LineOutcome => {
    const { email, id } = input.user
    const known = byEmail.get(email)
    if (known) {
      const differences = findDifferences(app, known, input)
      const message =
        differences.length > 0 ? `a user with this email address already exists and differs in: ${differences.join(', ')}` : null
      return { line, outcome: message ? 'conflict' : 'unchanged', email, message }
    }
    if (id !== undefined && byId.has(id)) return { line, outcome: 'conflict', email, message: 'another user has this id' }
    const draft = draftUser(input)
    drafts.push({ ...draft, line })
    byEmail.set(email, draft)
    byId.add(draft.user.id)
    const passkeysOfOtherDomains = countOthers(app, draft.passkeys)
    return { line, outcome: 'created', email, message: null, ...(passkeysOfOtherDomains > 0 && { passkeysOfOtherDomains }) }
  })
  return { outcomes, drafts }
}

async function findKnown(app: App, read: readonly ParsedLine[]): Promise<{ byEmail: Map<string, KnownUser>; byId: Set<string> }> {
  const emails = read.map(({ input }) => input.user.email)
  const ids = read.flatMap(({ input }) => input.user.id ?? [])
  const users = emails.length > 0 ? await findUsersByEmailOrId(app, emails, ids) : []
  const userIds = users.map(({ id }) => id)
  const accounts = Map.groupBy(userIds.length > 0 ? await listAccountsOf(app, userIds) : [], ({ userId }) => userId)
  const passkeys = await exportPasskeys(app, app.config.passkey.enabled ? userIds : [])
  const known = users.map((user): [string, KnownUser] => {
    return [user.email, { user, accounts: accounts.get(user.id) ?? [], passkeys: passkeys.get(user.id) ?? [] }]
  })
  return { byEmail: new Map(known), byId: new Set(userIds) }
}

/** Fewer than the hashes that may wait in a process. */
const concurrentHashes = 16

const isHashed = (draft: LineDraft): draft is LineDraft & WritableDraft =>
  draft.factors === null && draft.accounts.every(({ password }) => password === null || typeof password === 'string')

async function hashWeak(app: App, drafts: readonly LineDraft[]): Promise<readonly WritableDraft[]> {
  if (drafts.every(isHashed)) return drafts
  const hashed: Omit<WritableDraft, 'factors'>[] = []
  for (const batch of batchesOf(drafts, concurrentHashes))
    hashed.push(...(await Promise.all(batch.map((draft) => hashWeakOf(app, draft)))))
  const written: WritableDraft[] = []
  // One user after the other: each may have 20 backup codes.
  for (const [position, draft] of hashed.entries()) {
    const given = drafts[position]?.factors
    written.push({ ...draft, factors: given ? await draftFactors(app, draft.user.id, given) : null })
  }
  return written
}

async function hashWeakOf(app: App, draft: LineDraft): Promise<Omit<WritableDraft, 'factors'>> {
  const hash = async (password: string | WeakHash | null) => {
    if (password === null || typeof password === 'string') return password
    const { recipe, value } = password
    return recipe ? await app.hasher.wrap(recipe, value) : await app.hasher.hash(value)
  }
  const accounts = draft.accounts.map(async (account) => ({ ...account, password: await hash(account.password) }))
  return { ...draft, accounts: await Promise.all(accounts) }
}

/** @returns the lines that could not be written */
async function write(app: App, drafts: readonly WritableDraft[]): Promise<LineOutcome[]> {
  if (drafts.length === 0) return []
  const hashes = drafts.flatMap(({ accounts }) => accounts.flatMap(({ password }) => password ?? []))
  await recordPasswordSchemes(app, hashes)
  try {
    await insert(app, drafts)
    return []
  } catch (error) {
    if (!app.database.isUniqueViolation(error)) throw error
    const [draft, ...more] = drafts
    if (draft && more.length === 0) {
      const message = 'an email address, an account, a passkey or another unique value already exists'
      return [{ line: draft.line, outcome: 'conflict', email: draft.user.email, message }]
    }
  }
  // One of them caused it: write each on its own.
  const failed: LineOutcome[] = []
  for (const draft of drafts) failed.push(...(await write(app, [draft])))
  return failed
}

const insert = (app: App, drafts: readonly WritableDraft[]): Promise<void> =>
  transaction(app, async (inner) => {
    await insertUsers(
      inner,
      drafts.map(({ user }) => user),
    )
    const accounts = drafts.flatMap((draft) => draft.accounts)
    if (accounts.length > 0) await insertAccounts(inner, accounts)
    const factors = drafts.flatMap(({ factors }) => factors ?? [])
    await insertFactors(inner, factors)
    const passkeys = drafts.flatMap((draft) => draft.passkeys)
    await insertPasskeys(inner, passkeys)
    await markMovedUsers(
      inner,
      drafts.flatMap(({ user, setUpAtSignIn }) => (setUpAtSignIn ? user.id : [])),
    )
    const others = countOthers(inner, passkeys)
    const details = {
      ...{ users: drafts.length, accounts: accounts.length, secondFactors: factors.length },
      ...(passkeys.length > 0 && { passkeys: passkeys.length }),
      ...(others > 0 && { passkeysOfOtherDomains: others }),
    }
    await recordEvent(inner, { action: 'users.imported', details })
  })
