/** What a plan would destroy of other programs: their columns, tables that replaced ours, and what their foreign keys refer to. */
import { rejectAny } from './migration-error.ts'
import { describeTaken, type Taken } from './own-tables.ts'
import type { Prepared } from './ownership.ts'
import { primaryColumns, type Schema } from './schema.ts'

type Plan = Pick<Prepared, 'tasks' | 'base' | 'byHand'>

/**
 * Before the first statement, because a rollback that stops in its middle has lost the tables before it.
 * @throws MigrationError NAMES_TAKEN, STILL_REFERENCED
 */
export function checkLosses(live: Schema, plans: readonly Plan[]): void {
  const lost = findLost(live, plans).map(describeTaken)
  rejectAny('NAMES_TAKEN', 'The migrations would drop what no migration declares, with its values. Nothing was changed', lost)
  rejectReferring(live, plans)
}

/** @throws MigrationError STILL_REFERENCED */
export function rejectReferring(live: Schema, plans: readonly Plan[]): void {
  const message = 'Foreign keys of other programs refer to tables that would be dropped. Nothing was changed'
  rejectAny('STILL_REFERENCED', message, findReferring(live, plans).map(describeTaken))
}

const droppedBy = ({ tasks }: Plan, kind: string): string[] =>
  tasks.flatMap(({ statement: { change } }) => (change?.name.startsWith(`${kind}:`) ? [change.name.slice(kind.length + 1)] : []))

/** Also tables of others that an earlier version recorded as its own: they have another primary key. */
function findLost({ tables }: Schema, plans: readonly Plan[]): Taken[] {
  const isDeclared = (table: string, column: string): boolean =>
    plans.some(
      ({ base, byHand }) =>
        Object.keys(base.tables[table]?.columns ?? {}).some((name) => name.toLowerCase() === column.toLowerCase()) ||
        byHand.some((statement) => statement.includes(column)),
    )
  return plans.flatMap((plan) =>
    droppedBy(plan, 'drop-table').flatMap((table): Taken[] => {
      const found = tables[table]
      if (!found) return []
      const declared = plan.base.tables[table]
      const foreign = Object.keys(found.columns).filter((column) => !isDeclared(table, column))
      if (foreign.length > 0) return foreign.map((column) => ({ path: `${table}.${column}`, kind: 'column' }))
      const [key = ''] = primaryColumns(declared)
      const isOther = declared && found.columns[key]?.type !== declared.columns[key]?.type
      return isOther ? [{ path: table, kind: 'table' }] : []
    }),
  )
}

/** The server would reject the statement, after those before it. */
function findReferring({ tables }: Schema, plans: readonly Plan[]): Taken[] {
  const dropped = new Set(plans.flatMap((plan) => droppedBy(plan, 'drop-table')))
  const gone = new Set(plans.flatMap((plan) => droppedBy(plan, 'drop-foreign-key')))
  return Object.entries(tables).flatMap(([table, { foreignKeys }]) => {
    if (dropped.has(table)) return []
    const isLeft = ([name, { references }]: [string, { readonly references: string }]) =>
      dropped.has(references) && tables[references] !== undefined && !gone.has(`${table}.${name}`)
    const left = Object.entries(foreignKeys).filter(isLeft)
    return left.map(([name]): Taken => ({ path: `${table}.${name}`, kind: 'foreign-key' }))
  })
}
