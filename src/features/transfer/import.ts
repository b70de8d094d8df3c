/** Moving in, some lines at a time. What is there already is compared and never changed, so that a file may be read again. */
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { passwordCost } from '../../lib/password-costs.ts'
import { type AccountDraft, type AccountRow, insertAccounts, listAccountsOf } from '../accounts/index.ts'
import { notePasswordScheme } from '../password-hashes/index.ts'
import { findUnknownRoles } from '../roles/index.ts'
import { findUsersByEmailOrId, insertUsers } from '../users/index.ts'
import { type Drafts, draftUserLine, findDifferences } from './drafts.ts'
import { type UserLine, userLineSchema } from './lines.ts'

export interface ImportLine {
  /** From 1. */
  readonly number: number
  /** Null for a line that is too long, or no UTF-8. */
  readonly text: string | null
}
export interface LineOutcome {
  readonly line: number
  readonly outcome: 'created' | 'unchanged' | 'conflict' | 'invalid'
  /** Null where the line has none. */
  readonly email: string | null
  /** Why; null unless something is wrong. */
  readonly message: string | null
}

interface Read {
  readonly line: number
  readonly wanted: UserLine
}
interface Person {
  readonly user: UserRow
  readonly accounts: readonly (AccountRow | AccountDraft)[]
}

/**
 * A function that reads a batch of lines, writes those users who are new in one transaction, and tells what became of each line.
 * Hooks of the installation are not asked: they would be for each user, and these are no new people.
 */
export function importUsers(
  app: App,
  { dryRun }: { readonly dryRun: boolean },
): (lines: readonly ImportLine[]) => Promise<LineOutcome[]> {
  const schema = userLineSchema(app)
  return async (lines) => {
    const read = lines.map((line) => readLine(schema, line))
    const faults = read.filter((one) => 'outcome' in one)
    const unknown = await rejectUnknownRoles(
      app,
      read.filter((one) => 'wanted' in one),
    )
    const { outcomes, drafts } = await compare(app, unknown.known)
    const written = dryRun ? [] : await write(app, drafts)
    const failed = new Map(written.map((outcome) => [outcome.line, outcome]))
    const all = [...faults, ...unknown.faults, ...outcomes.map((outcome) => failed.get(outcome.line) ?? outcome)]
    return all.sort((one, other) => one.line - other.line)
  }
}

function readLine(schema: z.ZodType<UserLine>, { number, text }: ImportLine): Read | LineOutcome {
  if (text === null) return invalid(number, null, 'the line is too long, or no UTF-8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid(number, null, 'this is no JSON')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { line: number, wanted: parsed.data }
  const messages = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  const email: unknown = Reflect.get(Object(Reflect.get(Object(value), 'user')), 'email')
  return invalid(number, typeof email === 'string' ? email.slice(0, 320) : null, messages.join('; '))
}

const invalid = (line: number, email: string | null, message: string): LineOutcome => ({
  line,
  outcome: 'invalid',
  email,
  message,
})

async function rejectUnknownRoles(app: App, read: readonly Read[]) {
  const roles = [
    ...new Set(read.flatMap(({ wanted }) => (typeof wanted.user.role === 'string' ? wanted.user.role.split(',') : []))),
  ]
  const unknown = roles.length > 0 ? await findUnknownRoles(app, roles.join()) : []
  const isKnown = ({ wanted }: Read) =>
    !String(wanted.user.role ?? '')
      .split(',')
      .some((role) => unknown.includes(role))
  const faults = read
    .filter((one) => !isKnown(one))
    .map(({ line, wanted }) => invalid(line, wanted.user.email, 'user.role: there is no such role'))
  return { known: read.filter(isKnown), faults }
}

interface Draft extends Drafts {
  readonly line: number
}

async function compare(app: App, read: readonly Read[]): Promise<{ outcomes: LineOutcome[]; drafts: Draft[] }> {
  const { byEmail, byId } = await findKnown(app, read)
  const drafts: Draft[] = []
  const outcomes = read.map(({ line, wanted }): LineOutcome => {
    const { email, id } = wanted.user
    const known = byEmail.get(email)
    if (known) {
      const differences = findDifferences(app, known, wanted)
      const message =
        differences.length > 0 ? `there is another user of this address; what differs: ${differences.join(', ')}` : null
      return { line, outcome: message ? 'conflict' : 'unchanged', email, message }
    }
    if (id !== undefined && byId.has(id)) return { line, outcome: 'conflict', email, message: 'the id is that of another user' }
    const draft = draftUserLine(app, wanted)
    drafts.push({ ...draft, line })
    byEmail.set(email, draft)
    byId.add(draft.user.id)
    return { line, outcome: 'created', email, message: null }
  })
  return { outcomes, drafts }
}

async function findKnown(app: App, read: readonly Read[]): Promise<{ byEmail: Map<string, Person>; byId: Set<string> }> {
  const emails = read.map(({ wanted }) => wanted.user.email)
  const ids = read.flatMap(({ wanted }) => wanted.user.id ?? [])
  const users = emails.length > 0 ? await findUsersByEmailOrId(app, emails, ids) : []
  const userIds = users.map(({ id }) => id)
  const accounts = Map.groupBy(userIds.length > 0 ? await listAccountsOf(app, userIds) : [], ({ userId }) => userId)
  const people = users.map((user): [string, Person] => [user.email, { user, accounts: accounts.get(user.id) ?? [] }])
  return { byEmail: new Map(people), byId: new Set(userIds) }
}

/** @returns those lines that could not be written */
async function write(app: App, drafts: readonly Draft[]): Promise<LineOutcome[]> {
  if (drafts.length === 0) return []
  await noteSchemes(app, drafts)
  try {
    await insert(app, drafts)
    return []
  } catch (error) {
    if (!app.database.isUniqueViolation(error)) throw error
    const [draft, ...more] = drafts
    if (draft && more.length === 0) {
      const message = 'an address, an account or another value that must be unique is taken already'
      return [{ line: draft.line, outcome: 'conflict', email: draft.user.email, message }]
    }
  }
  // One of them is the culprit: each for itself.
  const failed: LineOutcome[] = []
  for (const draft of drafts) failed.push(...(await write(app, [draft])))
  return failed
}

const insert = (app: App, drafts: readonly Draft[]): Promise<void> =>
  transaction(app, async (inner) => {
    await insertUsers(
      inner,
      drafts.map(({ user }) => user),
    )
    const accounts = drafts.flatMap((draft) => draft.accounts)
    if (accounts.length > 0) await insertAccounts(inner, accounts)
  })

/** Before they are stored: refusals must take as long as the dearest of them from then on. */
async function noteSchemes(app: App, drafts: readonly Draft[]): Promise<void> {
  const hashes = drafts.flatMap(({ accounts }) => accounts.flatMap(({ password }) => password ?? []))
  const one = new Map(hashes.map((hash) => [JSON.stringify(passwordCost(hash)), hash]))
  for (const hash of one.values()) await notePasswordScheme(app, hash)
}
