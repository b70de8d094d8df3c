/** A feature with a column of every kind, on a database of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { OpenDatabase } from '../../src/adapters/database/open.ts'
import { openApp } from '../../src/app.ts'
import type { App } from '../../src/core/app.ts'
import {
  bigint,
  boolean,
  id,
  index,
  integer,
  json,
  nullable,
  type Rows,
  references,
  string,
  text,
  timestamp,
  unique,
} from '../../src/core/table.ts'
import { type Database, featureList } from '../../src/features/index.ts'
import { declareSchema, generate, push, up } from '../../src/migrate/index.ts'
import { parseConfig } from '../../src/project/config/parse-config.ts'
import { watch } from './ports.ts'

const tables = {
  probe: {
    id: id(),
    name: unique(string({ length: 100 })),
    note: nullable(text()),
    active: boolean({ default: true }),
    count: integer({ default: 0 }),
    total: bigint({ default: 0 }),
    at: nullable(timestamp()),
    data: nullable(json<Record<string, unknown>>()),
  },
  kept: { id: id(), probeId: references('probe', 'restrict') },
  freed: { id: id(), probeId: nullable(references('probe', 'set null')) },
  removed: { id: id(), probeId: references('probe'), at: timestamp() },
}
export type ProbeTables = Database & Rows<typeof tables>
const probe = { tables, indexes: { removed: [index('at')] } }

/** The handle with the probe's tables among its types. */
export const probes = (app: Pick<App, 'db'>): Kysely<ProbeTables> => app.db.$extendTables<Rows<typeof tables>>()

const config = {
  secret: 'a secret of the tests, 0123456789 abcdefghij',
  baseURL: 'http://localhost:3000',
  environment: 'development',
}

export interface Probe {
  readonly app: App
  readonly database: OpenDatabase
  readonly lines: ReturnType<typeof watch>['lines']
  readonly counted: readonly string[]
  close(): Promise<void>
}

/** Opens a database as a daemon does. @param options as in the section `database`, other than usual */
export async function openProbe(
  url: string,
  options: { poolSize?: number; connectTimeout?: number; queryTimeout?: number; preparedStatements?: boolean } = {},
): Promise<Probe> {
  const features = { probe }
  // The configuration is complete, as everywhere; only the app has no other feature than the probe.
  const parsed = parseConfig({ ...featureList, probe }, { ...config, database: { url, ...options } })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const { log, metrics, lines, counted } = watch()
  const { app, database, close } = await openApp(parsed.config, { log, metrics, actor: { kind: 'system' }, features })
  return { app, database, lines, counted, close }
}

/** Creates the tables as an installation would. */
export async function createTables({ database: { db, dialect } }: Probe): Promise<void> {
  const schema = declareSchema([probe])
  if (dialect.name === 'sqlite') {
    await push({ db, dialect, schema })
    return
  }
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-migrations-'))
  await generate({ schema, dir })
  await up({ db, dialect, dir, holder: 'tests' })
  await rm(dir, { recursive: true })
}

/** A SQLite file in a folder of its own. */
export async function createFile(): Promise<{ url: string; drop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-database-'))
  return { url: `sqlite:${join(folder, 'test.db')}`, drop: () => rm(folder, { recursive: true }) }
}

/** What the parts of the suite are given: a probe whose tables are empty at the beginning of each test. */
export type GetProbe = () => Probe & { readonly db: ReturnType<typeof probes> }

/** The least that a row of `probe` needs. */
export const row = (id: string, name = id): { id: string; name: string } => ({ id, name })
