/** How a line of an import differs from the user who is stored already. */
import { isDeepStrictEqual } from 'node:util'
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { columnsOf } from '../../core/table.ts'
import { readPasswordFormat } from '../../lib/password-formats.ts'
import type { WeakHash } from '../../lib/weak-hashes.ts'
import type { AccountRow } from '../accounts/index.ts'
import type { PasskeyRow } from '../passkeys/index.ts'
import type { AccountLine, AccountLineDraft, UserLine } from './user-line.ts'

/** A stored user, or one from an earlier line. */
export interface KnownUser {
  readonly user: UserRow
  readonly accounts: readonly (AccountRow | AccountLineDraft)[]
  readonly passkeys: readonly Pick<PasskeyRow, 'credentialID'>[]
}

/** Returns the names of the values in a line that differ from a user. Absent values and `updatedAt` are not compared. */
export function findDifferences(app: App, known: KnownUser, { user, accounts, passkeys }: UserLine): string[] {
  const columns = columnsOf(app, 'user')
  const stored = new Map(Object.entries(known.user))
  const differing = Object.entries(columns).flatMap(([name, column]) => {
    const value = user[column.outputName ?? name]
    const isGiven = value !== undefined && (value !== null || column.nullable) && name !== 'updatedAt'
    return isGiven && textOf(value) !== textOf(stored.get(name)) ? [column.outputName ?? name] : []
  })
  const missing = accounts.filter((account) => !hasAccount(app, known, account))
  const ids = new Set(known.passkeys.map(({ credentialID }) => credentialID))
  const isNew = passkeys.some(({ credentialID }) => !ids.has(credentialID))
  return [...differing, ...missing.map(({ providerId }) => `account ${providerId}`), ...(isNew ? ['passkeys'] : [])]
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null)

function hasAccount(app: App, known: KnownUser, { providerId, accountId, password }: AccountLine): boolean {
  const found = known.accounts.find(
    (account) => account.providerId === providerId && (providerId === 'credential' || account.accountId === accountId),
  )
  if (!found || !password || isDeepStrictEqual(found.password, password)) return found !== undefined
  if (typeof found.password !== 'string') return false
  if (typeof password !== 'string' && isWrapped(found.password, password)) return true
  // An imported hash was replaced when its owner signed in, or they have changed their password since.
  return (typeof password !== 'string' || app.hasher.needsRehash(password)) && !app.hasher.needsRehash(found.password)
}

/** The weak hash itself is not stored, so its form and salt are compared. */
function isWrapped(stored: string, { recipe }: WeakHash): boolean {
  const format = readPasswordFormat(stored)
  return format?.scheme === 'wrapped' && isDeepStrictEqual(format.recipe, recipe)
}
