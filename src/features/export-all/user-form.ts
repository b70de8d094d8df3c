/** A user with everything that signs them in, as one line, and back. */
import type { App } from '../../core/app.ts'
import { columnsOf, hasTable } from '../../core/table.ts'
import { readPasswordFormat } from '../../lib/password-formats.ts'
import { parseBase32 } from '../../lib/totp.ts'
import { credentialHash } from '../passkeys/index.ts'
import { describeSecret, type FactorRow, type SecretDescription, sealKey } from '../second-factor/index.ts'
import { partsOfUser } from './line-types.ts'
import { type Members, membersOf, outputValue, rowOf, type Secrets, storedValue } from './row-forms.ts'

type Row = Readonly<Record<string, unknown>>
/** Rows by their table. */
export type Rows = Record<string, Record<string, unknown>[]>

/** Additional fields: names in the configuration, and their columns. */
const fieldsOf = ({ config }: App): [name: string, column: string][] =>
  Object.entries(config.user.additionalFields).map(([name, { fieldName = name }]) => [name, fieldName])

const isCredential = (account: Row, userId: unknown): boolean =>
  account.providerId === 'credential' && account.accountId === userId

/** The name of the scheme; the hash itself has its parameters. */
function schemeOf(hash: string): string {
  const format = readPasswordFormat(hash)
  if (format === null) return 'custom'
  return format.scheme === 'argon2' ? format.variant : format.scheme
}

function passwordOf(app: App, account: Row, secrets: Secrets): Members {
  const { id, createdAt, updatedAt } = membersOf(app, 'account', account, secrets, true)
  const hash = typeof account.password === 'string' ? account.password : null
  const shown = secrets.secrets && { hash, scheme: hash === null ? null : schemeOf(hash) }
  return { ...shown, mustReplace: account.mustReplacePassword, id, createdAt, updatedAt }
}

/** Users of a page, with all their rows. */
export const userPageSize = 250

/** The rows of users in the tables that belong to them, by user. */
export async function readParts(app: App, userIds: readonly string[]): Promise<Map<string, Rows>> {
  const parts = new Map<string, Rows>(userIds.map((id) => [id, {}]))
  for (const { table } of partsOfUser.filter((part) => hasTable(app, part.table))) {
    const query = app.db
      .selectFrom(table as 'account')
      .selectAll()
      .where('userId', 'in', userIds)
    for (const row of await query.orderBy('id').execute()) {
      const rows = parts.get(row.userId) ?? {}
      rows[table] = [...(rows[table] ?? []), row]
    }
  }
  return parts
}

/** @param parts of this user, as `readParts` returns them */
export function userLine(app: App, user: Row, parts: Rows, secrets: Secrets): Members {
  const fields = fieldsOf(app)
  const own = new Set(fields.map(([, column]) => column))
  const columns = Object.entries(membersOf(app, 'user', user, secrets)).filter(([name]) => !own.has(name))
  const accounts = parts.account ?? []
  const credential = accounts.find((account) => isCredential(account, user.id))
  const factor = parts.twoFactor?.[0] as FactorRow | undefined
  const secret = secrets.secrets && factor?.verified ? describeSecret(app, factor) : null
  return {
    ...Object.fromEntries(columns),
    fields: Object.fromEntries(fields.map(([name, column]) => [name, outputValue(user[column])])),
    ...(credential && { password: passwordOf(app, credential, secrets) }),
    accounts: accounts
      .filter((account) => account !== credential)
      .map((account) => membersOf(app, 'account', account, secrets, true)),
    ...(secret && { totp: totpOf(secret) }),
    ...otherParts(app, parts, secrets),
  }
}

const totpOf = ({ secret, digits, period, algorithm }: SecretDescription) => ({ secret, digits, period, algorithm })

function otherParts(app: App, parts: Rows, secrets: Secrets): Members {
  const members: Members = {}
  for (const { member, table, isOne } of partsOfUser) {
    if (table === 'account' || (table === 'backupCode' && !secrets.secrets)) continue
    const rows = (parts[table] ?? []).filter(({ isPending }) => isPending !== true)
    const lines = rows.map((row) => membersOf(app, table, row, secrets, true))
    if (lines.length > 0) members[member] = isOne ? lines[0] : lines
  }
  return members
}

/** The rows of a line, by table. @param line as `lineSchemas` has checked it */
export function userRows(app: App, line: Members): Rows {
  const user = rowOf(app, 'user', line)
  const columns = columnsOf(app, 'user')
  const fields = (line.fields ?? {}) as Members
  for (const [name, column] of fieldsOf(app)) {
    const declared = columns[column]
    if (declared && fields[name] !== undefined) user[column] = storedValue(declared, fields[name])
  }
  const rows: Rows = { user: [user] }
  for (const { member, table, isOne } of partsOfUser) {
    const given = (isOne ? [line[member]].filter((one) => one !== undefined) : (line[member] ?? [])) as Members[]
    rows[table] = given.map((part) => ({ ...rowOf(app, table, part, true), userId: line.id, ...derived(table, part) }))
  }
  const credential = line.password as Members | undefined
  if (credential) rows.account?.unshift(credentialRow(app, String(line.id), credential))
  const totp = line.totp as TotpMember | undefined
  if (totp) rows.twoFactor = (rows.twoFactor ?? []).map((row) => ({ ...row, ...totpColumns(app, totp) }))
  return rows
}

function derived(table: string, part: Members): Row {
  if (table === 'passkey') return { credentialHash: credentialHash(String(part.credentialID)) }
  return table === 'backupCode' ? { isPending: false } : {}
}

function credentialRow(app: App, userId: string, { hash = null, mustReplace, ...dates }: Members) {
  const names = { providerId: 'credential', accountId: userId }
  return {
    ...rowOf(app, 'account', { ...dates, ...names }, true),
    userId,
    password: hash,
    mustReplacePassword: mustReplace === true,
  }
}

interface TotpMember {
  readonly secret: string
  readonly digits: number
  readonly period: number
  readonly algorithm: string
}

/** Settings of a secret are stored when they differ from the configured ones. */
function totpColumns(app: App, { secret, digits, period, algorithm }: TotpMember) {
  const usual = app.config.twoFactor.totpOptions
  return {
    ...{ secret: sealKey(app, parseBase32(secret) ?? new Uint8Array()), verified: true },
    digits: digits === usual.digits ? null : digits,
    period: period === usual.period ? null : period,
    algorithm: algorithm === 'SHA1' ? null : algorithm,
  }
}
