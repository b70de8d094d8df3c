/** What a MySQL or MariaDB server reports about itself. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../features/index.ts'

const names = [
  'group_replication_single_primary_mode',
  'max_connections',
  'max_user_connections',
  'max_prepared_stmt_count',
  'wsrep_on',
  'wsrep_sync_wait',
  'group_replication_group_name',
  'group_replication_consistency',
] as const
/** The variables that are checked, with the values for this account's connections; one that the server does not have is absent. */
export type ServerVariables = Readonly<Partial<Record<(typeof names)[number], string>>>

/** Needs no privilege. */
export async function readServerVariables(db: Kysely<Database>): Promise<ServerVariables> {
  const { rows } = await sql<{ Variable_name: string; Value: string }>`show session variables
    where variable_name in (${sql.join(names)})`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.Variable_name, row.Value]))
}

/** @returns the product and its version number: `MySQL 9.7.4`, `MariaDB 11.8.2` */
export async function readServerVersion(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const text = rows[0]?.version ?? ''
  return /mariadb/i.test(text) ? `MariaDB ${text.split('-')[0]}` : `MySQL ${text}`
}

/** Whether the server accepts no writes, as a replica. Newer versions of MariaDB have several kinds of read-only. */
export async function isReadOnly(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ Value: string }>`show global variables where variable_name = 'read_only'`.execute(db)
  return !['OFF', '0'].includes(rows[0]?.Value ?? 'OFF')
}

export interface Unsupported {
  readonly message: string
  readonly hint: string
}

/** @returns why no write can succeed on a server with these settings; null if it is supported */
export function findUnsupported(variables: ServerVariables): Unsupported | null {
  if (variables.group_replication_single_primary_mode !== 'OFF') return null
  return {
    message: 'Group Replication is in multi-primary mode, which rejects writes to tables with cascading foreign keys',
    hint: 'Switch the group to single-primary mode: SELECT group_replication_switch_to_single_primary_mode()',
  }
}
