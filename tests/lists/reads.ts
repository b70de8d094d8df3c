/** Counts the rows that the database reads for calls: a figure that does not depend on how busy the machine is. */
import { CompiledQuery, type DatabaseConnection } from 'kysely'
import type { App } from '../../src/core/app.ts'

interface MeasuredStatement {
  readonly sql: string
  /** Index entries and rows, also those of temporary tables. */
  readonly reads: number
}

export interface ReadCounter {
  /** @returns the statements that the call took, those with the most reads first */
  measure<T>(
    call: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly reads: number; readonly statements: MeasuredStatement[] }>
}

/** A condition that the storage engine checks by itself would hide the rows that it rejects. */
const settings = CompiledQuery.raw("set session optimizer_switch = 'index_condition_pushdown=off'")
const status = CompiledQuery.raw("show session status like 'Handler_read%'")

async function readStatus(connection: DatabaseConnection): Promise<number> {
  const { rows } = await connection.executeQuery<{ readonly Value: string }>(status)
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
}

/** @param app on a MySQL or MariaDB server; all its statements are counted from now on */
export function countReads({ db }: Pick<App, 'db'>): ReadCounter {
  let statements: MeasuredStatement[] = []
  /** What reading the status reads itself. */
  const overheads = new WeakMap<DatabaseConnection, number>()
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  const watched = new WeakMap<DatabaseConnection, DatabaseConnection>()

  async function prepare(connection: DatabaseConnection): Promise<void> {
    if (overheads.has(connection)) return
    await connection.executeQuery(settings)
    await readStatus(connection)
    const before = await readStatus(connection)
    overheads.set(connection, (await readStatus(connection)) - before)
  }

  function watch(connection: DatabaseConnection): DatabaseConnection {
    const known = watched.get(connection)
    if (known) return known
    const measuring: DatabaseConnection = {
      ...connection,
      streamQuery: connection.streamQuery.bind(connection),
      executeQuery: async (query, options) => {
        await prepare(connection)
        const before = await readStatus(connection)
        try {
          return await connection.executeQuery(query, options)
        } finally {
          const reads = (await readStatus(connection)) - before - (overheads.get(connection) ?? 0)
          statements.push({ sql: query.sql, reads })
        }
      },
    }
    watched.set(connection, measuring)
    return measuring
  }

  Object.assign(executor, {
    provideConnection: ((consumer, options) =>
      provide((connection) => consumer(watch(connection)), options)) satisfies typeof executor.provideConnection,
  })

  return {
    measure: async (call) => {
      statements = []
      const result = await call()
      const taken = statements.toSorted((one, other) => other.reads - one.reads)
      return { result, reads: taken.reduce((sum, { reads }) => sum + reads, 0), statements: taken }
    },
  }
}
