/**
 * Databases with the tables of a schema. Migrations run once per schema and process; further databases get the tables that they made,
 * and a database is used by one test after another as long as tests change nothing in it but rows.
 */
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import { type Database, freshDatabase } from './databases.ts'

interface Template {
  readonly tables: ReadonlyMap<string, string>
  /** Inserts the rows that migrations write. */
  readonly inserts: readonly string[]
}

const templates = new Map<string, Promise<Template>>()
/** The template of each database, by its name. */
const copies = new Map<string, Template>()
/** Databases of tests that have ended, with tables and without rows. */
const idle: Database[] = []

/** A database for one test: empty, or with the tables and without the rows of a test that has ended. */
export const takeDatabase = async (): Promise<Database> => idle.pop() ?? freshDatabase()

/** Keeps the database for another test, or drops it when the test has changed more than rows or is still connected. */
export async function returnDatabase(database: Database): Promise<void> {
  const template = copies.get(database.name)
  if (template && (await connected(database.url, (connection) => deleteRows(connection, template)).catch(() => false))) {
    idle.push(database)
  } else {
    await database.drop()
  }
}

/**
 * Makes the tables of a schema, with the rows that its migrations write, in an empty database or one of `takeDatabase`.
 * @param key same schema, same key
 * @param migrate runs the migrations; called for the first database with this key
 */
export async function copySchema(target: string, key: string, migrate: (url: string) => Promise<void>): Promise<void> {
  const reading = templates.get(key) ?? readTemplate(migrate)
  templates.set(key, reading)
  const template = await reading
  const name = new URL(target).pathname.slice(1)
  const former = copies.get(name)
  const renewed = former ? [`DROP DATABASE \`${name}\``, `CREATE DATABASE \`${name}\``, `USE \`${name}\``] : []
  const statements = former === template ? template.inserts : [...renewed, ...template.tables.values(), ...template.inserts]
  copies.set(name, template)
  if (statements.length === 0) return
  await connected(target, (connection) => connection.query(['SET foreign_key_checks = 0', ...statements].join(';\n')))
}

/** @returns false when anything but rows differs from the template, or another connection may still write */
async function deleteRows(connection: Connection, { tables }: Template): Promise<boolean> {
  const [[processes], [triggers]] = await Promise.all([
    connection.query<RowDataPacket[]>('SHOW PROCESSLIST'),
    connection.query<RowDataPacket[]>('SHOW TRIGGERS'),
  ])
  const connections = processes.filter(({ db }) => db === connection.config.database)
  if (connections.length > 1 || triggers.length > 0) return false
  const found = await readTables(connection)
  if (found.size !== tables.size || [...found].some(([name, statement]) => tables.get(name) !== statement)) return false
  const deletions = [...found.keys()].map((name) => `DELETE FROM \`${name}\``)
  await connection.query(['SET foreign_key_checks = 0, innodb_lock_wait_timeout = 1', ...deletions].join(';\n'))
  return true
}

async function readTemplate(migrate: (url: string) => Promise<void>): Promise<Template> {
  const database = await freshDatabase()
  await migrate(database.url)
  const template = await connected(database.url, async (connection) => {
    const tables = await readTables(connection)
    const inserts: string[] = []
    for (const name of tables.keys()) {
      // As text, which the server takes for every type: the copy may be on another server.
      const options = { sql: 'SELECT * FROM ??', rowsAsArray: true, typeCast: asText }
      const [rows] = await connection.query<RowDataPacket[]>(options, [name])
      if (rows.length > 0) inserts.push(connection.format('INSERT INTO ?? VALUES ?', [name, rows]))
    }
    return { tables, inserts }
  })
  await database.drop()
  return template
}

/** The statement that creates each table. */
async function readTables(connection: Connection): Promise<Map<string, string>> {
  const names = await listTables(connection)
  if (names.length === 0) return new Map()
  const text = names.map((name) => `SHOW CREATE TABLE \`${name}\``).join(';\n')
  const [results] = await connection.query<RowDataPacket[][]>(text)
  const rows = names.length === 1 ? [results] : results
  return new Map(names.map((name, position) => [name, String(Object.values(rows[position]?.[0] ?? {})[1])]))
}

const asText = (field: { string(): string | null }): string | null => field.string()

async function listTables(connection: Connection): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>('SHOW TABLES')
  return rows.map((row) => String(Object.values(row)[0]))
}

async function connected<T>(uri: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri, multipleStatements: true, connectTimeout: 10_000 })
  try {
    return await work(connection)
  } finally {
    connection.destroy()
  }
}
