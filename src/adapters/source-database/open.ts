/** Opens the database of an application that moves to Latchkey, to read it, or to write it back. */
import type { SourceDatabase, SourceRow, SourceTable } from '../../core/source-database.ts'

export interface SourceOptions {
  /** `mysql:`, `postgres:` or `sqlite:` */
  readonly url: string
  /** Default: the database refuses writes. */
  readonly writes?: boolean
}

/** @throws Error when the URL has another scheme, a package is missing, or the database cannot be reached */
export async function openSource(options: SourceOptions): Promise<SourceDatabase> {
  const { url } = options
  if (/^(mysql|mariadb):/.test(url)) return (await import('./mysql-source.ts')).openMysqlSource(options)
  if (/^postgres(ql)?:/.test(url)) return (await import('./postgres-source.ts')).openPostgresSource(options)
  if (url.startsWith('sqlite:')) return (await import('./sqlite-source.ts')).openSqliteSource(options)
  throw new Error('The URL of the old database must start with mysql:, postgres: or sqlite:')
}

/** @param rows of a query for columns, ordered by table */
export function tablesOf(rows: readonly SourceRow[]): SourceTable[] {
  const byTable = Map.groupBy(rows, ({ table }) => String(table))
  return [...byTable].map(([name, columns]) => ({
    name,
    columns: columns.map((column) => ({
      name: String(column.name),
      type: String(column.type),
      nullable: ['YES', '1'].includes(String(column.nullable)),
    })),
  }))
}
