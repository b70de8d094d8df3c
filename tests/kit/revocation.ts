/** A takeover between the authentication of a call and its first write: the moment that no test can hit by timing. */
import type { DatabaseConnection } from 'kysely'
import { featureList } from '../../src/features/index.ts'
import type { TestApp } from './app.ts'

const accessOf = (key: string) =>
  Object.values(featureList)
    .flatMap((feature) => Object.entries(feature.routes ?? {}))
    .find(([name]) => name === key)?.[1].declaration.access

/** Whether a call needs the session of a user. */
export const isAuthenticated = (key: string): boolean => accessOf(key)?.kind === 'session'

/** Whether a call needs a permission of the roles of its user. */
export function needsPermission(key: string): boolean {
  const access = accessOf(key)
  return access?.kind === 'session' && 'permissions' in access && access.permissions !== undefined
}

/** Runs a statement right before the next transaction begins. */
export function interruptNextTransaction(
  { app: { db } }: Pick<TestApp, 'app'>,
  statement: { execute(): Promise<unknown> },
): void {
  const begin = db.transaction.bind(db)
  const interrupted: typeof begin = () => {
    Object.assign(db, { transaction: begin })
    const next = begin()
    const execute: typeof next.execute = async (work) => {
      await statement.execute()
      return next.execute(work)
    }
    return Object.assign(Object.create(next), { execute })
  }
  Object.assign(db, { transaction: interrupted })
}

/** What may differ after a rejected call: the sessions that the takeover ended, and the record of the rejection. */
const left = ['session', 'auditEvent', 'auditState']

/** The rows of all tables that a rejected call must leave as they are. */
export async function readRows({ app }: Pick<TestApp, 'app'>): Promise<Readonly<Record<string, unknown>>> {
  const tables = (await app.db.introspection.getTables()).map(({ name }) => name).filter((name) => !left.includes(name))
  const rows = tables.map(
    async (name) =>
      [
        name,
        await app.db
          .selectFrom(name as 'user')
          .selectAll()
          .execute(),
      ] as const,
  )
  return Object.fromEntries(await Promise.all(rows))
}

/** Ends all sessions right before the next statement that writes or begins a transaction. On SQLite, which has one connection. */
export function revokeBeforeNextWrite({ app }: Pick<TestApp, 'app'>): void {
  const executor = app.db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  let isDone = false
  const watch = (connection: DatabaseConnection): DatabaseConnection =>
    new Proxy(connection, {
      get: (target, name) => {
        if (name !== 'executeQuery') return Reflect.get(target, name, target)
        const execute: DatabaseConnection['executeQuery'] = async (query, options) => {
          if (!isDone && /^\s*(begin|insert|update|delete)\b/i.test(query.sql)) {
            isDone = true
            await target.executeQuery(app.db.deleteFrom('session').compile(), options)
          }
          return target.executeQuery(query, options)
        }
        return execute
      },
    })
  Object.assign(executor, {
    provideConnection: ((consumer, options) =>
      provide((connection) => consumer(watch(connection)), options)) satisfies typeof executor.provideConnection,
  })
}
