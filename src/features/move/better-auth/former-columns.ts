/** A row of Latchkey as better-auth stores it: the reverse of the kinds' `map`. */
import type { App } from '../../../core/app.ts'
import { columnsOf } from '../../../core/table.ts'
import { parseBase32 } from '../../../lib/totp.ts'
import { sealFormerText } from '../../../lib/xchacha.ts'
import { offsetAt } from '../../../lib/zone-clock.ts'
import { openPrivateKeyText } from '../../jwt/index.ts'
import { readSessionTokens } from '../../move-trial/index.ts'
import { exportFactors } from '../../second-factor/index.ts'
import { openProviderToken } from '../../social-sign-in/index.ts'
import { type Left, left, type MoveContext, openFormer } from './kind.ts'
import type { KindName } from './shapes.ts'
import { type SourceDatabase, type SourceRow, type SourceValue, textOf } from './source.ts'
import type { Tables } from './source-pages.ts'

type OwnRow = Readonly<Record<string, unknown>>
export type FormerColumns = Record<string, string | number | null>

export interface BackContext {
  readonly app: App
  readonly source: SourceDatabase
  readonly tables: Tables
  readonly context: MoveContext
  readonly formerIds: ReadonlyMap<string, string>
}

/** The columns that name a row of another kind. */
const references: Readonly<Record<string, KindName>> = {
  userId: 'user',
  referenceId: 'user',
  inviterId: 'user',
  organizationId: 'organization',
  activeOrganizationId: 'organization',
  teamId: 'team',
}

/** Derived, or different by nature: a copy of them would say nothing. */
const ownMatter: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  account: ['accessToken', 'refreshToken', 'idToken', 'password', 'accountId', 'issuer'],
  session: ['token', 'impersonatedBy', 'activeTeamId'],
  jwks: ['privateKey', 'expiresAt', 'alg', 'crv'],
  twoFactor: ['secret', 'backupCodes', 'failedVerificationCount', 'lockedUntil', 'verified'],
  teamMember: ['membershipKey'],
  team: ['memberCount'],
  apikey: ['configId', 'userId', 'referenceId'],
}

/** The columns that both have, as they are stored there. */
export function commonColumns(back: BackContext, kind: KindName, row: OwnRow): FormerColumns {
  const { tables, app } = back
  const columns: FormerColumns = {}
  const own = columnsOf(app, kind)
  for (const name of Object.keys(tables.get(kind)?.columns ?? {})) {
    if (name === 'id' || ownMatter[kind]?.includes(name) || !(name in own)) continue
    const value = row[name]
    const other = references[name]
    columns[name] = other && typeof value === 'string' ? idOf(back, other, value) : formerValue(back, kind, name, value)
  }
  return columns
}

const idOf = ({ formerIds }: BackContext, kind: KindName, id: string): string => formerIds.get(`${kind} ${id}`) ?? id

/**
 * Columns that each side stores in its own form.
 * @param before the row in the old database, of which equal values are left out; null: there is none
 * @returns why better-auth cannot have it
 */
export async function ownColumns(
  back: BackContext,
  kind: KindName,
  row: OwnRow,
  before: SourceRow | null,
): Promise<FormerColumns | Left> {
  const { app, context, tables } = back
  const has = (name: string) => tables.get(kind)?.columns[name] !== undefined
  const [secret = ''] = context.formerSecrets
  if (kind === 'account') return differing(accountColumns(back, row), before)
  if (kind === 'twoFactor') return factorColumns(back, row, before, { secret, has })
  if (before) return {}
  if (kind === 'apikey') {
    const owner = row.userId === null ? 'organization' : 'user'
    const referenceId = idOf(back, owner, String(row.userId ?? row.organizationId))
    const set = textOf(row.configId as SourceValue) ?? 'default'
    if (has('referenceId')) return { referenceId, configId: set }
    return owner === 'user' && set === 'default' ? { userId: referenceId } : left('a key of a set, which 1.2 does not have')
  }
  if (kind === 'session') {
    const token = app.config.move.trial ? (await readSessionTokens(app, [String(row.id)])).get(String(row.id)) : undefined
    return token === undefined ? left('a session whose token was not kept') : { token }
  }
  if (kind === 'jwks') {
    const privateKey = JSON.stringify(sealFormerText(secret, openPrivateKeyText(app, row as { readonly privateKey: string })))
    return { privateKey, ...(has('alg') && { alg: String(row.algorithm) }) }
  }
  if (kind === 'teamMember' && has('membershipKey'))
    return { membershipKey: `${idOf(back, 'team', String(row.teamId))}:${idOf(back, 'user', String(row.userId))}` }
  return kind === 'team' && has('memberCount') ? { memberCount: 0 } : {}
}

function differing(columns: FormerColumns, before: SourceRow | null): FormerColumns {
  if (!before) return columns
  return Object.fromEntries(Object.entries(columns).filter(([name, value]) => textOf(before[name]) !== value))
}

/** argon2id is not known there: such a user sets a new password. */
function accountColumns(back: BackContext, row: OwnRow): FormerColumns {
  const password = typeof row.password === 'string' ? row.password : null
  const isTheirs = password !== null && /^[\da-f]{32}:[\da-f]{128}$/.test(password)
  const open = (name: string) => (typeof row[name] === 'string' ? (openProviderToken(back.app, row[name]) ?? null) : null)
  const isCredential = row.providerId === 'credential'
  return {
    accountId: isCredential ? idOf(back, 'user', String(row.userId)) : String(row.accountId),
    password: isTheirs ? password : null,
    ...{ accessToken: open('accessToken'), refreshToken: open('refreshToken'), idToken: open('idToken') },
  }
}

interface FactorOptions {
  readonly secret: string
  readonly has: (name: string) => boolean
}

async function factorColumns(
  { app, context }: BackContext,
  row: OwnRow,
  before: SourceRow | null,
  { secret, has }: FactorOptions,
): Promise<FormerColumns | Left> {
  const userId = String(row.userId)
  const totp = (await exportFactors(app, [userId])).get(userId)?.totp
  const text = totp && Buffer.from(parseBase32(totp.secret) ?? []).toString('latin1')
  // Their secret is a text, whose bytes are the key.
  if (!text || !/^[\w-]+$/.test(text)) return left('no app of which better-auth could know the secret')
  if (before && openFormer(context, textOf(before.secret) ?? '') === text) return {}
  // Only hashes of backup codes are stored here.
  return {
    secret: sealFormerText(secret, text),
    backupCodes: sealFormerText(secret, '[]'),
    ...(has('verified') && { verified: 1 }),
  }
}

/** A value as the old database writes it. */
function formerValue(
  { source, tables, context }: BackContext,
  kind: KindName,
  name: string,
  value: unknown,
): string | number | null {
  if (value === null || value === undefined) return null
  const type = tables.get(kind)?.types[tables.get(kind)?.columns[name] ?? name] ?? ''
  if (value instanceof Date) return formerTime(value, type, source.product, context.zone)
  if (typeof value === 'boolean') return source.product === 'postgres' && type === 'boolean' ? String(value) : Number(value)
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : String(value)
}

function formerTime(value: Date, type: string, product: SourceDatabase['product'], zone: string): string | number {
  if (/int/.test(type)) return value.getTime()
  if (product === 'sqlite' || /with time zone|timestamptz/.test(type)) return value.toISOString()
  const local = zone === 'UTC' ? value : new Date(value.getTime() + offsetAt(value.getTime(), zone))
  const whole = local.toISOString().replace('T', ' ').replace('Z', '')
  return product === 'mysql' && type === 'datetime' ? whole.slice(0, 19) : whole
}
