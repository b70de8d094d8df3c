/** Brings what was written at Latchkey back into the database of better-auth: new rows, changed columns, deleted rows. */
import type { App } from '../../../core/app.ts'
import { hasTable } from '../../../core/table.ts'
import { batchesOf } from '../../../core/write.ts'
import { deleteEntries, type Entry, findEntriesByTarget, findNewIds, insertEntries, pageEntries } from './entries.ts'
import { commonColumns, type FormerColumns, ownColumns } from './former-columns.ts'
import type { MoveContext, MoveSettings } from './kind.ts'
import { kindOf } from './run.ts'
import type { KindName } from './shapes.ts'
import { type SourceDatabase, type SourceRow, textOf } from './source.ts'
import { hasNumberIds, rowsByIds, type Tables } from './source-pages.ts'

/** Verifications live for minutes, and both sides keep their own. */
const returned: readonly KindName[] = [
  ...(['user', 'account', 'organization', 'team', 'member', 'teamMember', 'organizationRole', 'invitation'] as const),
  ...(['apikey', 'jwks', 'twoFactor', 'passkey', 'session'] as const),
]

export interface BackCounts {
  readonly kind: KindName
  inserted: number
  updated: number
  removed: number
  /** Rows that better-auth cannot have, with the reason. */
  readonly left: { readonly id: string; readonly reason: string }[]
}

export interface BackOptions {
  readonly app: App
  readonly source: SourceDatabase
  readonly tables: Tables
  readonly settings: MoveSettings
  readonly signal: AbortSignal
}

interface Run extends BackOptions {
  readonly context: MoveContext
  /** IDs of better-auth for rows whose own do not fit there, by kind and ID. */
  readonly formerIds: Map<string, string>
}

const batch = 500

export async function moveBack(options: BackOptions): Promise<BackCounts[]> {
  const { app, source, tables, settings } = options
  const newIds = await findNewIds(app)
  const context: MoveContext = { ...settings, app, source, tables, newIds, found: new Map(), now: app.now() }
  const formerIds = new Map(
    [...newIds].map(([key, id]) => {
      const at = key.indexOf(' ')
      return [`${key.slice(0, at)} ${id}`, key.slice(at + 1)] as const
    }),
  )
  const run: Run = { ...options, context, formerIds }
  const kinds = returned.filter((kind) => tables.has(kind) && hasTable(app, kind))
  const counts = new Map(kinds.map((kind) => [kind, { kind, inserted: 0, updated: 0, removed: 0, left: [] } as BackCounts]))
  for (const kind of kinds.toReversed()) await removeMissing(run, kind, counts.get(kind) as BackCounts)
  for (const kind of kinds) await writeKind(run, kind, counts.get(kind) as BackCounts)
  return [...counts.values()]
}

/** The column by which a row of Latchkey is known: second factors are of a user. */
const keyColumn = (kind: KindName): 'id' | 'userId' => (kind === 'twoFactor' ? 'userId' : 'id')

type OwnRow = Readonly<Record<string, unknown>>

async function pageOwn({ app }: Run, kind: KindName, after: string): Promise<OwnRow[]> {
  const column = keyColumn(kind) as 'id'
  const query = app.db
    .selectFrom(kind as 'team')
    .selectAll()
    .where(column, '>', after)
    .orderBy(column)
    .limit(batch)
  return query.execute()
}

async function findOwn({ app }: Run, kind: KindName, ids: readonly string[]): Promise<Set<string>> {
  const column = keyColumn(kind) as 'id'
  const rows = await app.db
    .selectFrom(kind as 'team')
    .select(column)
    .where(column, 'in', ids)
    .execute()
  return new Set(rows.map((row) => row[column]))
}

async function removeMissing(run: Run, kind: KindName, counts: BackCounts): Promise<void> {
  const { app, source, tables } = run
  const id = source.quote(tables.get(kind)?.columns.id ?? 'id')
  const table = source.quote(tables.get(kind)?.table ?? kind)
  for (let after = ''; ; ) {
    const page = await pageEntries(app, kind, after, batch)
    const last = page.at(-1)
    if (!last) return
    after = last.sourceId
    const own = await findOwn(
      run,
      kind,
      page.map(({ targetId }) => targetId),
    )
    const gone = page.filter(({ targetId }) => !own.has(targetId)).map(({ sourceId }) => sourceId)
    if (gone.length === 0) continue
    await source.write([[`delete from ${table} where ${id} in (${gone.map(() => '?').join(', ')})`, gone]])
    await deleteEntries(app, kind, gone)
    counts.removed += gone.length
  }
}

async function writeKind(run: Run, kind: KindName, counts: BackCounts): Promise<void> {
  for (let after = ''; ; ) {
    run.signal.throwIfAborted()
    const page = await pageOwn(run, kind, after)
    const last = page.at(-1)
    if (!last) return
    after = String(last[keyColumn(kind)])
    const known = await findEntriesByTarget(
      run.app,
      kind,
      page.map((row) => String(row[keyColumn(kind)])),
    )
    await updateKnown(
      run,
      kind,
      page.filter((row) => known.has(String(row[keyColumn(kind)]))),
      known,
      counts,
    )
    await insertNew(
      run,
      kind,
      page.filter((row) => !known.has(String(row[keyColumn(kind)]))),
      counts,
    )
  }
}

