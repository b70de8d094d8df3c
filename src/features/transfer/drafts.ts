/** What a line means: the rows that it makes, and how it differs from those that are there. */
import type { App } from '../../core/app.ts'
import { createId } from '../../core/ids.ts'
import { mergeTables } from '../../core/merged-tables.ts'
import type { UserRow } from '../../core/request.ts'
import type { AccountDraft, AccountRow } from '../accounts/index.ts'
import { defaultUserFields } from '../users/index.ts'
import type { UserLine } from './lines.ts'

export interface Drafts {
  readonly user: UserRow
  readonly accounts: readonly AccountDraft[]
}

/** Every column has a value, so that many users go into one statement. */
export function draftUserLine(app: App, { user: given, accounts }: UserLine): Drafts {
  const now = app.now()
  const columns = mergeTables(app.features).user ?? {}
  const missing: Readonly<Record<string, unknown>> = {
    name: '',
    emailVerified: false,
    ...defaultUserFields(app),
    id: given.id ?? createId(app, 'user'),
    createdAt: now,
    updatedAt: now,
  }
  const values = Object.entries(columns).map(([name, column]) => {
    const value = given[column.shownAs ?? name]
    const isGiven = value !== undefined && (value !== null || column.nullable)
    return [name, isGiven ? value : (missing[name] ?? column.default ?? null)]
  })
  // Made from the columns that the row consists of.
  const user = Object.fromEntries(values) as UserRow
  return { user, accounts: accounts.map((account) => draftAccount(app, user, account)) }
}

function draftAccount(app: App, user: UserRow, given: UserLine['accounts'][number]): AccountDraft {
  const { providerId, accountId, password = null, scope = null, createdAt = user.createdAt, updatedAt = createdAt } = given
  const isCredential = providerId === 'credential'
  return {
    id: createId(app, 'account'),
    userId: user.id,
    providerId,
    accountId: isCredential || accountId === undefined ? user.id : accountId,
    password,
    scope,
    createdAt,
    updatedAt,
  }
}

interface Known {
  readonly user: UserRow
  readonly accounts: readonly (AccountRow | AccountDraft)[]
}

/** Names of what a line says otherwise; what it does not say, and when something was last changed, is not compared. */
export function findDifferences(app: App, known: Known, { user, accounts }: UserLine): string[] {
  const columns = mergeTables(app.features).user ?? {}
  const stored = new Map(Object.entries(known.user))
  const differing = Object.entries(columns).flatMap(([name, column]) => {
    const value = user[column.shownAs ?? name]
    const isSaid = value !== undefined && (value !== null || column.nullable) && name !== 'updatedAt'
    return isSaid && textOf(value) !== textOf(stored.get(name)) ? [column.shownAs ?? name] : []
  })
  const others = accounts.filter((account) => !hasAccount(app, known, account))
  return [...differing, ...others.map(({ providerId }) => `account ${providerId}`)]
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null)

function hasAccount(app: App, known: Known, { providerId, accountId, password }: UserLine['accounts'][number]): boolean {
  const found = known.accounts.find(
    (account) => account.providerId === providerId && (providerId === 'credential' || account.accountId === accountId),
  )
  if (!found || !password || found.password === password) return found !== undefined
  // A hash of old was replaced by one of ours when its owner signed in, or he has chosen another password since.
  return Boolean(found.password) && app.hasher.needsRehash(password) && !app.hasher.needsRehash(found.password ?? '')
}
