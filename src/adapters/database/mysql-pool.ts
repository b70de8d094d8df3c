/** The connections of mysql2's pool, with a deadline for everything. */
import { Socket } from 'node:net'
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2'
import type { DatabaseOptions } from './dialect.ts'

/** No connection became free within the deadline. */
export const busyCode = 'POOL_BUSY'

export interface DriverOptions
  extends Pick<DatabaseOptions, 'poolSize' | 'connectTimeout' | 'queryTimeout' | 'preparedStatements'> {
  readonly address: Pick<PoolOptions, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'>
}

/** Prepared statements are counted by the server over all connections. */
const keptStatements = 50

/** Affected rows are the rows that matched, changed or not, as in SQLite. */
const flags = ['FOUND_ROWS', '-LOCAL_FILES']

export const createMysqlPool = ({ poolSize, connectTimeout, address }: DriverOptions): Pool =>
  createPool({
    ...address,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    connectTimeout,
    connectionLimit: poolSize,
    maxPreparedStatements: keptStatements,
    decimalNumbers: true,
    stringifyObjects: true,
    multipleStatements: false,
    enableKeepAlive: true,
    flags,
  })

/** A connection, new or used, or the reason why there is none in time. */
export const getConnection = (pool: Pool, timeout: number): Promise<PoolConnection> =>
  new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(Object.assign(new Error(`No connection to the database was free within ${timeout} ms`), { code: busyCode }))
    }, timeout)
    pool.getConnection((error, connection) => {
      clearTimeout(timer)
      if (isLate) connection?.release()
      else if (error) reject(error)
      else resolve(connection)
    })
  })

/** Also closes a socket whose other end is silent, which would otherwise keep the process alive. */
export function destroy(connection: PoolConnection): void {
  connection.destroy()
  if ('stream' in connection && connection.stream instanceof Socket) connection.stream.destroy()
}

/** Ends what is open; a server that does not answer the farewell is left without it. */
export const endPool = (pool: Pool, timeout: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, timeout)
    pool.end((error) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    })
  })
