/** The steps from one schema to another, in an order in which each is possible. Pure. */
import { hasSameType, type Step } from './changes.ts'
import { type ColumnSchema, emptyTable, type ForeignKeySchema, isSame, type Schema, type TableSchema } from './schema.ts'

interface Kept {
  readonly table: string
  readonly from: TableSchema
  readonly to: TableSchema
}

/**
 * Foreign keys are dropped first and added last. Indexes over a changed column are dropped before the change, others after
 * their replacements exist, so that every foreign key always has its index and every unique rule its key.
 * A renamed table or column counts as dropped and added: only its name identifies it.
 */
export function diffSchemas(from: Schema, to: Schema): Step[] {
  const created = Object.keys(to.tables).filter((table) => !from.tables[table])
  const dropped = Object.keys(from.tables).filter((table) => !to.tables[table])
  const kept = Object.entries(from.tables).flatMap(([table, before]): Kept[] => {
    const after = to.tables[table]
    return after ? [{ table, from: before, to: after }] : []
  })
  const creation = orderTables(to, created, () => false)
  // A primary key cannot change while a table that is dropped later still refers to it.
  const removal = orderTables(from, dropped, ({ references }) => isRekeyed(from, to, references))
  const touched = kept.flatMap((pair) => changedForeignKeys(pair, from, to))
  const columns = kept.flatMap(changedColumns)
  const indexes = kept.flatMap(changedIndexes)
  return [
    ...removal.deferred.map(({ table, name, foreignKey }): Step => ({ kind: 'drop-foreign-key', table, name, foreignKey })),
    ...touched.filter(({ kind }) => kind === 'drop-foreign-key'),
    ...indexes.filter(({ isEarly }) => isEarly).map(({ step }) => step),
    ...columns.filter(({ kind }) => kind === 'add-column'),
    ...columns.filter(({ kind }) => kind === 'change-column'),
    ...creation.ordered.map((table): Step => ({ kind: 'create-table', ...withoutDeferred(to, table, creation.deferred) })),
    ...indexes.filter(({ step }) => step.kind === 'add-index').map(({ step }) => step),
    ...indexes.filter(({ step, isEarly }) => step.kind === 'drop-index' && !isEarly).map(({ step }) => step),
    ...columns.filter(({ kind }) => kind === 'drop-column'),
    ...removal.ordered
      .toReversed()
      .map((table): Step => ({ kind: 'drop-table', ...withoutDeferred(from, table, removal.deferred) })),
    ...creation.deferred.map(({ table, name, foreignKey }): Step => ({ kind: 'add-foreign-key', table, name, foreignKey })),
    ...touched.filter(({ kind }) => kind === 'add-foreign-key'),
  ]
}

interface Deferred {
  readonly table: string
  readonly name: string
  readonly foreignKey: ForeignKeySchema
}

/** Tables after those they refer to. Foreign keys that close a circle, or are `isLoose`, are deferred. */
function orderTables(
  schema: Schema,
  tables: readonly string[],
  isLoose: (foreignKey: ForeignKeySchema) => boolean,
): { ordered: string[]; deferred: Deferred[] } {
  const ordered: string[] = []
  const deferred: Deferred[] = []
  const visiting = new Set<string>()
  const visit = (table: string): void => {
    if (ordered.includes(table) || !tables.includes(table)) return
    visiting.add(table)
    for (const [name, foreignKey] of Object.entries(schema.tables[table]?.foreignKeys ?? {})) {
      if (foreignKey.references === table) continue
      if (visiting.has(foreignKey.references) || isLoose(foreignKey)) deferred.push({ table, name, foreignKey })
      else visit(foreignKey.references)
    }
    visiting.delete(table)
    ordered.push(table)
  }
  for (const table of tables.toSorted()) visit(table)
  return { ordered, deferred }
}

function withoutDeferred(schema: Schema, table: string, deferred: readonly Deferred[]): { table: string; schema: TableSchema } {
  const whole = schema.tables[table] ?? emptyTable
  const isDeferred = (name: string) => deferred.some((other) => other.table === table && other.name === name)
  const foreignKeys = Object.fromEntries(Object.entries(whole.foreignKeys).filter(([name]) => !isDeferred(name)))
  return { table, schema: { ...whole, foreignKeys } }
}

function changedColumns({ table, from, to }: Kept): Step[] {
  const dropped = Object.entries(from.columns).filter(([name]) => !to.columns[name])
  return [
    ...Object.entries(to.columns).flatMap(([name, column]): Step[] => {
      const before = from.columns[name]
      if (!before) return [{ kind: 'add-column', table, name, column }]
      return isSame(before, column) ? [] : [{ kind: 'change-column', table, name, from: before, to: column }]
    }),
    ...dropped.map(([name, column]): Step => ({ kind: 'drop-column', table, name, column })),
  ]
}

function changedIndexes(pair: Kept): { step: Step; isEarly: boolean }[] {
  const { table, from, to } = pair
  const dropped = Object.entries(from.indexes).filter(([name, index]) => !isSame(index, to.indexes[name]))
  const added = Object.entries(to.indexes).filter(([name, index]) => !isSame(index, from.indexes[name]))
  const replaced = new Set(added.map(([name]) => name))
  return [
    ...dropped.map(([name, index]) => ({
      step: { kind: 'drop-index', table, name, index } as const,
      isEarly: replaced.has(name) || index.columns.some((column) => isRetyped(pair, column)),
    })),
    ...added.map(([name, index]) => ({ step: { kind: 'add-index', table, name, index } as const, isEarly: false })),
  ]
}

function isRetyped({ from, to }: Kept, column: string): boolean {
  const [before, after] = [from.columns[column], to.columns[column]]
  return before !== undefined && after !== undefined && !isSame({ ...before, default: null }, { ...after, default: null })
}

const keyOf = (schema: Schema, table: string): ColumnSchema | undefined =>
  Object.values(schema.tables[table]?.columns ?? {}).find(({ primary }) => primary)

/** Whether the type of a table's primary key changes. */
export function isRekeyed(from: Schema, to: Schema, table: string): boolean {
  const [before, after] = [keyOf(from, table), keyOf(to, table)]
  return before !== undefined && after !== undefined && !hasSameType(before, after)
}

/** Includes unchanged foreign keys whose index, or whose column at either end, changes. */
function changedForeignKeys(pair: Kept, from: Schema, to: Schema): Step[] {
  const { table } = pair
  const early = changedIndexes(pair).filter(({ isEarly }) => isEarly)
  const losesIndex = (column: string) => early.some(({ step }) => 'index' in step && step.index.columns[0] === column)
  const isMoved = ({ column, references }: ForeignKeySchema): boolean =>
    isRetyped(pair, column) || losesIndex(column) || isRekeyed(from, to, references)
  const changes = (foreignKey: ForeignKeySchema, other: ForeignKeySchema | undefined) =>
    !isSame(foreignKey, other) || isMoved(foreignKey)
  return [
    ...Object.entries(pair.from.foreignKeys)
      .filter(([name, foreignKey]) => changes(foreignKey, pair.to.foreignKeys[name]))
      .map(([name, foreignKey]): Step => ({ kind: 'drop-foreign-key', table, name, foreignKey })),
    ...Object.entries(pair.to.foreignKeys)
      .filter(([name, foreignKey]) => changes(foreignKey, pair.from.foreignKeys[name]))
      .map(([name, foreignKey]): Step => ({ kind: 'add-foreign-key', table, name, foreignKey })),
  ]
}
