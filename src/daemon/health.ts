/** The health of a worker: whether it should get requests, and what it does without. */
import type { OpenApp } from '../app.ts'
import type { App } from '../core/app.ts'
import { withDeadline } from '../lib/async.ts'
import { errorReason } from '../lib/redact.ts'
import { describeDifference, isServable, type Pending } from '../migrate/index.ts'
import { findOtherConfigurations } from '../project/daemon-checks.ts'
import type { LoadedConfig } from '../project/load-config.ts'
import { declaredSchema, findPending } from '../project/schema-check.ts'
import type { Health } from './messages.ts'

const checkTimeoutMs = 2000
/** Results are cached: the probe is public and must not load the database. */
const cacheMs = 1000

type Opened = Pick<OpenApp, 'app' | 'database'>

/** The configuration that a worker uses. */
interface Fitted {
  readonly loaded: LoadedConfig
  /** What the database does not have yet. */
  readonly omitted: readonly string[]
}

export const aheadMessage = (omitted: readonly string[]): string =>
  `the database does not have what ${omitted.join(', ')} needs: run \`latchkey migrate up\`, then \`latchkey reload\``

/** Reports readiness; cached, because the probe is public and must not load the database. */
export function createHealth({ app, database }: Opened, { loaded, omitted }: Fitted): () => Promise<Health> {
  let migrations: Pending | null = null
  const findDiffering = createComparison({ app, database }, loaded)
  let known: { readonly at: number; readonly health: Promise<Health> } | null = null

  async function check(): Promise<Health> {
    const databaseProblem = await findProblem('the database does not respond', () => database.ping())
    // Reads still succeed, but a balancer should prefer an instance that can sign users in.
    const writeProblem = databaseProblem
      ? null
      : await findProblem('the database accepts no writes', () => database.checkWritable())
    const redisProblem = app.config.redis.enabled ? await findProblem('Redis', () => app.kv.ping()) : null
    const readProblem = databaseProblem ? null : await findProblem('the migrations cannot be read', refreshMigrations)
    // Files that are just being copied do not matter to a database that has everything.
    const isBlocked = readProblem !== null && !(await canServeNow({ app, database }, loaded))
    const { pending = [], isServable = true, newest = null } = migrations ?? {}
    const pendingProblem = !isServable ? `migrations are pending: ${pending.join(', ')}` : null
    const differing = databaseProblem ? [] : await findDiffering()
    const aheadProblem = omitted.length > 0 ? aheadMessage(omitted) : null
    return {
      reasons: [databaseProblem, writeProblem, isBlocked ? readProblem : null, pendingProblem].filter(isProblem),
      // Without Redis the worker stays ready: rate limits are counted in memory.
      degraded: [redisProblem, findFallback(app), isBlocked ? null : readProblem, aheadProblem, ...differing].filter(isProblem),
      pendingMigrations: pending,
      schemaVersion: newest,
    }
  }

  async function refreshMigrations(): Promise<void> {
    // Once nothing is pending, the result is final: a file that is added later belongs to the next release.
    if (migrations?.pending.length !== 0) migrations = await findPending(loaded, database)
  }

  return () => {
    const now = performance.now()
    if (!known || now - known.at > cacheMs) known = { at: now, health: check() }
    return known.health
  }
}

export const findFallback = ({ rateLimits }: App): string | null =>
  rateLimits.isFallback?.() ? 'the rate limit store does not respond: rate limits are counted in memory' : null

const isProblem = (problem: string | null): problem is string => problem !== null

/** In a deployment daemons differ for some minutes. Each new difference is logged once. */
function createComparison({ app, database }: Opened, { config }: LoadedConfig): () => Promise<readonly string[]> {
  let differences: readonly string[] = []
  return async () => {
    const previous = differences
    try {
      const found = await withDeadline(findOtherConfigurations(config, database, process.ppid), checkTimeoutMs, 'no response')
      differences = found.map(describeDifference)
    } catch (error) {
      app.log.debug({ err: error }, 'Cannot read the registered workers')
    }
    for (const text of differences) if (!previous.includes(text)) app.log.warn({}, `In this database ${text}`)
    return differences
  }
}

async function canServeNow({ app, database }: Opened, { config }: LoadedConfig): Promise<boolean> {
  try {
    return await withDeadline(isServable({ ...database, schema: declaredSchema({ config }) }), checkTimeoutMs, 'no response')
  } catch (error) {
    app.log.debug({ err: error }, 'Cannot read the schema of the database')
    return false
  }
}

async function findProblem(what: string, work: () => Promise<void>): Promise<string | null> {
  try {
    await withDeadline(work(), checkTimeoutMs, `no response within ${checkTimeoutMs / 1000} s`)
    return null
  } catch (error) {
    return `${what}: ${errorReason(error)}`
  }
}
