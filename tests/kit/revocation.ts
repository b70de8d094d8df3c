/** A takeover between the authentication of a call and its first write: the moment that no test can hit by timing. */
import type { Compilable, DatabaseConnection } from 'kysely'
import type { Feature } from '../../src/core/feature.ts'
import { featureList } from '../../src/features/index.ts'
import { flushStatistics } from '../../src/features/statistics/index.ts'
import type { TestApp } from './app.ts'
import type { Browser } from './browser.ts'

const accessOf = (key: string) =>
  Object.values(featureList)
    .flatMap((feature) => Object.entries(feature.routes ?? {}))
    .find(([name]) => name === key)?.[1].declaration.access

/** Calls that the lists send without a session; `src/features/sessions/takeover.test.ts` sends them with one. */
const withoutSession = ['POST /phone-number/verify', 'POST /send-verification-email', 'POST /admin/has-permission']

/** Whether a call needs the session of a user, or is sent with it. */
export function isAuthenticated(key: string): boolean {
  const access = accessOf(key)?.kind
  return access === 'session' || (access === 'optional-session' && !withoutSession.includes(key))
}

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

/** What a takeover ends. */
type Credentials = 'session' | 'apikey'

/** A browser that sends an API key of its user in place of their session. The key permits everything that a key can permit. */
export async function withKey({ app, browser }: TestApp, owner: Browser): Promise<Browser> {
  const { id, key } = (await owner.call('POST /api-key/create', { body: { name: 'everything' } })).body
  const features: readonly Feature[] = Object.values(featureList)
  const permissions = JSON.stringify(Object.assign({}, ...features.map((feature) => feature.permissions)))
  await app.db.updateTable('apikey').set({ permissions, rateLimitEnabled: false }).where('id', '=', id).execute()
  const keyed = browser()
  return {
    ...keyed,
    call: (name, input, headers) => keyed.call(name, input, { 'x-api-key': key, ...headers }),
    request: (path, request) => keyed.request(path, { ...request, headers: { 'x-api-key': key, ...request?.headers } }),
  }
}

/** What may differ after a rejected call: the sessions or keys that the takeover ended, and the record of the rejection. */
const left = ['auditEvent', 'auditState']

/** The rows of all tables that a rejected call must leave as they are. @param ended whose rows the takeover has deleted */
export async function readRows(
  { app, settled }: Pick<TestApp, 'app' | 'settled'>,
  ended: Credentials = 'session',
): Promise<Readonly<Record<string, unknown>>> {
  // What calls leave for later would be written by itself: after their responses, and what is counted two seconds later.
  await settled()
  await flushStatistics(app)
  const tables = (await app.db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => ![...left, ended].includes(name))
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

/**
 * Ends all sessions or API keys right before the next statement that writes or begins a transaction, but for the count of the use of a
 * key. On SQLite, which has one connection.
 */
export const revokeBeforeNextWrite = ({ app }: Pick<TestApp, 'app'>, ended: Credentials = 'session'): void =>
  interruptNextWrite({ app }, [app.db.deleteFrom(ended)])

/** Runs statements at that moment. */
export function interruptNextWrite({ app }: Pick<TestApp, 'app'>, statements: readonly Compilable[]): void {
  const executor = app.db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  let isDone = false
  const watch = (connection: DatabaseConnection): DatabaseConnection =>
    new Proxy(connection, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target)
        // Connections to servers have private members.
        if (name !== 'executeQuery') return typeof member === 'function' ? member.bind(target) : member
        const execute: DatabaseConnection['executeQuery'] = async (query, options) => {
          if (!isDone && /^\s*(begin|insert|update(?! "apikey")|delete)\b/i.test(query.sql)) {
            isDone = true
            for (const one of statements) await target.executeQuery(one.compile(), options)
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
