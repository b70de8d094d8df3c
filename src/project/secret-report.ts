/** What depends on each configured secret: the inventory for its rotation (ASVS 11.1.1, 11.1.2). */
import { sql } from 'kysely'
import type { App } from '../core/app.ts'
import type { Feature } from '../core/feature.ts'

type SecretUse = NonNullable<Feature['secretUses']>[string]

/** Rows are not counted further. */
const maxCounted = 10_000

/** A configured secret. */
export interface SecretReport {
  readonly id: string
  /** The newest secret makes new values; the others are only accepted. */
  readonly status: 'current' | 'previous'
  /** Number of rows by what they are, `maxCounted` at most; null: not counted in time. */
  readonly uses: Readonly<Record<string, number | null>>
}

/** The configured secrets, newest first, and the rows that need each of them. Reads whole tables where there is no index. */
export async function reportSecrets(app: App): Promise<SecretReport[]> {
  const uses = app.features.flatMap(({ secretUses = {} }) => Object.entries(secretUses))
  const reports: SecretReport[] = []
  for (const id of app.keyring.ids()) {
    const counts: Record<string, number | null> = {}
    for (const [name, use] of uses) counts[name] = await countRows(app, use, id)
    reports.push({ id, status: reports.length === 0 ? 'current' : 'previous', uses: counts })
  }
  return reports
}

async function countRows(app: App, { table, column, prefix = '' }: SecretUse, id: string): Promise<number | null> {
  const value = sql.ref(column)
  // A range and not a pattern: it uses the index, and an id may contain the wildcard `_`. The slash follows the dot.
  const found = sql<{ count: number | bigint | string }>`select count(*) as ${sql.ref('count')} from (
    select 1 from ${sql.table(table)} where ${value} >= ${`${prefix}${id}.`} and ${value} < ${`${prefix}${id}/`}
    limit ${sql.lit(maxCounted)}) as ${sql.ref('used')}`
  try {
    const { rows } = await found.execute(app.db)
    return Number(rows[0]?.count ?? 0)
  } catch (error) {
    if (app.database.isTimeout(error)) return null
    throw error
  }
}
