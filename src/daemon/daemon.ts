/** The supervisor's state, shared by its modules. */
import type { Logger } from '../core/ports.ts'
import type { Failure } from '../project/failure.ts'
import type { ConfigOverride } from '../project/load-config.ts'
import type { ConnectionHandover } from './connection-handover.ts'
import type { LogFile } from './log.ts'
import type { DaemonMode, DaemonPhase, PackedFailure, ReloadReport, ServingReport } from './messages.ts'
import type { DaemonState } from './state.ts'
import type { createSupervisorMetrics } from './status-report.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface SupervisorOptions {
  readonly mode: DaemonMode
  readonly cwd: string
  /** Absolute path; null for the built-in configuration of `dev`. */
  readonly config: string | null
  /** Of the project. */
  readonly directory: string
  readonly overrides: readonly ConfigOverride[]
  /** Apply pending migrations instead of failing. */
  readonly migrate: boolean
  /** Names of acknowledged changes of an embedded database that lose data. */
  readonly acknowledge: readonly string[]
  /** Seconds. */
  readonly waitForDatabase: number
  /** A file, or this process's standard output (1) or standard error (2). */
  readonly log: string | 1 | 2
}

/** Called for the command that runs the supervisor. */
export interface SupervisorEvents {
  readonly onServing?: (state: DaemonState, serving: ServingReport) => void
  readonly onReloaded?: (report: ReloadReport, serving: ServingReport) => void
  readonly onReloadFailed?: (failure: Failure) => void
}

export interface LastReload {
  /** ISO 8601. */
  readonly at: string
  /** Why the previous configuration stays in use; null for a successful reload. */
  readonly failure: PackedFailure | null
}

export interface Daemon {
  readonly options: SupervisorOptions
  readonly events: SupervisorEvents
  readonly pool: WorkerPool
  readonly connections: ConnectionHandover
  readonly logFile: LogFile | null
  readonly startedAt: Date
  /** Whether the daemon before was killed. */
  readonly isRecovery: boolean
  readonly metrics: ReturnType<typeof createSupervisorMetrics>
  phase: DaemonPhase
  /** Incremented by each successful reload. */
  generation: number
  lastReload: LastReload | null
  /** Of the newest working configuration. */
  serving: ServingReport | null
  log: Logger
}
