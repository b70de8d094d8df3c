/** Messages between supervisor, workers and commands. Supervisor and workers always have the same `version`. */
import type { Config } from '../features/index.ts'
import { isRecord } from '../lib/objects.ts'
import type { WindowRecord } from '../lib/sliding-window.ts'
import { Failure } from '../project/failure.ts'
import type { SupervisorOptions } from './daemon.ts'

/** Why a worker is started. */
export type StartPurpose = 'start' | 'reload' | 'replace'

/** The host and port where the daemon listens, and the configured ones. They differ for port 0, and when `dev` uses another port. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly configuredHost: string
  readonly configuredPort: number
}

/** How a worker starts. */
export interface StartOrder
  extends Pick<SupervisorOptions, 'cwd' | 'config' | 'overrides' | 'migrate' | 'acknowledge' | 'waitForDatabase' | 'log'> {
  readonly purpose: StartPurpose
  /** Of the configuration, counted by the supervisor. */
  readonly generation: number
  /** True for `latchkey dev`. */
  readonly isDevelopment: boolean
  /** Whether the daemon before was killed: the start must not fail because the configuration is ahead of the database. */
  readonly isRecovery: boolean
  /** Null for the first worker, which reads it from the configuration. */
  readonly address: Address | null
}

/** Report of a worker that is ready, for the supervisor, which reads no configuration. */
export interface ServingReport {
  readonly version: string
  readonly address: Address
  readonly workers: number
  /** Seconds. */
  readonly drainTimeout: number
  readonly privateListener: Config['server']['private']
  /** Public address of the API. */
  readonly url: string
  readonly referenceUrl: string | null
  /** Start of the hosted pages; null when they are disabled. */
  readonly pagesUrl: string | null
  /** Page with the caught emails; without the hosted pages, the list of them as JSON. */
  readonly mailboxUrl: string | null
  /** Migrations that only drop what the configuration does not use. */
  readonly pendingMigrations: readonly string[]
  /** Files of the configuration; only in development. */
  readonly sources: readonly string[]
  readonly development: DevelopmentAccess | null
}

/** Shown by `latchkey dev`. */
export interface DevelopmentAccess {
  /** Null when passwords are disabled. */
  readonly admin: { readonly email: string; readonly password: string } | null
  /** Pages of administration; null when it or the hosted pages are disabled. */
  readonly adminUrl: string | null
  /** Path of the embedded database. */
  readonly database: string
  /** The configured port, when another program uses it. */
  readonly takenPort: number | null
}

/** A serialized `Failure`, without its cause, which stays in the log of its process. */
export type PackedFailure = Pick<Failure, 'code' | 'message' | 'exitCode' | 'hint' | 'retryable' | 'details'>

export interface Health {
  /** Why this worker or daemon should get no requests; empty when ready. */
  readonly reasons: readonly string[]
  /** Services that are unavailable and replaced by a fallback. */
  readonly degraded: readonly string[]
  readonly pendingMigrations: readonly string[]
  /** Name of the newest applied migration; null for an embedded database, and while the database is unreachable. */
  readonly schemaVersion: string | null
}
export interface HealthReport extends Health {
  /** Calls received since the worker started; null when it does not respond or is not ready yet. */
  readonly requests: number | null
}

export type WorkerQuery = 'health' | 'metrics' | 'gauges' | 'checks' | CountersQuery

/**
 * Where a connection came in: the port of everyone, or the socket or port for the operator's own servers. Of these, only the port
 * needs a token.
 */
export type Listener = 'public' | 'private-socket' | 'private-port'

/** Reads rate-limit counters in memory. */
export interface CountersQuery {
  readonly keys: readonly string[]
  /** Also delete them. */
  readonly removes: boolean
}
export interface CountersReport {
  /** Before a deletion, in the order of the keys. */
  readonly counts: readonly (WindowRecord | null)[]
  readonly removed: number
}

export type DaemonMode = 'foreground' | 'detached' | 'development'
export type DaemonPhase = 'starting' | 'serving' | 'stopping'

export interface ReloadReport {
  /** Process ids of the workers. */
  readonly before: readonly number[]
  readonly after: readonly number[]
  readonly generation: number
  /** Migrations that can be applied now: they only drop what the configuration does not use. */
  readonly pendingMigrations: readonly string[]
}

export const packFailure = ({ code, message, exitCode, hint, retryable, details }: Failure): PackedFailure => ({
  code,
  message,
  exitCode,
  hint,
  retryable,
  details,
})

export const unpackFailure = ({ code, message, ...options }: PackedFailure): Failure => new Failure(code, message, options)

export type ToWorker =
  | { readonly type: 'start'; readonly order: StartOrder }
  /** Carries an unread connection. */
  | { readonly type: 'connection'; readonly listener: Listener }
  /** No connection follows: finish the open calls and exit. */
  | { readonly type: 'drain'; readonly idleTimeoutMs: number; readonly timeoutMs: number }
  /** Response to `draining`: no connection follows. */
  | { readonly type: 'leave' }
  | { readonly type: 'query'; readonly id: number; readonly query: WorkerQuery }

export type ToSupervisor =
  | { readonly type: 'ready'; readonly serving: ServingReport }
  | { readonly type: 'failed'; readonly failure: PackedFailure; readonly sources: readonly string[] }
  /** The worker has received the connection. */
  | { readonly type: 'confirmed' }
  /** The worker got a signal that the supervisor did not send, and wants to exit. */
  | { readonly type: 'draining' }
  | { readonly type: 'response'; readonly id: number; readonly response: unknown }

const typeOf = (message: unknown): unknown => (isRecord(message) ? message.type : undefined)

const fromSupervisor: readonly unknown[] = ['start', 'connection', 'drain', 'leave', 'query'] satisfies ToWorker['type'][]
const fromWorker: readonly unknown[] = ['ready', 'failed', 'confirmed', 'draining', 'response'] satisfies ToSupervisor['type'][]

/** prom-client and the rate limits use the same channel. */
export const isToWorker = (message: unknown): message is ToWorker => fromSupervisor.includes(typeOf(message))
export const isToSupervisor = (message: unknown): message is ToSupervisor => fromWorker.includes(typeOf(message))

/** Sends a message to the process that started this one; does nothing when that process has ended. */
export function sendToParent(message: object): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // With a callback a closed channel causes no error event.
  if (process.connected && process.send) process.send(message, undefined, undefined, () => resolve())
  else resolve()
  return promise
}
