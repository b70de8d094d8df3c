/** Whether a worker should get calls, and why not. */
import type { OpenApp } from '../app.ts'
import { withDeadline } from '../lib/deadline.ts'
import { maskSecrets } from '../lib/mask-secrets.ts'

/** Milliseconds that one dependency has to answer. */
const patience = 2000
/** Milliseconds for which an answer is good: a probe that anybody may send must not become load on the database. */
const freshness = 1000

export interface Health {
  readonly reasons: readonly string[]
  readonly degraded: readonly string[]
  readonly pendingMigrations: readonly string[]
  /** Name of the newest migration that is applied; null for an embedded database, and while the database is away. */
  readonly schemaVersion: string | null
}

export interface Migrations {
  readonly pending: readonly string[]
  readonly newest: string | null
}

export interface HealthOptions {
  readonly opened: Pick<OpenApp, 'app' | 'database'>
  /** Asked again for as long as migrations are pending. */
  readonly findMigrations: () => Promise<Migrations>
  readonly isDraining: () => boolean
}

/** @returns a function that may be called as often as one likes */
export function createHealth({ opened, findMigrations, isDraining }: HealthOptions): () => Promise<Health> {
  const { app, database } = opened
  let migrations: Migrations | null = null
  let known: { readonly at: number; readonly health: Promise<Health> } | null = null

  async function check(): Promise<Health> {
    const databaseFault = await faultOf('the database does not answer', () => database.ping())
    const redisFault = app.config.redis.enabled ? await faultOf('Redis does not answer', () => app.kv.ping()) : null
    const readFault = databaseFault ? null : await faultOf('the migrations cannot be read', readMigrations)
    const { pending = [], newest = null } = migrations ?? {}
    const pendingFault = pending.length > 0 ? `migrations are pending: ${pending.join(', ')}` : null
    return {
      reasons: [databaseFault, readFault, pendingFault].filter((fault) => fault !== null),
      // Not a reason: without Redis limits are counted elsewhere.
      degraded: redisFault ? [redisFault] : [],
      pendingMigrations: pending,
      schemaVersion: newest,
    }
  }

  async function readMigrations(): Promise<void> {
    // Once nothing was pending nothing will be: a file that is added later is the concern of the release it came with.
    if (migrations?.pending.length !== 0) migrations = await findMigrations()
  }

  return async () => {
    const now = performance.now()
    if (!known || now - known.at > freshness) known = { at: now, health: check() }
    const health = await known.health
    return isDraining() ? { ...health, reasons: ['this worker is draining', ...health.reasons] } : health
  }
}

async function faultOf(what: string, work: () => Promise<void>): Promise<string | null> {
  try {
    await withDeadline(work(), patience, `no answer within ${patience / 1000} s`)
    return null
  } catch (error) {
    return `${what}: ${reasonOf(error)}`
  }
}

/** Node reports the addresses of a host as several errors under an empty message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return maskSecrets(error.message) || code || error.name
}
