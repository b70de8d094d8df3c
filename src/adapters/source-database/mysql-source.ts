/** An old database on MySQL or MariaDB. */

import { createConnection } from 'mysql2/promise'
import type { SourceDatabase, SourceReference, SourceRow } from '../../core/source-database.ts'
import { backticked } from '../../lib/text.ts'
import { type SourceOptions, tablesOf } from './open.ts'

const connectTimeout = 10_000

/**
 * The session keeps the time zone of the server: `timestamp` then shows the clock that the application has written.
 * @throws Error when the server cannot be reached or rejects the account
 */
export async function openMysqlSource({ url, writes = false }: SourceOptions): Promise<SourceDatabase> {
  const connection = await createConnection({
    uri: url.replace(/^mariadb:/, 'mysql:'),
    ...{ connectTimeout, dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, charset: 'utf8mb4' },
  })
  // The driver escapes with backslashes, which a server may have switched off; truncated values are errors.
  await connection.query("set session sql_mode = 'STRICT_ALL_TABLES'")
  if (!writes) await connection.query('set session transaction read only')
  const query: SourceDatabase['query'] = async (text, values = []) => {
    const [rows] = await connection.query(text, [...values])
    return rows as SourceRow[]
  }
  const [{ version = '', name = '' } = {}] = await query('select version() as version, database() as name')
  const product = String(version).includes('MariaDB') ? 'MariaDB' : 'MySQL'
  return {
    product: 'mysql',
    label: `${product} ${String(version).split('-')[0]} ${name}@${new URL(url).host}`,
    query,
    quote: backticked,
    hash: rowHash,
    tables: async () => tablesOf(await query(columnsQuery)),
    references: async () => (await query(referencesQuery)) as unknown as SourceReference[],
    connections: async () => {
      const [row] = await query(connectionsQuery)
      return Number(row?.count ?? 0)
    },
    write: async (statements) => {
      await connection.beginTransaction()
      try {
        for (const [text, values] of statements) await connection.query(text, [...values])
        await connection.commit()
      } catch (error) {
        await connection.rollback()
        throw error
      }
    },
    close: () => connection.end(),
  }
}

/** Of bytes, because columns may have different character sets. */
const rowHash: SourceDatabase['hash'] = (_, columns) =>
  `left(sha2(concat_ws(',', ${columns.map((name) => `cast(quote(${name}) as binary)`).join(', ')}), 256), 22)`

const connectionsQuery =
  'select count(*) as count from information_schema.processlist where db = database() and id <> connection_id()'

const columnsQuery = `select c.table_name as \`table\`, c.column_name as name, lower(c.column_type) as type, c.is_nullable as nullable
  from information_schema.columns c join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
  where c.table_schema = database() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`

const referencesQuery = `select k.table_name as \`table\`, k.column_name as \`column\`, k.referenced_table_name as target, lower(c.column_type) as type
  from information_schema.key_column_usage k join information_schema.columns c
    on c.table_schema = k.table_schema and c.table_name = k.table_name and c.column_name = k.column_name
  where k.table_schema = database() and k.referenced_table_name is not null order by k.table_name, k.column_name`
