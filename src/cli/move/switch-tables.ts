/** The statements of a move in the same database: they rename the tables, and set the foreign keys of the application. */
import { movePrefix } from '../../core/table-prefix.ts'
import type { AppKey, Move, SameSchemaPlan } from '../../features/move/index.ts'
import { errorReason } from '../../lib/redact.ts'
import type { Output } from '../output.ts'
import { refused, type Target } from './same-schema.ts'
import type { OpenedSource } from './source-options.ts'

interface Switching {
  readonly target: Target
  readonly opened: OpenedSource
  readonly plan: SameSchemaPlan
  readonly move: Move
  readonly signal: AbortSignal
}

/**
 * Renames the tables in one statement. A run that is killed afterwards is completed by the next one.
 * @returns the move as it is recorded then
 * @throws Failure MOVE_ORPHANS before anything is changed
 */
export async function renameTables({ target, opened, plan, move, signal }: Switching): Promise<Move> {
  const { renameStatement, writeMove } = await import('../../features/move/index.ts')
  const { executeChanges } = await import('../../migrate/index.ts')
  const { app, database, prefix } = target
  await requireNoOrphans(opened, plan)
  const own = await existingTables(opened, (name) => name.startsWith(movePrefix))
  const names = own.map((name) => name.slice(movePrefix.length))
  const { renames, keys } = plan
  const details = { ...move.details, sameSchema: { renames, keys, own: names } }
  const switching: Move = { ...move, state: 'switching', details }
  await writeMove(app, switching)
  await executeChanges({ db: app.db, dialect: database.dialect, signal }, [renameStatement(plan, names)])
  prefix.value = ''
  return switching
}

async function existingTables({ source }: Pick<OpenedSource, 'source'>, isWanted: (name: string) => boolean): Promise<string[]> {
  return (await source.tables()).map(({ name }) => name).filter(isWanted)
}

async function requireNoOrphans({ source }: OpenedSource, { keys, collation }: SameSchemaPlan): Promise<void> {
  const { orphanQuery } = await import('../../features/move/index.ts')
  const found: { readonly key: AppKey; readonly count: number }[] = []
  for (const key of keys.filter(({ reason }) => reason === null)) {
    const [row] = await source.query(orphanQuery(key, collation, `${movePrefix}${key.target}`))
    const count = Number(row?.count ?? 0)
    if (count > 0) found.push({ key, count })
  }
  if (found.length === 0) return
  throw refused(
    'MOVE_ORPHANS',
    `Rows of the application refer to rows that were not moved: ${found.map(({ key }) => `${key.table}.${key.column}`).join(', ')}`,
    'The report lists the rows that are not moved, and the query that finds these. Correct or delete them, then run the command again.',
    found.map(({ key, count }) => ({ id: 'orphans', path: `${key.table}.${key.column}`, message: `${count} rows` })),
  )
}

export interface KeyOutcome {
  readonly table: string
  readonly name: string
  /** Why the application's table has no such key now; null when it has. */
  readonly reason: string | null
  /** After a failure: what is left to run. */
  readonly statements: readonly string[]
}

/** Brings the keys of the application to what is wanted; one that fails is reported, and keeps no user out. */
export async function settleKeys(
  { app, database }: Pick<Target, 'app' | 'database'>,
  { source }: Pick<OpenedSource, 'source'>,
  {
    keys,
    wanted,
    signal,
  }: { readonly keys: readonly AppKey[]; readonly wanted: 'before' | 'after'; readonly signal: AbortSignal },
): Promise<KeyOutcome[]> {
  const { orderKeys, readDefinition, settle, tableOf } = await import('../../features/move/index.ts')
  const { executeChanges } = await import('../../migrate/index.ts')
  const run = { db: app.db, dialect: database.dialect, signal }
  const outcomes: KeyOutcome[] = []
  for (const key of keys) {
    const remaining = async () => settle(tableOf(key), await readDefinition(source, key), key.name, key[wanted])
    const place = { table: key.table, name: key.name }
    try {
      await executeChanges(run, await remaining())
      outcomes.push({ ...place, reason: wanted === 'after' ? key.reason : null, statements: [] })
    } catch (error) {
      if (signal.aborted) throw error
      outcomes.push({ ...place, reason: errorReason(error), statements: await remaining() })
    }
  }
  for (const key of wanted === 'before' ? keys : [])
    await executeChanges(run, orderKeys(tableOf(key), await readDefinition(source, key), key.indexes))
  return outcomes
}

export function warnAboutKeys(output: Pick<Output, 'warn'>, outcomes: readonly KeyOutcome[]): void {
  for (const { table, name, reason, statements } of outcomes) {
    if (reason === null) continue
    const rest = statements.length > 0 ? `. Run: ${statements.join('; ')}` : ''
    output.warn(`${table} has no foreign key ${name} any more: ${reason}${rest}`)
  }
}

/**
 * Gives the tables their former names again, and the keys of the application too. A killed run is continued.
 * @param opened may write
 */
export async function renameBack(
  target: Pick<Target, 'app' | 'database' | 'prefix'>,
  opened: OpenedSource,
  move: Move,
  signal: AbortSignal,
): Promise<KeyOutcome[]> {
  const { reverseStatement, writeMove } = await import('../../features/move/index.ts')
  const { declareSchema, executeChanges } = await import('../../migrate/index.ts')
  const { app, database, prefix } = target
  const { sameSchema } = move.details
  if (!sameSchema) return []
  if (prefix.value === '') {
    const names = new Set([...sameSchema.own, ...Object.keys(declareSchema(app.features).tables)])
    const own = await existingTables({ source: opened.source }, (name) => names.has(name) || name.startsWith('latchkey_'))
    await writeMove(app, { ...move, state: 'returning' })
    await executeChanges({ db: app.db, dialect: database.dialect, signal }, [reverseStatement(sameSchema, own)])
    prefix.value = movePrefix
  }
  const outcomes = await settleKeys(target, opened, { keys: sameSchema.keys, wanted: 'before', signal })
  await writeMove(app, { ...move, state: 'copying' })
  return outcomes
}

/** The tables of a copy that was given up. */
export async function dropTables({ app, database }: Pick<Target, 'app' | 'database'>, signal: AbortSignal): Promise<void> {
  const { sql } = await import('kysely')
  const { executeChanges } = await import('../../migrate/index.ts')
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = database() and left(table_name, ${movePrefix.length}) = ${movePrefix} order by 1`.execute(app.db)
  const drops = rows.map(({ name }) => `drop table \`${name}\``)
  await executeChanges({ db: app.db, dialect: database.dialect, signal }, drops)
}
