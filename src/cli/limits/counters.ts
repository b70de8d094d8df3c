/** Where the calls of an address are counted, as far as a command can see it. */
import type { App } from '../../core/app.ts'
import type { RateLimitCount } from '../../core/ports.ts'
import { askCounters } from '../../daemon/control.ts'
import { findDaemon } from '../../daemon/state.ts'
import type { Config } from '../../features/index.ts'
import { unreachableFailure } from '../describe-failure.ts'

export type Storage = 'custom' | 'database' | 'memory' | 'redis'

export interface Counters {
  readonly counts: readonly (RateLimitCount | null)[]
  /** How many of them there were, when they were to be forgotten. */
  readonly removed: number
}

export function storageOf({ rateLimit: { customStorage, storage }, redis }: Config): Storage {
  if (customStorage) return 'custom'
  if (storage === 'memory' || storage === 'database') return storage
  return redis.enabled ? 'redis' : 'memory'
}

/**
 * What is in the memory of a daemon is asked of the daemon of this project.
 * @param directory of the project
 * @param removes forget them
 * @returns null when they are in the memory of daemons, of which none runs here
 * @throws CliFailure UNREACHABLE, DAEMON_SILENT
 */
export async function readCounters(
  app: App,
  directory: string,
  keys: readonly string[],
  removes: boolean,
): Promise<Counters | null> {
  const { rateLimits } = app
  if (!rateLimits.isShared) {
    const daemon = findDaemon(directory)
    return daemon && askCounters(daemon, { keys, removes })
  }
  try {
    const counts = await rateLimits.find(keys)
    return { counts, removed: removes ? await rateLimits.delete(keys) : 0 }
  } catch (error) {
    throw unreachableFailure(`Where calls are counted (${storageOf(app.config)}) there is no answer`, error)
  }
}

export const unseen =
  'Calls are counted in the memory of each daemon, and none serves this project on this machine: what others count is not seen here, and ends when they restart'
