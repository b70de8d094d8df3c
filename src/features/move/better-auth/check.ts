/** Compares the old database with Latchkey: counts, samples of each table, sealed values. */
import { importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import type { App } from '../../../core/app.ts'
import { hasTable } from '../../../core/table.ts'
import { importPrivateKey } from '../../jwt/index.ts'
import { countEntries, findEntries, findNewIds } from './entries.ts'
import type { Draft, MoveContext, MoveSettings } from './kind.ts'
import { kindOf } from './run.ts'
import { type KindName, kindNames } from './shapes.ts'
import { type SourceDatabase, type SourceRow, textOf } from './source.ts'
import { countRows, hasNumberIds, pageRows, type Tables } from './source-pages.ts'

export interface KindCheck {
  readonly kind: KindName
  readonly rows: number
  readonly moved: number
  readonly compared: number
  /** `kind id: column` of rows that differ. */
  readonly differences: readonly string[]
}

export interface CheckOptions {
  readonly app: App
  readonly source: SourceDatabase
  readonly tables: Tables
  readonly settings: MoveSettings
  /** Rows of each table that are compared column by column. */
  readonly samples: number
}

/** Columns that Latchkey computes or seals again for each row. */
const notCompared: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  user: ['lastSignInAt', 'activity', 'sortName', 'accessRevision'],
  account: ['accessToken', 'refreshToken', 'idToken', 'mustReplacePassword'],
  organization: ['memberCount', 'revision', 'twoFactorRequiredAt'],
  invitation: ['status', 'pendingEmail', 'createdAt'],
  jwks: ['privateKey', 'sequence', 'retiredAt', 'tokenLifetime'],
  passkey: ['userHandle', 'lastUsedAt'],
}

/** Of these a row has no table with columns of its own to compare. */
const onlyCounted: readonly KindName[] = ['twoFactor', 'verification']

export async function checkMove(options: CheckOptions): Promise<KindCheck[]> {
  const { app, source, tables, settings } = options
  const newIds = await findNewIds(app)
  const context: MoveContext = { ...settings, app, source, tables, newIds, found: new Map(), now: app.now() }
  const checks: KindCheck[] = []
  for (const kind of kindNames) {
    if (!tables.has(kind) || !hasTable(app, kind)) continue
    const [rows, moved] = [await countRows(source, tables, kind), await countEntries(app, kind)]
    const sample = onlyCounted.includes(kind) ? [] : await sampleOf(options, kind)
    const differences = await compare(context, kind, sample)
    checks.push({ kind, rows, moved, compared: sample.length, differences })
  }
  return checks
}

/** Rows from all over the table: after IDs that are random texts, or between the first and the last number. */
async function sampleOf({ app, source, tables, samples }: CheckOptions, kind: KindName): Promise<SourceRow[]> {
  const page = 20
  const found = new Map<string, SourceRow>()
  const starts = [null, ...Array.from({ length: Math.ceil(samples / page) - 1 }, () => app.random.token(8))]
  const isNumber = hasNumberIds(tables, kind)
  const count = isNumber ? await countRows(source, tables, kind) : 0
  for (const start of starts) {
    const after = start !== null && isNumber ? String(Math.floor((Buffer.from(start).readUInt32BE() / 2 ** 32) * count)) : start
    for (const row of await pageRows(source, tables, kind, { after, limit: page })) found.set(textOf(row.id) ?? '', row)
  }
  return [...found.values()]
}

async function compare(context: MoveContext, kind: KindName, rows: readonly SourceRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const { app } = context
  const entries = await findEntries(
    app,
    kind,
    rows.map((row) => textOf(row.id) ?? ''),
  )
  const stored = await app.db
    .selectFrom(kind as 'team')
    .selectAll()
    .where('id', 'in', [...entries.values()].map(({ targetId }) => targetId).concat(''))
    .execute()
  const byId = new Map<string, Readonly<Record<string, unknown>>>(stored.map((row) => [row.id, row]))
  await kindOf(kind).prepare?.(context, rows)
  const differences: string[] = []
  for (const row of rows) {
    const entry = entries.get(textOf(row.id) ?? '')
    if (!entry) continue
    const draft = kindOf(kind).map(context, row)
    // A row that has expired since.
    if ('left' in draft) continue
    const own = byId.get(entry.targetId)
    if (!own) differences.push(`${kind} ${entry.targetId}: missing`)
    else differences.push(...differing(kind, draft, own, leftOut(context, kind)))
  }
  return [...differences, ...(kind === 'jwks' ? await unusableKeys(app) : [])]
}

const plain = (value: unknown): string =>
  JSON.stringify(value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : (value ?? null))

/** Since 1.7 the first team of a member is derived from rows of their own. */
const leftOut = ({ tables }: MoveContext, kind: KindName): readonly string[] => [
  ...(notCompared[kind] ?? []),
  ...(kind === 'member' && tables.get('member')?.columns.teamId === undefined ? ['teamId'] : []),
]

function differing(
  kind: KindName,
  { id, columns }: Draft,
  own: Readonly<Record<string, unknown>>,
  left: readonly string[],
): string[] {
  return Object.entries(columns)
    .filter(([name, value]) => name !== 'id' && !left.includes(name) && plain(value) !== plain(own[name]))
    .map(([name]) => `${kind} ${id}: ${name}`)
}

/** Each key signs, and its public part verifies. */
async function unusableKeys(app: App): Promise<string[]> {
  const rows = await app.db.selectFrom('jwks').selectAll().execute()
  const unusable: string[] = []
  for (const row of rows) {
    try {
      const token = await new SignJWT({}).setProtectedHeader({ alg: row.algorithm }).sign(await importPrivateKey(app, row))
      await jwtVerify(token, await importJWK(JSON.parse(row.publicKey) as JWK, row.algorithm))
    } catch {
      unusable.push(`jwks ${row.id}: does not sign and verify`)
    }
  }
  return unusable
}
