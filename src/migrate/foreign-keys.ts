/**
 * Adds a foreign key to an existing table of MySQL or MariaDB without copying it. In place the servers do not check existing rows, so
 * they are checked afterwards, in slices: from the moment the key exists, the server checks every new row itself.
 */
import { sql } from 'kysely'
import type { Session } from './execute.ts'
import { MigrationError } from './migration-error.ts'
import { primaryColumns, type Schema } from './schema.ts'

/** A foreign key of the schema that a migration leads to. */
interface NewForeignKey {
  readonly table: string
  readonly name: string
  readonly column: string
  readonly references: string
  /** The primary key of the referenced table. */
  readonly key: string
}

/** @param change as in `add-foreign-key:session.session_userId_fk` @returns null for another change */
export function findNewForeignKey(change: string | undefined, target: Schema): NewForeignKey | null {
  const [, table = '', name = ''] = /^add-foreign-key:(\w+)\.(\w+)$/.exec(change ?? '') ?? []
  const declared = target.tables[table]?.foreignKeys[name]
  const [key] = primaryColumns(target.tables[declared?.references ?? ''])
  return declared && key ? { table, name, column: declared.column, references: declared.references, key } : null
}

/** Both servers refuse to add a foreign key in place while they check them. The setting holds for this statement only. */
export async function withoutForeignKeyChecks<T>({ connection }: Session, work: () => Promise<T>): Promise<T> {
  await sql`set session foreign_key_checks = 0`.execute(connection)
  try {
    return await work()
  } finally {
    // A lost connection has no setting to restore.
    await sql`set session foreign_key_checks = 1`.execute(connection).catch(() => undefined)
  }
}

/** Values of one slice. The foreign key has an index, so that only these are read. */
const sliceSize = 1000

/** @throws MigrationError ORPHANS after dropping the foreign key, when rows refer to rows that do not exist */
export async function checkReferences(session: Session, added: NewForeignKey): Promise<void> {
  let values = await readSlice(session, added, null)
  while (values.length > 0) {
    const orphans = await findOrphans(session, added, values)
    if (orphans.length > 0) {
      const { table, name } = added
      const drop = sql`alter table ${sql.table(table)} drop foreign key ${sql.ref(name)}, algorithm=inplace, lock=none`
      await drop.execute(session.connection)
      throw orphansError(added, orphans)
    }
    values = values.length < sliceSize ? [] : await readSlice(session, added, values.at(-1) ?? null)
  }
}

async function readSlice({ connection }: Session, { table, column }: NewForeignKey, last: string | null): Promise<string[]> {
  const value = sql.ref(column)
  const after = last === null ? sql`${value} is not null` : sql`${value} > ${last}`
  const { rows } = await sql<{ value: string }>`select distinct ${value} as ${sql.ref('value')} from ${sql.table(table)}
    where ${after} order by ${value} limit ${sql.lit(sliceSize)}`.execute(connection)
  return rows.map((row) => row.value)
}

/** Waits for transactions that delete one of the referenced rows: they may have begun before the key existed. */
async function findOrphans({ connection }: Session, { references, key }: NewForeignKey, values: readonly string[]) {
  const { rows } = await sql<{ value: string }>`select ${sql.ref(key)} as ${sql.ref('value')} from ${sql.table(references)}
    where ${sql.ref(key)} in (${sql.join(values)}) lock in share mode`.execute(connection)
  const existing = new Set(rows.map((row) => row.value))
  return values.filter((value) => !existing.has(value))
}

function orphansError({ table, name, column, references, key }: NewForeignKey, orphans: readonly string[]): MigrationError {
  const part = `${table}.${column}`
  const message = `Rows of ${table} refer by ${column} to rows of ${references} that do not exist, such as '${orphans[0]}'. The foreign key ${name} was not added`
  const find = `select * from \`${table}\` where \`${column}\` is not null and \`${column}\` not in (select \`${key}\` from \`${references}\`)`
  return new MigrationError('ORPHANS', message, { details: [part, find] })
}