type Statement = readonly [text: string, values: readonly (string | number | null)[]]

async function updateKnown(
  run: Run,
  kind: KindName,
  own: readonly OwnRow[],
  known: ReadonlyMap<string, Entry>,
  counts: BackCounts,
) {
  if (own.length === 0) return
  const { context, source, tables } = run
  const rows = await rowsByIds(
    source,
    tables,
    kind,
    [...known.values()].map(({ sourceId }) => sourceId),
  )
  await kindOf(kind).prepare?.(context, rows)
  const former = new Map(rows.map((row) => [textOf(row.id) ?? '', row]))
  const statements: Statement[] = []
  for (const row of own) {
    const { sourceId = '' } = known.get(String(row[keyColumn(kind)])) ?? {}
    const before = former.get(sourceId)
    if (!before) continue
    const columns = await changedOf(run, kind, row, before)
    if (Object.keys(columns).length > 0) statements.push(updateOf(run, kind, sourceId, columns))
  }
  for (const some of batchesOf(statements, batch)) await source.write(some)
  counts.updated += statements.length
}

/** Compares as Latchkey stores both, so that only what was changed is written. */
async function changedOf(run: Run, kind: KindName, row: OwnRow, before: SourceRow): Promise<FormerColumns> {
  const draft = kindOf(kind).map(run.context, before)
  const own = await ownColumns(run, kind, row, before)
  // What was left out at the move is not compared.
  if ('left' in draft || 'left' in own) return {}
  const [now, was] = [commonColumns(run, kind, row), commonColumns(run, kind, { ...row, ...draft.columns })]
  const changed = Object.entries(now).filter(([name, value]) => value !== was[name])
  return { ...Object.fromEntries(changed), ...(own as FormerColumns) }
}

function updateOf({ source, tables }: Run, kind: KindName, id: string, columns: FormerColumns): Statement {
  const table = tables.get(kind)
  const sets = Object.keys(columns).map((name) => `${source.quote(table?.columns[name] ?? name)} = ?`)
  const text = `update ${source.quote(table?.table ?? kind)} set ${sets.join(', ')} where ${source.quote(table?.columns.id ?? 'id')} = ?`
  return [text, [...Object.values(columns), id]]
}

async function insertNew(run: Run, kind: KindName, own: readonly OwnRow[], counts: BackCounts): Promise<void> {
  const { app, source, tables, formerIds } = run
  const statements: Statement[] = []
  const added: Entry[] = []
  let next = await nextNumber(run, kind, own.length)
  for (const row of own) {
    const targetId = String(row[keyColumn(kind)])
    const own = await ownColumns(run, kind, row, null)
    if ('left' in own) {
      counts.left.push({ id: targetId, reason: String(own.left) })
      continue
    }
    const columns = { ...commonColumns(run, kind, row), ...(own as FormerColumns) }
    const sourceId = next === null ? String(row.id) : String(next)
    if (next !== null) {
      next += 1
      formerIds.set(`${kind} ${targetId}`, sourceId)
    }
    const all = { ...columns, id: sourceId }
    const names = Object.keys(all).map((name) => source.quote(tables.get(kind)?.columns[name] ?? name))
    const marks = names.map(() => '?').join(', ')
    statements.push([
      `insert into ${source.quote(tables.get(kind)?.table ?? kind)} (${names.join(', ')}) values (${marks})`,
      Object.values(all),
    ])
    added.push({ sourceId, targetId, hash: '' })
  }
  if (statements.length === 0) return
  await source.write([...statements, ...numbersTaken(run, kind, next)])
  await insertEntries(app, kind, added)
  counts.inserted += added.length
}

/** The first free number of a table with number IDs; null for texts. */
async function nextNumber(run: Run, kind: KindName, count: number): Promise<number | null> {
  if (count === 0 || !hasNumberIds(run.tables, kind)) return null
  const { source, tables } = run
  const id = source.quote(tables.get(kind)?.columns.id ?? 'id')
  const [row] = await source.query(
    `select max(${id}) as ${source.quote('last')} from ${source.quote(tables.get(kind)?.table ?? kind)}`,
  )
  return Number(textOf(row?.last) ?? 0) + 1
}

/** PostgreSQL counts apart from the rows. */
function numbersTaken({ source, tables }: Run, kind: KindName, next: number | null): Statement[] {
  if (next === null || source.product !== 'postgres') return []
  const { table = kind, columns = { id: 'id' } } = tables.get(kind) ?? {}
  return [[`select setval(pg_get_serial_sequence(?, ?), ?)`, [source.quote(table), columns.id ?? 'id', next - 1]]]
}
