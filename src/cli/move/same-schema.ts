/** `--same-schema`: the tables of Latchkey are filled in the database of the application, and the last run renames them and the old ones. */
import type { OpenApp } from '../../app.ts'
import type { App } from '../../core/app.ts'
import { movePrefix, type TablePrefix } from '../../core/table-prefix.ts'
import type { Move, PlanDocument, SameSchemaPlan } from '../../features/move/index.ts'
import { exitCodes, Failure, usageError } from '../../project/failure.ts'
import type { LoadedConfig } from '../../project/load-config.ts'
import type { Context } from '../command.ts'
import type { OpenedSource } from './source-options.ts'

export interface Target {
  readonly app: App
  readonly database: OpenApp['database']
  readonly loaded: LoadedConfig
  readonly prefix: TablePrefix
  /** Null before the first run. */
  readonly move: Move | null
}

export const refused = (code: string, message: string, hint: string, details: Failure['details'] = []): Failure =>
  new Failure(code, message, { exitCode: exitCodes.refused, hint, details })

/** Connects; creates nothing. @throws Failure USAGE */
export async function openTarget(context: Pick<Context, 'loadConfig' | 'openApp'>): Promise<Target> {
  const { hasPrefixedTables, findMove } = await import('../../features/move/index.ts')
  const { config } = await context.loadConfig()
  if (!config.database.url?.startsWith('mysql:')) throw usageError('--same-schema needs MySQL or MariaDB as database.url')
  const prefix: TablePrefix = { value: movePrefix }
  const { app, database, loaded } = await context.openApp({ tablePrefix: prefix })
  if (!(await hasPrefixedTables(app))) {
    prefix.value = ''
    const move = await findMove(app)
    if (move) return { app, database, loaded, prefix, move }
    prefix.value = movePrefix
  }
  return { app, database, loaded, prefix, move: await findMove(app) }
}

/** @throws Failure MOVE_FINAL */
export function requireNotFinal({ state }: Pick<Move, 'state'>): void {
  if (state !== 'final') return
  throw refused('MOVE_FINAL', 'This move is final: Latchkey serves', 'To go back, run latchkey move back.')
}

/** @throws Failure MOVE_OTHER_SOURCE, MOVE_FINAL, MOVE_BACK_UNFINISHED, MOVE_SWITCHING */
export function requireUnfinished({ move, prefix }: Pick<Target, 'move' | 'prefix'>, isFinal: boolean): void {
  if (!move) return
  if (prefix.value === '' && !move.details.sameSchema)
    throw refused('MOVE_OTHER_SOURCE', 'Another database is being moved here', 'Leave --same-schema out.')
  if (move.state === 'returning')
    throw refused('MOVE_BACK_UNFINISHED', 'The way back is not complete', 'Complete it: latchkey move back.')
  requireNotFinal(move)
  if (prefix.value === '' && !isFinal)
    throw refused(
      'MOVE_SWITCHING',
      'The tables are renamed, and the switch is not complete',
      'Complete it with --apply --final, or go back with latchkey move back.',
    )
}

/** Whether the tables are renamed already, and a killed run is to be completed. */
export const isSwitching = ({ prefix, move }: Pick<Target, 'prefix' | 'move'>): boolean => prefix.value === '' && move !== null

/** The tables under other names. */
export function withNames(
  tables: OpenedSource['recognized']['tables'],
  renames: SameSchemaPlan['renames'],
): OpenedSource['recognized']['tables'] {
  const names = new Map(renames)
  return new Map([...tables].map(([kind, table]) => [kind, { ...table, table: names.get(table.table) ?? table.table }]))
}

/** How the old database is read. */
export async function sourceUseOf({ loaded, prefix, move }: Target) {
  const { renamedMapping } = await import('../../features/move/index.ts')
  const { sameSchema, mapping = {} } = move?.details ?? {}
  const fallback = loaded.config.database.url
  if (prefix.value !== '' || !sameSchema) return { fallback }
  return { fallback, mapping: renamedMapping(mapping, sameSchema), isOwn: (table: string) => sameSchema.own.includes(table) }
}

/** @throws Failure USAGE */
export async function requireSameDatabase({ app }: Pick<Target, 'app'>, { source }: OpenedSource): Promise<void> {
  const { sql } = await import('kysely')
  const { rows } = await sql<{ place: string }>`select concat_ws(' ', @@hostname, @@port, database()) as place`.execute(app.db)
  const [own] = await source.query("select concat_ws(' ', @@hostname, @@port, database()) as place")
  if (own?.place !== rows[0]?.place)
    throw usageError('--same-schema: the old database must be the one of database.url; leave --database out')
}

/** From the migrations of the configuration. */
export async function planOf({ features }: Pick<App, 'features'>, { source, recognized }: OpenedSource) {
  const { planSameSchema, planDocument } = await import('../../features/move/index.ts')
  const { declareSchema, ownTableNames } = await import('../../migrate/index.ts')
  const { tables } = declareSchema(features)
  const own = {
    tables: [
      ...Object.keys(tables),
      ...ownTableNames.filter((name) => name !== 'latchkey_made'),
      'latchkey_move',
      'latchkey_move_entry',
    ],
    foreignKeys: Object.values(tables).flatMap(({ foreignKeys }) => Object.keys(foreignKeys)),
  }
  const plan = await planSameSchema(source, recognized, own)
  return { plan, document: planDocument(plan, own) }
}

/** @throws Failure MOVE_NAMES_TAKEN */
export function requireFreeNames({ taken }: Pick<SameSchemaPlan, 'taken'>): void {
  if (taken.length === 0) return
  throw refused(
    'MOVE_NAMES_TAKEN',
    `The application has tables or foreign keys with names that the move needs: ${taken.join(', ')}`,
    'Rename these first, or move to another database of the server: leave --same-schema out.',
  )
}

/** @throws Failure MIGRATIONS_NOT_GENERATED, SHAPE_DIFFERS */
export async function createTables({ app, database, loaded, prefix }: Target): Promise<void> {
  if (prefix.value === '') return
  const { findUngenerated, migrationsFolder } = await import('../../project/schema-check.ts')
  const { checkSecret } = await import('../../project/daemon-checks.ts')
  const { createPrefixed, MigrationError } = await import('../../migrate/index.ts')
  const ungenerated = await findUngenerated(loaded)
  if (ungenerated) throw ungenerated
  const { db, dialect } = database
  const operator = app.actor.kind === 'operator' ? app.actor.name : 'move'
  try {
    await createPrefixed({ db, dialect, dir: migrationsFolder(loaded.directory), prefix: prefix.value, operator })
  } catch (error) {
    if (!(error instanceof MigrationError) || error.code !== 'SHAPE_DIFFERS') throw error
    throw refused(error.code, error.message, 'Give the copy up with `latchkey move finish --unfinished`, then start it again.')
  }
  await checkSecret({ app, database }, null)
}

/** The plan as the report prints it. */
export const planLines = ({ rename, foreignKeys, taken, notes }: PlanDocument): string[] => [
  ...taken.map((name) => `The name ${name} is taken: rename it first`),
  'The last run (--apply --final) executes:',
  `  ${rename};`,
  ...foreignKeys.flatMap(({ table, column, orphans, statements, reason, copies }) => [
    `${table}.${column}: rows without a target, of which there must be none:`,
    `  ${orphans};`,
    ...statements.map((statement) => `  ${statement};`),
    ...(reason === null ? [] : [`  The key is not added again: ${reason}`]),
    ...(copies > 0 ? [`  Copies about ${copies} rows, because the column gets the collation of Latchkey's IDs`] : []),
  ]),
  ...notes,
]
