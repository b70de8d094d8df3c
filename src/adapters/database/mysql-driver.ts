/** Connections of `mysql-pool.ts` as Kysely's driver. */
import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely'
import type { PoolConnection } from 'mysql2'
import { databaseTimeLeft, spendDatabaseTime } from '../../core/database-time.ts'
import { hasProperty } from '../../lib/driver-errors.ts'
import type { DatabaseLog, DatabaseOptions } from './dialect.ts'
import { createPreparation, MysqlConnection } from './mysql-connection.ts'
import { type ConnectionPoolOptions, openPool } from './mysql-pool.ts'
import { causalSettings, sessionSettings, unknownVariable } from './mysql-session.ts'

interface DriverOptions
  extends ConnectionPoolOptions,
    Pick<DatabaseOptions, 'queryTimeout' | 'preparedStatements' | 'causalReads'> {
  readonly log: DatabaseLog | undefined
}

/** A connection whose session is not set up must not be used, because it may store times in another time zone. */
async function setUpSession(
  raw: PoolConnection,
  options: DriverOptions,
  preparation: ReturnType<typeof createPreparation>,
): Promise<MysqlConnection> {
  const { connectTimeout, queryTimeout } = options
  const connection = new MysqlConnection(raw, Math.min(connectTimeout, queryTimeout), preparation)
  const send = (setting: string) => connection.executeQuery(CompiledQuery.raw(setting))
  for (const setting of sessionSettings(queryTimeout)) await send(setting)
  for (const setting of options.causalReads ? causalSettings : [])
    await send(setting).catch((error: unknown) => {
      if (!hasProperty(error, 'errno', [unknownVariable])) throw error
    })
  return new MysqlConnection(raw, queryTimeout, preparation)
}

function ours(connection: DatabaseConnection): MysqlConnection {
  if (connection instanceof MysqlConnection) return connection
  throw new TypeError('This connection was opened by another driver')
}

type Pool = ReturnType<typeof openPool>

/** @returns a function that takes a connection from the pool, whose session is set up */
function createTaking(pool: Pool, options: DriverOptions): () => Promise<MysqlConnection> {
  const preparation = createPreparation(options.preparedStatements ?? true, options.log)
  const connections = new WeakMap<PoolConnection, MysqlConnection>()
  const take = async (): Promise<MysqlConnection> => {
    const raw = await spendDatabaseTime(() => pool.acquire(databaseTimeLeft()))
    try {
      const connection = connections.get(raw) ?? (await setUpSession(raw, options, preparation))
      connections.set(raw, connection)
      return Object.assign(connection, { replace, isFresh: true })
    } catch (error) {
      pool.discard(raw)
      throw error
    }
  }
  const replace = async (lost: MysqlConnection): Promise<void> => {
    pool.discard(lost.raw)
    lost.isGone = true
    const { raw } = await take()
    connections.set(raw, Object.assign(lost, { raw, isGone: false, isBroken: false }))
  }
  return take
}

/** Connects for the first statement. */
export function createDriver(options: DriverOptions): Driver & Pick<Pool, 'usage'> {
  const pool = openPool(options)
  const take = createTaking(pool, options)
  return {
    usage: pool.usage,
    init: async () => {},
    acquireConnection: take,
    async releaseConnection(connection) {
      const { raw, isBroken, isLate, isGone } = ours(connection)
      if (isGone) return
      if (isLate) pool.kill(raw)
      if (isBroken) pool.discard(raw)
      else pool.release(raw)
    },
    async beginTransaction(connection, { accessMode, isolationLevel }) {
      if (isolationLevel !== undefined)
        await connection.executeQuery(CompiledQuery.raw(`set transaction isolation level ${isolationLevel}`))
      const start = accessMode === 'read only' ? 'start transaction with consistent snapshot, read only' : 'start transaction'
      await connection.executeQuery(CompiledQuery.raw(start))
      ours(connection).isInTransaction = true
    },
    async commitTransaction(connection) {
      await ours(connection).execute(CompiledQuery.raw('commit'))
      ours(connection).isInTransaction = false
    },
    async rollbackTransaction(connection) {
      await ours(connection).rollBack()
      ours(connection).isInTransaction = false
    },
    destroy: pool.end,
  }
}
