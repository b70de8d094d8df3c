import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type OpenDatabase, openDatabase } from '../../src/adapters/database/open.ts'
import { createDatabaseRateLimits } from '../../src/adapters/rate-limit/database-rate-limit.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { type OpenStores, rateLimitStoreSuite } from './rate-limit-store.ts'

const timeouts = { poolSize: 10, connectTimeout: 5000, queryTimeout: 10_000 }

/** The columns that the feature `rate-limits` declares, with the collation that keys have. */
async function createTable({ db, dialect }: OpenDatabase): Promise<void> {
  const key = dialect.columnType({ type: 'varchar', length: 512 })
  const counters = '`count` integer not null, `lastRequest` bigint not null'
  const columns = `\`id\` varchar(36) primary key, \`key\` ${key} not null unique, ${counters}`
  await sql`create table ${sql.table('rateLimit')} (${sql.raw(columns)}) ${sql.raw(dialect.tableOptions)}`.execute(db)
}

const openOn =
  (create: () => Promise<{ url: string; drop(): Promise<void> }>): OpenStores =>
  async (now, count) => {
    const place = await create()
    const databases = Array.from({ length: count }, () => openDatabase({ url: place.url, ...timeouts }))
    if (databases[0]) await createTable(databases[0])
    return {
      stores: databases.map(({ db, errors }) => createDatabaseRateLimits({ db, database: errors, now })),
      close: async () => {
        for (const database of databases) await database.close()
        await place.drop()
      },
    }
  }

async function createFile(): Promise<{ url: string; drop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-rate-limit-'))
  return { url: `sqlite:${join(folder, 'test.db')}`, drop: () => rm(folder, { recursive: true }) }
}

rateLimitStoreSuite('the database server', openOn(freshDatabase), { isShared: true })
rateLimitStoreSuite('SQLite', openOn(createFile), { isShared: true })
