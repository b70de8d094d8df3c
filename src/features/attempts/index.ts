/** Guessing: failures in a row per account, and per account and network, bring growing delays and never a lock. */
import type { Job } from '../../core/feature.ts'
import { sweepAttempts } from './sweep.ts'

export { checkConfig, config } from './config.ts'
export type { Caller } from './device.ts'
export { type AttemptReport, type AttemptState, clearAttempts, explainAttempts } from './explain.ts'
export { guardAttempt } from './guard.ts'
export { indexes, tables } from './tables.ts'

export const jobs = { attempts: { every: 3600, run: sweepAttempts } } satisfies Record<string, Job>
