/** A row of a table as members of a line, and back: times as ISO 8601, encrypted values opened. */
import { type App, memo } from '../../core/app.ts'
import { type Column, type Columns, columnsOf, defaultRow } from '../../core/table.ts'
import { openPrivateKeyText, sealPrivateKey } from '../jwt/index.ts'
import { openProviderToken, sealProviderToken } from '../social-sign-in/index.ts'
import { leftColumns } from './line-types.ts'

export type Members = Record<string, unknown>
type Row = Readonly<Record<string, unknown>>

/** What an export contains in addition. */
export interface Secrets {
  readonly secrets: boolean
  readonly signingKeys: boolean
}

interface Form {
  readonly member?: string
  readonly open?: (app: App, stored: string) => unknown
  readonly seal?: (app: App, given: unknown) => unknown
  readonly kind?: 'object' | 'token'
}

const token: Form = {
  kind: 'token',
  open: (app, stored) => openProviderToken(app, stored) ?? null,
  seal: (app, given) => sealProviderToken(app, String(given)),
}

const forms: Readonly<Record<string, Form>> = {
  'account.accessToken': token,
  'account.refreshToken': token,
  'account.idToken': token,
  'apikey.key': { member: 'hash' },
  'inviteLink.tokenHash': { member: 'hash' },
  'jwks.id': { member: 'kid' },
  'jwks.algorithm': { member: 'alg' },
  'jwks.publicKey': {
    ...{ member: 'publicJwk', kind: 'object' },
    open: (_, stored) => JSON.parse(stored),
    seal: (_, given) => JSON.stringify(given),
  },
  'jwks.privateKey': {
    ...{ member: 'privateJwk', kind: 'object' },
    open: (app, stored) => JSON.parse(openPrivateKeyText(app, { privateKey: stored })),
    seal: (app, given) => sealPrivateKey(app, JSON.stringify(given)),
  },
}

/** Tables with a keyed hash, whose lines say how it was made. */
export const hashedTables = ['apikey', 'inviteLink']

/** An API key that was moved here has an unkeyed hash until it is used. */
const hashForm = (hash: string): string => (hash.includes('.') ? 'hmac-sha256' : 'sha256')

export interface Exported {
  readonly name: string
  readonly member: string
  readonly column: Column
  readonly kind: 'object' | 'token' | null
  readonly isSigningKey: boolean
}

/** The columns of a table that lines have, in the order in which they are declared. @param isPart of the line of a user */
export const exportedColumns = (columns: Columns, table: string, isPart: boolean): Exported[] =>
  Object.entries(columns).flatMap(([name, column]) => {
    if (leftColumns[table]?.[name] !== undefined || (isPart && name === 'userId')) return []
    const { member = name, kind = null } = forms[`${table}.${name}`] ?? {}
    return [{ name, member, column, kind, isSigningKey: table === 'jwks' && name === 'privateKey' }]
  })

const known = memo((_: App) => new Map<string, Exported[]>())

/** The same for the tables of an app: made once, because an import needs them for each row. */
function columnsFor(app: App, table: string, isPart: boolean): Exported[] {
  const key = `${table} ${isPart}`
  const found = known(app).get(key) ?? exportedColumns(columnsOf(app, table), table, isPart)
  known(app).set(key, found)
  return found
}

/** Databases change the order of members. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]))
}

/** @throws Error SECRET_UNKNOWN when a value was encrypted with a secret that is not configured any more */
export function membersOf(app: App, table: string, row: Row, { secrets, signingKeys }: Secrets, isPart = false): Members {
  const members: Members = {}
  for (const { name, member, column, isSigningKey } of columnsFor(app, table, isPart)) {
    if (column.secret && !(isSigningKey ? signingKeys : secrets)) continue
    const value = row[name] ?? null
    const open = forms[`${table}.${name}`]?.open
    if (value === null) members[member] = null
    else if (value instanceof Date) members[member] = value.toISOString()
    else members[member] = open ? open(app, String(value)) : column.kind === 'json' ? sorted(value) : value
  }
  if (secrets && hashedTables.includes(table)) members.form = hashForm(String(members.hash))
  return members
}

/** The columns for a row, with the defaults of those that the line does not have. @param given as the schema of its table has checked them */
export function rowOf(app: App, table: string, given: Members, isPart = false): Record<string, unknown> {
  const row: Record<string, unknown> = defaultRow(app, table)
  for (const { name, member, column } of columnsFor(app, table, isPart)) {
    const value = given[member]
    if (value === undefined || (value === null && !column.nullable)) continue
    const seal = forms[`${table}.${name}`]?.seal
    row[name] = value === null ? null : seal ? seal(app, value) : storedValue(column, value)
  }
  return row
}

export function storedValue(column: Column, value: unknown): unknown {
  if (value === null) return null
  if (column.kind === 'timestamp') return new Date(String(value))
  return column.kind === 'json' ? JSON.stringify(value) : value
}

export const outputValue = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : sorted(value ?? null))
