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
}

export interface HealthOptions {
  readonly opened: Pick<OpenApp, 'app' | 'database'>
  /** Names of migrations that are not applied; asked again for as long as there are any. */
  readonly findPending: () => Promise<readonly string[]>
  readonly isDraining: () => boolean
}

/** @returns a function that may be called as often as one likes */
export function createHealth({ opened, findPending, isDraining }: HealthOptions): () => Promise<Health> {
  const { app, database } = opened
  let pending: readonly string[] | null = null
  let known: { readonly at: number; readonly health: Promise<Health> } | null = null

  async function check(): Promise<Health> {
    const databaseFault = await faultOf('the database', () => database.ping())
    const redisFault = app.config.redis.enabled ? await faultOf('Redis', () => app.kv.ping()) : null
    // Once nothing was pending nothing will be: a file that is added later is the concern of the release it came with.
    if (!databaseFault && pending?.length !== 0) pending = await findPending()
    const migrations = pending?.length ? [`migrations are pending: ${pending.join(', ')}`] : []
    return {
      reasons: [...(databaseFault ? [databaseFault] : []), ...migrations],
      // Not a reason: without Redis limits are counted elsewhere.
      degraded: redisFault ? [redisFault] : [],
      pendingMigrations: pending ?? [],
    }
  }

  return async () => {
    const now = performance.now()
    if (!known || now - known.at > freshness) known = { at: now, health: check() }
    const health = await known.health
    return isDraining() ? { ...health, reasons: ['this worker is draining', ...health.reasons] } : health
  }
}

async function faultOf(name: string, ping: () => Promise<void>): Promise<string | null> {
  try {
    await withDeadline(ping(), patience, `no answer within ${patience / 1000} s`)
    return null
  } catch (error) {
    return `${name} does not answer: ${reasonOf(error)}`
  }
}

/** Node reports the addresses of a host as several errors under an empty message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return maskSecrets(error.message) || code || error.name
}
