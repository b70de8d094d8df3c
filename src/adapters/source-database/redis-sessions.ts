/**
 * Sessions that an application keeps in Redis (`secondaryStorage` of better-auth) and not in its database: they are read by the lists
 * of the users, never by a scan, into a table of their own, which looks like one of the old database.
 */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { SourceDatabase, SourceRow, SourceValue } from '../../core/source-database.ts'
import { createClient } from '../redis-client.ts'
import { rowHash } from './sqlite-source.ts'

/** No table of an application has this name. */
export const redisSessionTable = 'latchkey_sessions_in_redis'

const names = [
  ...(['id', 'token', 'userId', 'expiresAt', 'createdAt', 'updatedAt', 'ipAddress', 'userAgent'] as const),
  ...(['activeOrganizationId', 'activeTeamId', 'impersonatedBy'] as const),
]

export interface RedisSource {
  readonly url: string
  /** What the application puts before each key. */
  readonly prefix: string
}

export interface SourceWithSessions extends SourceDatabase {
  /** Reads the sessions of these users. @throws Error when Redis does not respond */
  load(userIds: readonly string[]): Promise<void>
}

/** @throws Error when Redis cannot be reached */
export async function withRedisSessions(source: SourceDatabase, { url, prefix }: RedisSource): Promise<SourceWithSessions> {
  const client = createClient({ url, commandTimeout: 30_000 })
  // The commands that fail say why.
  client.on('error', () => {})
  await client.connect()
  // A file without a name: it is deleted when it is closed, however the process ends.
  const table = new DatabaseSync('')
  table.exec(`create table ${redisSessionTable} (${names.map((name) => `"${name}" text`).join(', ')}, primary key ("id"))`)
  const insert = table.prepare(`insert or replace into ${redisSessionTable} values (${names.map(() => '?').join(', ')})`)
  const ownHash = rowHash(table)
  const isOwn = (text: string) => text.includes(redisSessionTable)
  const columns = names.map((name) => ({ name, type: 'text', nullable: true }))
  const read = (keys: readonly string[]) =>
    readValues(
      client,
      keys.map((key) => `${prefix}${key}`),
    )
  return {
    ...source,
    tables: async () => [...(await source.tables()), { name: redisSessionTable, columns }],
    query: async (text, values = []) =>
      isOwn(text) ? (table.prepare(text).all(...values) as unknown as SourceRow[]) : source.query(text, values),
    hash: (name, columns) => (name === redisSessionTable ? ownHash : source.hash)(name, columns),
    load: async (userIds) => {
      const tokens = (await read(userIds.map((id) => `active-sessions-${id}`))).flatMap(tokensOf)
      const values = await read(tokens)
      const rows = values.map((text, at) => rowOf(tokens[at] ?? '', text)).filter((row) => row !== null)
      table.exec('begin')
      for (const row of rows) insert.run(...names.map((name) => row[name] ?? null))
      table.exec('commit')
    },
    close: async () => {
      client.disconnect()
      table.close()
      await source.close()
    },
  }
}

async function readValues(client: ReturnType<typeof createClient>, keys: readonly string[]): Promise<readonly (string | null)[]> {
  if (keys.length === 0) return []
  const pipeline = client.pipeline()
  for (const key of keys) pipeline.get(key)
  return ((await pipeline.exec()) ?? []).map(([error, value]) => {
    if (error) throw error
    return typeof value === 'string' ? value : null
  })
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** Of the list of a user: `[{ token, expiresAt }]`. */
function tokensOf(text: string | null): string[] {
  const list = parse(text)
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    const token: unknown = Reflect.get(Object(one), 'token')
    return typeof token === 'string' ? [token] : []
  })
}

const storedValue = (value: unknown): SourceValue => (value === null || value === undefined ? null : String(value))

/** The value of a token: `{ session, user }`. A session that never was in a table has no ID: it gets one that stays the same. */
function rowOf(token: string, text: string | null): Record<string, SourceValue> | null {
  const session: unknown = Reflect.get(Object(parse(text)), 'session')
  if (typeof session !== 'object' || session === null) return null
  const row = Object.fromEntries(names.map((name) => [name, storedValue(Reflect.get(session, name))]))
  return { ...row, token, id: row.id ?? createHash('sha256').update(token).digest('hex').slice(0, 32) }
}
