/** What supervisor and workers say to each other. Both ends are of one release: see `version` in `Serving`. */

import type { ExitCode } from '../cli/exit-codes.ts'
import type { FailureDetail } from '../cli/failure.ts'
import type { ConfigOverride } from '../cli/load-config.ts'
import type { RateLimitCount } from '../core/ports.ts'
import type { Config } from '../features/index.ts'

/** Why a worker is started. */
export type Purpose = 'start' | 'reload' | 'replace'

/** Where the daemon listens: as the configuration says it, and as it came to be (port 0, or a port that was taken). */
export interface Address {
  readonly host: string
  readonly port: number
  readonly configuredHost: string
  readonly configuredPort: number
}

/** What a worker is to load and do before it serves. */
export interface Order {
  readonly purpose: Purpose
  readonly cwd: string
  readonly configFlag: string | undefined
  readonly overrides: readonly ConfigOverride[]
  /** Apply pending migrations instead of refusing them. */
  readonly migrate: boolean
  /** Names of changes to an embedded database that may lose data. */
  readonly acknowledge: readonly string[]
  /** Seconds. */
  readonly waitForDatabase: number
  /** Under `latchkey dev`: everything embedded. */
  readonly isDevelopment: boolean
  /** Null for the very first worker, which decides. */
  readonly address: Address | null
}

/** What the supervisor, who reads no configuration, learns from a worker that serves. */
export interface Serving {
  readonly version: string
  readonly address: Address
  readonly workers: number
  /** Seconds. */
  readonly drainTimeout: number
  readonly logLevel: Config['log']['level']
  readonly privateListener: Config['server']['private']
  /** Public address of the API. */
  readonly url: string
  readonly referenceUrl: string | null
  /** Where caught mails are shown. */
  readonly mailboxUrl: string | null
  /** What the configuration was made from; only collected in development. */
  readonly sources: readonly string[]
  readonly development: DevelopmentAccess | null
}

/** What `latchkey dev` shows. */
export interface DevelopmentAccess {
  /** Null when the configuration has passwords switched off. */
  readonly admin: { readonly email: string; readonly password: string } | null
  /** Path of the embedded database. */
  readonly database: string
  /** The port that was asked for, when somebody else has it. */
  readonly takenPort: number | null
}

/** A `CliFailure` on its way between processes. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly exitCode: ExitCode
  readonly hint: string | undefined
  readonly retryable: boolean
  readonly details: readonly FailureDetail[]
}

export interface HealthReport {
  /** Why this worker should get no calls; empty when it should. */
  readonly reasons: readonly string[]
  /** What does not work as configured, with a fall-back in its place. */
  readonly degraded: readonly string[]
  /** Names of migrations that are not applied. */
  readonly pendingMigrations: readonly string[]
  /** Name of the newest migration that is applied. */
  readonly schemaVersion: string | null
  /** Calls answered since the worker started. */
  readonly requests: number
}

/** What a worker can be asked. */
export type Question = 'health' | 'metrics' | CountersQuestion

/** About limits that are counted inside the daemon, by their keys. */
export interface CountersQuestion {
  readonly keys: readonly string[]
  /** Forget them. */
  readonly removes: boolean
}
export interface CountersReport {
  /** As they were, in the order of the keys. */
  readonly counts: readonly (RateLimitCount | null)[]
  readonly removed: number
}

export type ToWorker =
  | { readonly type: 'begin'; readonly order: Order }
  /** A connection comes with it, unread. */
  | { readonly type: 'connection' }
  /** No connection follows: finish what is under way, and end. Times in milliseconds. */
  | { readonly type: 'drain'; readonly idleGrace: number; readonly deadline: number }
  /** The answer to `draining`: no connection follows. */
  | { readonly type: 'leave' }
  | { readonly type: 'ask'; readonly id: number; readonly about: Question }

export type ToSupervisor =
  | { readonly type: 'ready'; readonly serving: Serving }
  | { readonly type: 'failed'; readonly failure: Failure; readonly sources: readonly string[] }
  /** It has the connection. */
  | { readonly type: 'confirmed' }
  /** Somebody else than the supervisor has asked it to end. */
  | { readonly type: 'draining' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }

const typeOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined

const fromSupervisor: readonly unknown[] = ['begin', 'connection', 'drain', 'leave', 'ask'] satisfies ToWorker['type'][]
const fromWorker: readonly unknown[] = ['ready', 'failed', 'confirmed', 'draining', 'answer'] satisfies ToSupervisor['type'][]

/** Others use the same channel: prom-client, and the rate limits. */
export const isToWorker = (message: unknown): message is ToWorker => fromSupervisor.includes(typeOf(message))
export const isToSupervisor = (message: unknown): message is ToSupervisor => fromWorker.includes(typeOf(message))
