/** Runs the `jobs` of the features: of all workers on all machines, the first that acquires the lease of a due job runs it. */
import { setTimeout as pause } from 'node:timers/promises'
import { acquireLease, type DatabaseClock, type Lease } from '../adapters/database/lease.ts'
import { createHolderName } from '../adapters/system.ts'
import { type App, extend, reportFailure } from '../core/app.ts'
import type { Job } from '../core/feature.ts'
import { type JobFailure, recordJobEnd, recordJobStart } from '../features/operations/index.ts'
import { withDeadline } from '../lib/async.ts'

/** Interval at which a worker tries to take over a job that another worker runs, in case that worker dies. */
const retryMs = 60_000

export interface JobTimings {
  /** A new worker tries for the first time within this time. */
  readonly firstAttemptMs: number
  /** The lease of a dead worker expires after this time. */
  readonly leaseTtlMs: number
}
const defaultTimings: JobTimings = { firstAttemptMs: 5000, leaseTtlMs: 30_000 }

export type Jobs = ReturnType<typeof startJobs>

interface Runner extends JobTimings {
  readonly app: App
  readonly clock: DatabaseClock
  readonly holder: string
  readonly stopping: AbortSignal
}

interface NamedJob extends Job {
  /** `<feature>.<job>` */
  readonly name: string
}

/**
 * Runs each job of each enabled feature once per period across all machines, until stopped. Failures are logged, never thrown.
 * @param clock of the database of `app`
 */
export function startJobs(app: App, clock: DatabaseClock, timings = defaultTimings) {
  const stopping = new AbortController()
  const runner: Runner = { app, clock, holder: createHolderName(), stopping: stopping.signal, ...timings }
  const ended = Promise.all(findJobs(app).map((job) => repeat(runner, job)))
  return {
    /** Aborts running jobs, waits for them to end at most this long, and starts no more. */
    stop: async (timeoutMs: number): Promise<void> => {
      stopping.abort(new Error('The worker stops'))
      await withDeadline(ended, timeoutMs, 'A job did not end in time').catch((error: unknown) => {
        app.log.warn({ err: error }, 'The worker is stopping while a job is still running')
      })
    },
  }
}

const findJobs = (app: App): NamedJob[] =>
  app.features.flatMap((feature) =>
    Object.entries(feature.jobs ?? {}).map(([name, job]) => ({ ...job, name: `${feature.name}.${name}` })),
  )

async function repeat(runner: Runner, job: NamedJob): Promise<void> {
  const { app, stopping, firstAttemptMs } = runner
  let wait = Math.min(job.every * 1000, firstAttemptMs) * fraction(app)
  while (await hasPassed(wait, stopping)) {
    // A random extra delay, so that workers that started together do not keep trying together.
    wait = (await tryJob(runner, job)) * (1 + fraction(app) / 10)
  }
}

const fraction = (app: App): number => (app.random.bytes(1)[0] ?? 0) / 255

const hasPassed = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  pause(milliseconds, true, { signal }).catch(() => false)

/** @returns milliseconds until the next attempt */
async function tryJob(runner: Runner, job: NamedJob): Promise<number> {
  const { app, clock, holder, leaseTtlMs } = runner
  const later = Math.min(job.every * 1000, retryMs)
  try {
    const lease = await acquireLease({
      db: app.db,
      errors: app.database,
      clock,
      name: `job:${job.name}`,
      holder,
      ttl: leaseTtlMs,
    })
    return lease === null ? later : (await runUnder(runner, job, lease)) || later
  } catch (error) {
    reportFailure(app, error, 'A job', { job: job.name })
    return later
  }
}

/**
 * The lease enforces the period: after a run it expires one period after the start, by the database's clock. During the run
 * it is short and renewed, so that another worker soon takes over from a killed one. An aborted run is not finished, so its
 * lease is free immediately.
 * @returns milliseconds until the job is due again; 0 when it is due now
 */
async function runUnder({ app, stopping }: Runner, job: NamedJob, lease: Lease): Promise<number> {
  const startedAt = performance.now()
  const signal = AbortSignal.any([stopping, lease.lost])
  const record = (work: Promise<void>) => work.catch((error: unknown) => reportFailure(app, error, 'A job', { job: job.name }))
  await record(recordJobStart(app, job.name))
  const failure = await runJob(app, job, signal)
  app.metrics.observe('job_duration', (performance.now() - startedAt) / 1000, { job: job.name })
  // A run that has finished counts, also when the worker stops while it is recorded.
  const isUnfinished = signal.aborted
  // The process that has taken over records the job from now on.
  if (!lease.lost.aborted) await record(recordJobEnd(app, job.name, failure))
  if (lease.lost.aborted) app.log.warn({ err: lease.lost.reason, job: job.name }, 'A job was taken over by another worker')
  const rest = isUnfinished ? 0 : Math.max(0, Math.ceil(job.every * 1000 - (performance.now() - startedAt)))
  await lease.release(rest)
  return rest
}

/** @returns the error of a run that failed; `aborted` for one that did not finish; null */
async function runJob(app: App, job: NamedJob, signal: AbortSignal): Promise<JobFailure> {
  try {
    await job.run(extend(app, { actor: { kind: 'system', job: job.name } as const }), signal)
    return signal.aborted ? 'aborted' : null
  } catch (error) {
    if (isAbort(error, signal)) return 'aborted'
    reportFailure(app, error, 'A job', { job: job.name })
    return { error }
  }
}

const isAbort = (error: unknown, { aborted, reason }: AbortSignal): boolean =>
  aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'))
