/** Fresh databases on the shared server, and accounts with fewer rights. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import { startMariaDB } from './mariadb.ts'
import { startMySQL } from './mysql.ts'
import { getBinary, mariadb } from './packages.ts'
import type { Server } from './server.ts'
import { sharedServers } from './shared.ts'

const execute = promisify(execFile)

export interface Database {
  readonly name: string
  /** With the name of the database as its path; the account may do everything. */
  readonly url: string
  /**
   * Creates an account for this database alone.
   * @param privileges as in GRANT; the default is what a daemon needs, without any DDL
   * @returns the address with that account
   */
  createAccount(privileges?: string): Promise<string>
  /** Removes the database and its accounts. What a test leaves behind goes at the end of the run. */
  drop(): Promise<void>
}

/**
 * Creates an empty database for one test only.
 * @param server address of a private server; the shared one when left out
 */
export async function freshDatabase(server?: string): Promise<Database> {
  const { databaseUrl: admin, run } = server === undefined ? sharedServers() : { databaseUrl: server, run: 'aside' }
  const name = `${prefixOf(run)}${randomBytes(3).toString('hex')}`
  await connected(admin, (connection) => connection.query(`CREATE DATABASE \`${name}\``))
  return {
    name,
    url: withDatabase(admin, name),
    createAccount: (privileges = 'SELECT, INSERT, UPDATE, DELETE') => createAccount(admin, name, privileges),
    drop: () => connected(admin, (connection) => dropMatching(connection, name)),
  }
}

/**
 * Removes what the run has created and its tests have left behind.
 * @param run as in `SharedServers`
 */
export const dropDatabases = (admin: string, run: string): Promise<void> =>
  connected(admin, (connection) => dropMatching(connection, prefixOf(run)))

/**
 * Starts a private server of the same kind as the shared one, for tests that pull its plug.
 * @param args further options of the server
 */
export async function startDatabase(args: readonly string[] = []): Promise<Server> {
  const fetched = process.env.TEST_MYSQL
  if (fetched) return startMySQL(fetched, args)
  const binary = await getBinary(mariadb)
  const { stdout } = await execute(binary, ['--version'])
  return /mariadb/i.test(stdout) ? startMariaDB(args) : startMySQL(binary, args)
}

// With six characters for the database and five for an account this makes the 32 that MySQL allows.
const prefixOf = (run: string): string => `latchkey_test_${run}_`

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function createAccount(admin: string, database: string, privileges: string): Promise<string> {
  const user = `${database}_${randomBytes(2).toString('hex')}`
  const password = randomBytes(9).toString('hex')
  await connected(admin, async (connection) => {
    await connection.query(`CREATE USER '${user}'@'%' IDENTIFIED BY '${password}'`)
    await connection.query(`GRANT ${privileges} ON \`${database}\`.* TO '${user}'@'%'`)
  })
  const url = new URL(withDatabase(admin, database))
  url.username = user
  url.password = password
  return url.href
}

async function connected<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri: url, connectTimeout: 10_000 })
  try {
    return await work(connection)
  } finally {
    connection.destroy()
  }
}

async function dropMatching(connection: Connection, prefix: string): Promise<void> {
  for (const name of await listNames(connection, 'schema_name', 'information_schema.schemata', prefix)) {
    await connection.query(`DROP DATABASE IF EXISTS \`${name}\``)
  }
  for (const name of await listNames(connection, 'User', 'mysql.user', prefix)) {
    await connection.query(`DROP USER IF EXISTS '${name}'@'%'`)
  }
}

async function listNames(connection: Connection, column: string, table: string, prefix: string): Promise<string[]> {
  const text = `SELECT ${column} AS name FROM ${table} WHERE LEFT(${column}, ?) = ?`
  const [rows] = await connection.query<RowDataPacket[]>(text, [prefix.length, prefix])
  return rows.map((row) => String(row.name))
}
