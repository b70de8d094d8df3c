/** What the parts of a supervisor share. */
import type { CliFailure } from '../cli/failure.ts'
import type { ConfigOverride } from '../cli/load-config.ts'
import type { Logger } from '../core/ports.ts'
import type { Connections } from './connections.ts'
import type { Crew } from './crew.ts'
import type { LogFile } from './log.ts'
import type { Serving } from './messages.ts'
import type { ReloadReport } from './report.ts'
import type { DaemonState, Mode } from './state.ts'

export interface SupervisorOptions {
  readonly mode: Mode
  readonly cwd: string
  /** Absolute path; null for the built-in configuration of `dev`. */
  readonly config: string | null
  /** Of the project. */
  readonly directory: string
  readonly overrides: readonly ConfigOverride[]
  readonly migrate: boolean
  readonly acknowledge: readonly string[]
  /** Seconds. */
  readonly waitForDatabase: number
  /** A file, or this process's standard output (1) or standard error (2). */
  readonly log: string | 1 | 2
}

/** For the command that runs the supervisor, or that waits for it. */
export interface SupervisorEvents {
  readonly onServing?: (state: DaemonState, serving: Serving) => void
  readonly onReloaded?: (report: ReloadReport, serving: Serving) => void
  readonly onReloadFailed?: (failure: CliFailure) => void
}

export interface Daemon {
  readonly options: SupervisorOptions
  readonly events: SupervisorEvents
  readonly crew: Crew
  readonly connections: Connections
  readonly logFile: LogFile | null
  readonly startedAt: Date
  readonly counts: { replacements: number; reloads: number; refusedReloads: number }
  phase: 'starting' | 'serving' | 'stopping'
  /** Raised by each reload. */
  generation: number
  /** Of the newest configuration that works. */
  serving: Serving | null
  log: Logger
}
