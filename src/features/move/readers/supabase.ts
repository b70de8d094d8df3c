/** Supabase: the tables `auth.users`, `auth.identities` and `auth.mfa_factors`, in its database or in a dump of `pg_dump --data-only`. */
import { z } from 'zod'
import { readJSON } from './hash-texts.ts'
import type { SourceFile } from './source-file.ts'
import { type Fields, findTable, readPages, readRowsOf, requireTable } from './source-tables.ts'
import {
  type DatabaseReader,
  type Note,
  type Place,
  type Reader,
  type Remark,
  type SourceUser,
  textOf,
  truthOf,
} from './source-user.ts'
import { providerOf, readTime, timeOf } from './source-values.ts'
import { readDump } from './sql-dump.ts'

const document = z.record(z.string(), z.unknown())

interface Joined {
  readonly identities: ReadonlyMap<string, readonly Fields[]>
  readonly factors: ReadonlyMap<string, readonly Fields[]>
}

/** By the ID of a user: where the dump has the rows that belong to them. */
type RowPlaces = Map<string, (Place & { readonly table: string })[]>

/** The rows that belong to users; a dump has them in front of the users, or behind them. */
async function readJoined(files: readonly SourceFile[]): Promise<Joined & { readonly places: RowPlaces }> {
  const places: RowPlaces = new Map()
  const tables = { identities: new Map<string, Fields[]>(), mfa_factors: new Map<string, Fields[]>() }
  for (const file of files)
    for await (const { table, fields, line } of readDump(file, new Set(Object.keys(tables)))) {
      const rows = tables[table as keyof typeof tables]
      const id = fields.user_id ?? ''
      rows.set(id, [...(rows.get(id) ?? []), fields])
      places.set(id, [...(places.get(id) ?? []), { file: file.name, line, table }])
    }
  return { identities: tables.identities, factors: tables.mfa_factors, places }
}

function accountsOf(rows: readonly Fields[], notes: Note[]) {
  return rows.flatMap(({ provider, provider_id: id, identity_data: data }) => {
    const accountId = id ?? textOf(readJSON(document, data)?.sub)
    if (!provider || !accountId) return []
    const field = `identities.${provider}`
    if (provider === 'email' || provider === 'phone') notes.push({ reason: 'email-identity', field })
    else if (provider.startsWith('sso:')) notes.push({ reason: 'federated', field })
    else return [{ providerId: providerOf(provider, field, notes), accountId }]
    return []
  })
}

function totpOf(rows: readonly Fields[], notes: Note[]): NonNullable<SourceUser['totp']> | null {
  const verified = rows.filter(({ status }) => status === 'verified')
  const app = verified.find(({ factor_type: type, secret }) => type === 'totp' && secret)
  if (!app?.secret && verified.length > 0) notes.push({ reason: 'factor-missing', field: 'mfa_factors' })
  return app?.secret ? { secret: app.secret } : null
}

const phoneOf = (phone: string | null | undefined): string | null => (phone ? `+${phone.replace(/^\+/, '')}` : null)

function banOf(until: string | null | undefined, timeZone: string): NonNullable<SourceUser['ban']> | null {
  if (!until) return null
  return { until: until === 'infinity' ? null : readTime(until, timeZone, true) }
}

function userOf(fields: Fields, { identities, factors }: Joined, timeZone: string): Omit<SourceUser, 'file' | 'line'> {
  const notes: Note[] = []
  const id = fields.id ?? ''
  const own = readJSON(document, fields.raw_user_meta_data)
  const isAnonymous = truthOf(fields.is_anonymous)
  const accounts = accountsOf(identities.get(id) ?? [], notes)
  const isFederated = truthOf(fields.is_sso_user)
  if (isFederated) notes.push({ reason: 'federated', field: 'is_sso_user' })
  else if (!fields.encrypted_password && fields.email && accounts.length === 0)
    notes.push({ reason: 'no-password', field: 'encrypted_password' })
  return {
    id: fields.id ?? null,
    email: fields.email || null,
    emailVerified: Boolean(fields.email_confirmed_at),
    name: textOf(own?.full_name) ?? textOf(own?.name),
    image: textOf(own?.avatar_url) ?? textOf(own?.picture),
    phoneNumber: phoneOf(fields.phone),
    phoneNumberVerified: Boolean(fields.phone_confirmed_at),
    createdAt: timeOf(fields.created_at, 'created_at', timeZone, notes),
    updatedAt: timeOf(fields.updated_at, 'updated_at', timeZone, notes),
    lastSignInAt: timeOf(fields.last_sign_in_at, 'last_sign_in_at', timeZone, notes),
    isAnonymous,
    ban: banOf(fields.banned_until, timeZone),
    password: fields.encrypted_password || null,
    accounts,
    totp: totpOf(factors.get(id) ?? [], notes),
    roles: truthOf(fields.is_super_admin) ? ['is_super_admin'] : [],
    metadata: { app_metadata: appMetadata(fields), user_metadata: own },
    ...(fields.deleted_at && { leftOut: { reason: 'deleted', field: 'deleted_at' } as const }),
    notes: fields.deleted_at ? [] : notes,
  }
}

/** Without what Supabase itself writes. */
function appMetadata(fields: Fields) {
  const { provider: _, providers: __, ...rest } = readJSON(document, fields.raw_app_meta_data) ?? {}
  return rest
}

export const readSupabase: Reader = async function* (files, { timeZone }): AsyncGenerator<SourceUser | Remark> {
  const { places, ...joined } = await readJoined(files)
  for (const file of files)
    for await (const { line, fields } of readDump(file, new Set(['users']))) {
      places.delete(fields.id ?? '')
      yield { file: file.name, line, ...userOf(fields, joined, timeZone) }
    }
  for (const { table, ...place } of [...places.values()].flat())
    yield { ...place, remark: { reason: 'orphan-row', field: `${table}.user_id` } }
}

const userColumns = [
  ...['id', 'email', 'encrypted_password', 'email_confirmed_at', 'last_sign_in_at', 'raw_app_meta_data', 'raw_user_meta_data'],
  ...['is_super_admin', 'created_at', 'updated_at', 'phone', 'phone_confirmed_at', 'banned_until', 'is_sso_user', 'deleted_at'],
  'is_anonymous',
]
const identityColumns = ['user_id', 'provider', 'provider_id', 'identity_data']
const factorColumns = ['user_id', 'status', 'factor_type', 'secret']

export const readSupabaseDatabase: DatabaseReader = async function* (source, { timeZone }): AsyncGenerator<SourceUser> {
  const users = await requireTable(source, 'auth', 'users', userColumns)
  const identityTable = await findTable(source, 'auth', 'identities', identityColumns)
  const factorTable = await findTable(source, 'auth', 'mfa_factors', factorColumns)
  let line = 0
  for await (const page of readPages(source, users, 'id')) {
    const of = { key: 'user_id', ids: page.map(({ id }) => id ?? '') }
    const identities = await readRowsOf(source, identityTable, of)
    const factors = await readRowsOf(source, factorTable, of)
    for (const fields of page) {
      line += 1
      yield { file: users.name, line, ...userOf(fields, { identities, factors }, timeZone) }
    }
  }
}
