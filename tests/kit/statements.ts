/** Records the database statements that calls take until their response. */
import type { DatabaseConnection } from 'kysely'
import type { TestApp } from './app.ts'

export interface StatementRecorder {
  /**
   * Runs a call, and after it the work that it left until after its response.
   * @returns the result, and before the response: the statements, as `verb table`, and one of these for each row that was written
   */
  record<T>(
    call: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly statements: readonly string[]; readonly rows: readonly string[] }>
}

export function recordStatements({ app }: Pick<TestApp, 'app'>): StatementRecorder {
  const deferred: Parameters<typeof app.defer>[0][] = []
  Object.assign(app, { defer: (work: Parameters<typeof app.defer>[0]) => void deferred.push(work) })
  const statements: string[] = []
  const rows: string[] = []
  const watched = new WeakSet<DatabaseConnection>()
  const executor = app.db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  Object.assign(executor, {
    provideConnection: ((consumer, options) =>
      provide((connection) => consumer(watch(connection)), options)) satisfies typeof executor.provideConnection,
  })

  function watch(connection: DatabaseConnection): DatabaseConnection {
    if (watched.has(connection)) return connection
    watched.add(connection)
    const execute = connection.executeQuery.bind(connection)
    const recording: DatabaseConnection['executeQuery'] = async <R>(...[query, options]: Parameters<typeof execute>) => {
      const statement = describeStatement(query.sql)
      statements.push(statement)
      const result = await execute<R>(query, options)
      rows.push(...Array<string>(Number(result.numAffectedRows ?? 0)).fill(statement))
      return result
    }
    return Object.assign(connection, { executeQuery: recording })
  }

  return {
    record: async (call) => {
      statements.length = 0
      rows.length = 0
      const result = await call()
      const taken = { statements: [...statements], rows: [...rows] }
      for (let work = deferred.shift(); work; work = deferred.shift()) await work(app)
      return { result, ...taken }
    },
  }
}

/** Whether a savepoint is released or undone makes no difference in work; the values do not either. */
function describeStatement(sql: string): string {
  if (/^(release|rollback to) savepoint/i.test(sql)) return 'end savepoint'
  const [, verb = ''] = /^(\w+)/.exec(sql) ?? []
  const [, table = ''] = /^(?:update|.*?\b(?:into|from)) [`"](\w+)/is.exec(sql) ?? []
  return `${verb} ${table}`.trim().toLowerCase()
}

/**
 * Runs work once, before the next statement outside of transactions that is like `verb table`: what another request does at this moment.
 * @returns whether it has run
 */
export function runBefore({ app }: Pick<TestApp, 'app'>, statement: string, work: () => Promise<unknown>): () => boolean {
  const executor = app.db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  let hasRun = false
  const executeQuery: typeof executor.executeQuery = async (query, ...rest) => {
    if (!hasRun && describeStatement(query.sql) === statement) {
      hasRun = true
      await work()
    }
    return execute(query, ...rest)
  }
  Object.assign(executor, { executeQuery })
  return () => hasRun
}
