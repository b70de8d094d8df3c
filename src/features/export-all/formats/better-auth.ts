/** better-auth 1.2: INSERT statements for the tables that its own migrations make. */
import { backticked, doubleQuoted } from '../../../lib/text.ts'
import { parseBase32 } from '../../../lib/totp.ts'
import { sealFormerText } from '../../../lib/xchacha.ts'
import { columnsOfShape, type KindName } from '../../move/index.ts'
import type { Line } from '../lines.ts'
import type { Members } from '../row-forms.ts'
import { type Losses, leaveLine, leaveParts, listOf, objectOf, textOf, type Writer } from './writer.ts'

export const databases = ['sqlite', 'mysql', 'postgres'] as const
export type DatabaseName = (typeof databases)[number]

export interface BetterAuthOptions {
  readonly database: DatabaseName
  /** Of better-auth, which encrypts second factors and signing keys; null: they are left out. */
  readonly secret: string | null
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function literal(value: unknown, database: DatabaseName): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return database === 'postgres' ? String(value) : String(Number(value))
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isTime = database === 'mysql' && time.test(text)
  // MySQL reads backslashes in texts, and no time zone in times.
  const written = database === 'mysql' ? text.replaceAll('\\', '\\\\') : text
  return `'${(isTime ? text.slice(0, 19).replace('T', ' ') : written).replaceAll("'", "''")}'`
}

function insert(table: string, members: Members, database: DatabaseName): string {
  const quote = database === 'mysql' ? backticked : doubleQuoted
  const names = Object.keys(members)
  const values = names.map((name) => literal(members[name], database))
  return `insert into ${quote(table)} (${names.map(quote).join(', ')}) values (${values.join(', ')});\n`
}

/** The columns that both have. */
const common = (kind: KindName, members: Members): Members =>
  Object.fromEntries(columnsOfShape(kind).flatMap(({ name }) => (name in members ? [[name, members[name]]] : [])))

/** The form of better-auth itself; argon2id and others are not known there. */
const ownHash = /^[\da-f]{32}:[\da-f]{128}$/

function passwordRow(user: Line, losses: Losses): Members[] {
  const { hash, scheme, id, createdAt, updatedAt } = objectOf(user.password)
  if (id === undefined) return []
  const password = textOf(hash)
  const isTheirs = password !== null && ownHash.test(password)
  if (password !== null && !isTheirs)
    losses.add(`passwords (${String(scheme)}): better-auth verifies its own scrypt only, these users set a new one`)
  const names = { accountId: user.id, providerId: 'credential', userId: user.id }
  return [{ id, ...names, password: isTheirs ? password : null, createdAt, updatedAt }]
}

function factorRow(user: Line, secret: string | null, losses: Losses): Members[] {
  const { secret: encoded } = objectOf(user.totp)
  if (typeof encoded !== 'string') return []
  const text = Buffer.from(parseBase32(encoded) ?? []).toString('latin1')
  if (secret === null) losses.add('secrets of authenticator apps: they need --target-secret')
  // Their secret is a text, whose bytes are the key.
  else if (!/^[\w-]+$/.test(text))
    losses.add('secrets of authenticator apps: better-auth knows secrets of letters and digits only')
  else {
    const backupCodes = sealFormerText(secret, '[]')
    return [{ id: objectOf(user.secondFactor).id, secret: sealFormerText(secret, text), backupCodes, userId: user.id }]
  }
  return []
}

function userRows(user: Line, { secret }: BetterAuthOptions, losses: Losses): [KindName, Members][] {
  leaveParts(user, { totp: true, tokens: true, passkeys: true }, losses)
  const factors = factorRow(user, secret, losses)
  // Without its secret, a second factor would lock its user out.
  const enabled = 'twoFactorEnabled' in user && { twoFactorEnabled: factors.length > 0 }
  const own = (kind: KindName, row: Members) => common(kind, { ...row, userId: user.id })
  const accounts = listOf(user.accounts).map((row) => without('issuer', own('account', row)))
  const passkeys = listOf(user.passkeys).map((row) => own('passkey', row))
  const rowsIn = (kind: KindName, rows: readonly Members[]) => rows.map((row): [KindName, Members] => [kind, row])
  return [
    ['user', { ...common('user', user), ...objectOf(user.fields), ...enabled }],
    ...rowsIn('account', [...accounts, ...passwordRow(user, losses)]),
    ...rowsIn('twoFactor', factors),
    ...rowsIn('passkey', passkeys),
  ]
}

/** Columns that only later versions have. */
const without = (name: string, { [name]: _, ...row }: Members): Members => row

function otherRow(line: Line, { secret }: BetterAuthOptions, losses: Losses): [KindName, Members] | null {
  if (line.type === 'organization' || line.type === 'team' || line.type === 'member') return [line.type, common(line.type, line)]
  if (line.type === 'invitation') return ['invitation', without('createdAt', common('invitation', line))]
  if (line.type === 'signingKey' && line.privateJwk !== undefined && secret !== null) {
    const privateKey = JSON.stringify(sealFormerText(secret, JSON.stringify(line.privateJwk)))
    return ['jwks', { id: line.kid, publicKey: JSON.stringify(line.publicJwk), privateKey, createdAt: line.createdAt }]
  }
  if (line.type === 'apikey' && line.userId === null) losses.add('API keys of organizations: better-auth 1.2 has none')
  else if (line.type === 'apikey' && line.form === 'sha256')
    return ['apikey', without('configId', common('apikey', { ...line, key: line.hash }))]
  else if (line.type === 'apikey') losses.add('API keys: their hashes are keyed with the secret of Latchkey')
  else if (line.type === 'signingKey') losses.add('signing keys: they need --with-signing-keys and --target-secret')
  else leaveLine(line, losses)
  return null
}

export function writeBetterAuth(losses: Losses, options: BetterAuthOptions): Writer {
  const { database } = options
  return {
    start: database === 'mysql' ? 'start transaction;\n' : 'begin;\n',
    write: (line) => {
      if (line.type === 'user')
        return userRows(line, options, losses)
          .map(([table, row]) => insert(table, row, database))
          .join('')
      const other = line.type === 'header' || line.type === 'footer' ? null : otherRow(line, options, losses)
      return other ? insert(...other, database) : ''
    },
    end: 'commit;\n',
  }
}
