/** An application with better-auth itself, on its own database, which moves to Latchkey. */
import { DatabaseSync } from 'node:sqlite'
import { MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import { createPool } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import { Client, Pool } from 'pg'
import { onTestFinished } from 'vitest'
import { isRecord } from '../../../src/lib/objects.ts'
import { freshDatabase } from '../../kit/servers/index.ts'
import { startPostgres } from '../../kit/servers/postgres.ts'

export const formerSecret = 'old-secret-old-secret-old-secret-1234'
export const origin = 'http://localhost:4000'

export type Product = 'sqlite' | 'mysql' | 'postgres'
export type Version = '1.2' | '1.7'

export interface FormerApp {
  readonly url: string
  /** A request to the library, with its response. */
  call(path: string, body?: object | null, cookie?: string): Promise<Answer>
  /** Statements in its database. */
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export interface Answer {
  readonly status: number
  /** For a Cookie header. */
  readonly cookie: string
  // biome-ignore lint/suspicious/noExplicitAny: what the library responds with
  readonly body: any
}

interface Storage {
  readonly url: string
  readonly database: object
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

const storages: Readonly<Record<Product, (folder: string) => Promise<Storage>>> = {
  sqlite: async (folder) => {
    const path = `${folder}/old.db`
    const db = new DatabaseSync(path)
    onTestFinished(() => db.close())
    const dialect = new SqliteDialect({
      database: {
        close: () => {},
        prepare: (text: string) => {
          const statement = db.prepare(text)
          return {
            reader: statement.columns().length > 0,
            all: (values: readonly never[]) => statement.all(...values),
            run: (values: readonly never[]) => statement.run(...values),
            iterate: (values: readonly never[]) => statement.iterate(...values),
          }
        },
      } as never,
    })
    return { url: `sqlite:${path}`, database: { dialect, type: 'sqlite' }, query: async (text) => db.prepare(text).all() }
  },
  mysql: async () => {
    const { url, drop } = await freshDatabase()
    const pool = createPool({ uri: url, timezone: 'Z', connectionLimit: 4 })
    const connection = await createConnection({ uri: url })
    onTestFinished(async () => {
      await connection.end()
      await new Promise((resolve) => pool.end(resolve))
      await drop()
    })
    return {
      url,
      database: { dialect: new MysqlDialect({ pool }), type: 'mysql' },
      query: async (text) => (await connection.query(text))[0] as Record<string, unknown>[],
    }
  },
  postgres: async () => {
    const server = await startPostgres()
    const admin = new Client(`${server.url}/postgres`)
    await admin.connect()
    await admin.query('create database app')
    await admin.end()
    const url = `${server.url}/app`
    const pool = new Pool({ connectionString: url, max: 4 })
    pool.on('error', () => {})
    onTestFinished(async () => {
      await pool.end()
      await server.stop()
    })
    return {
      url,
      database: { dialect: new PostgresDialect({ pool }), type: 'postgres' },
      query: async (text) => (await pool.query(text)).rows,
    }
  },
}

interface Options {
  readonly version: Version
  readonly product: Product
  /** Of the library's file, for SQLite. */
  readonly folder: string
  /** More options of the library. */
  readonly more?: object
}

/** Creates the tables by the library's own migrations. */
export async function startFormerApp({ version, product, folder, more = {} }: Options): Promise<FormerApp> {
  const storage = await storages[product](folder)
  const { betterAuth, getMigrations, plugins } = await (version === '1.2' ? loadOldest() : loadNewest())
  const options = {
    ...{ baseURL: origin, secret: formerSecret, database: storage.database, plugins: plugins.map(unshared) },
    ...{ emailAndPassword: { enabled: true }, logger: { disabled: true }, rateLimit: { enabled: false } },
    ...more,
  }
  const { runMigrations } = await getMigrations(options)
  await runMigrations()
  const auth = betterAuth(options)
  const call: FormerApp['call'] = async (path, body = null, cookie = '') => {
    const headers = { 'content-type': 'application/json', origin, ...(cookie && { cookie }) }
    const init = body === null ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const response: Response = await auth.handler(new Request(`${origin}/api/auth${path}`, init))
    const text = await response.text()
    const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    return { status: response.status, cookie: pairs.join('; '), body: text === '' ? null : JSON.parse(text) }
  }
  return { url: storage.url, call, query: storage.query }
}

/** The library writes the names of tables into the schema of a plugin, which all its instances have in common. */
function unshared(plugin: unknown): unknown {
  const copied = (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copied(one)])) : value
  return { ...Object(plugin), schema: copied(Object(plugin).schema) }
}

interface Library {
  // biome-ignore lint/suspicious/noExplicitAny: two versions with different types
  readonly betterAuth: (options: any) => { handler(request: Request): Promise<Response> }
  // biome-ignore lint/suspicious/noExplicitAny: two versions with different types
  readonly getMigrations: (options: any) => Promise<{ runMigrations(): Promise<void> }>
  readonly plugins: readonly unknown[]
}

async function loadOldest(): Promise<Library> {
  const [{ betterAuth }, { getMigrations }, all, { passkey }] = await Promise.all([
    import('better-auth'),
    import('better-auth/db'),
    import('better-auth/plugins'),
    import('better-auth/plugins/passkey'),
  ])
  const { admin, anonymous, apiKey, jwt, organization, phoneNumber, twoFactor, username } = all
  const sendOTP = async () => {}
  const plugins = [
    ...[organization({ teams: { enabled: true } }), admin(), apiKey({ enableMetadata: true, rateLimit: { enabled: false } })],
    ...[jwt(), username(), phoneNumber({ sendOTP }), anonymous(), twoFactor(), passkey()],
  ]
  return { betterAuth, getMigrations, plugins }
}

/** With the plugin of API keys, which comes in a package of its own: with a set of keys of organizations too. */
async function loadNewest(): Promise<Library> {
  const [{ newest }, { getMigrations }] = await Promise.all([
    import('../../../tools/newest-client/server.ts'),
    import('better-auth-newest/db/migration'),
  ])
  const all = newest.plugins as Readonly<Record<string, (options?: unknown) => unknown>>
  const plugin = (name: string, options?: object) => all[name]?.(options)
  const sendOTP = async () => {}
  const keys = { enableMetadata: true, rateLimit: { enabled: false } }
  const plugins = [
    plugin('organization', { teams: { enabled: true }, dynamicAccessControl: { enabled: false } }),
    plugin('apiKey', [
      { ...keys, configId: 'default' },
      { ...keys, configId: 'team', references: 'organization' },
    ] as object),
    ...[plugin('admin'), plugin('jwt'), plugin('username'), plugin('phoneNumber', { sendOTP })],
    ...[plugin('anonymous'), plugin('twoFactor')],
  ]
  return { betterAuth: newest.betterAuth as Library['betterAuth'], getMigrations, plugins }
}
