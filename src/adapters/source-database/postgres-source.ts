/** An old database on PostgreSQL. Its driver is installed only by those who need it. */

import type { Client } from 'pg'
import type { SourceDatabase, SourceReference, SourceRow } from '../../core/source-database.ts'
import { hasProperty } from '../../lib/driver-errors.ts'
import { doubleQuoted } from '../../lib/text.ts'
import { type SourceOptions, tablesOf } from './open.ts'

const missing =
  'The package pg reads PostgreSQL, and is not installed here. Install it in the folder of the configuration: npm install pg'

async function loadDriver(): Promise<typeof import('pg')> {
  try {
    return await import('pg')
  } catch (error) {
    if (hasProperty(error, 'code', ['ERR_MODULE_NOT_FOUND'])) throw new Error(missing, { cause: error })
    throw error
  }
}

/** @throws Error when `pg` is missing, or the server cannot be reached or rejects the account */
export async function openPostgresSource({ url, writes = false }: SourceOptions): Promise<SourceDatabase> {
  const { default: driver } = await loadDriver()
  const client = new driver.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    // Texts as the server writes them.
    types: { getTypeParser: () => (text: string | Buffer) => text },
  })
  await client.connect()
  // Times with a zone are then read in UTC.
  await client.query("set time zone 'UTC'; set datestyle = 'ISO, YMD'; set bytea_output = 'hex'")
  if (!writes) await client.query('set session characteristics as transaction read only')
  const query: SourceDatabase['query'] = async (text, values = []) =>
    (await client.query(numbered(text), [...values])).rows as SourceRow[]
  const [{ version = '', name = '' } = {}] = await query(
    "select current_setting('server_version') as version, current_database() as name",
  )
  return {
    product: 'postgres',
    label: `PostgreSQL ${String(version).split(' ')[0]} ${name}@${new URL(url).host}`,
    query,
    quote: doubleQuoted,
    hash: (_, columns) => {
      const row = columns.map((name) => `quote_nullable(${name}::text)`).join(" || ',' || ")
      return `left(encode(sha256(convert_to(${row}, 'UTF8')), 'hex'), 22)`
    },
    tables: async () => tablesOf(await query(columnsQuery)),
    references: async () => (await query(referencesQuery)) as unknown as SourceReference[],
    connections: async () => {
      const [row] = await query(
        "select count(*) as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
      )
      return Number(row?.count ?? 0)
    },
    write: (statements) => writeAll(client, statements),
    close: () => client.end(),
  }
}

async function writeAll(client: Client, statements: Parameters<SourceDatabase['write']>[0]): Promise<void> {
  await client.query('begin')
  try {
    for (const [text, values] of statements) await client.query(numbered(text), [...values])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** `$1` in place of each `?`; none of our names has one. */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}

const columnsQuery = `select c.table_name as table, c.column_name as name, c.data_type as type, c.is_nullable as nullable
  from information_schema.columns c join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
  where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`

const referencesQuery = `select source.relname as table, a.attname as column, target.relname as target, format_type(a.atttypid, a.atttypmod) as type
  from pg_constraint k join pg_class source on source.oid = k.conrelid join pg_class target on target.oid = k.confrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
  where k.contype = 'f' and source.relnamespace = current_schema()::regnamespace order by source.relname, a.attname`
