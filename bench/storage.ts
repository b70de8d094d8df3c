/** Starts private servers for a run, with enough memory for a million users. They stop at its end. */
import { createConnection } from 'mysql2/promise'
import { startMariaDB, startRedis } from '../tests/kit/servers/index.ts'
import { startMySQL } from '../tests/kit/servers/mysql.ts'
import { registerCleanup } from './cleanup.ts'

export interface Storage {
  /** @returns the URL of an empty database */
  freshDatabase(): Promise<string>
  /** The URL of a server. */
  readonly redis: string
}

export async function startStorage(): Promise<Storage> {
  const mysql = process.env.TEST_MYSQL
  const memory = '--innodb-buffer-pool-size=4G'
  const server = await (mysql
    ? startMySQL(mysql, [memory, '--innodb-redo-log-capacity=1G'])
    : startMariaDB([memory, '--innodb-log-file-size=512M']))
  const redis = await startRedis()
  registerCleanup(async () => {
    await redis.stop()
    await server.stop()
  })
  let count = 0
  return {
    redis: redis.url,
    freshDatabase: async () => {
      const name = `bench${++count}`
      const connection = await createConnection(server.url)
      await connection.query(`create database ${name}`)
      await connection.end()
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).href
    },
  }
}
