/** Runs the `jobs` of the features: of all workers on all machines, whichever asks first once one is due. */
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../core/app.ts'
import type { Job } from '../core/feature.ts'
import { acquireLease, type DatabaseClock, type Lease } from '../core/lease.ts'
import { withDeadline } from '../lib/deadline.ts'

/** Milliseconds within which a new worker asks for the first time. */
const firstTry = 5000
/** Milliseconds after which a worker asks again for a job that another one has: in case it dies. */
const nextTry = 60_000
/** Milliseconds after which the job of a worker that died is free. */
const ttl = 30_000

export interface Jobs {
  /**
   * Aborts what runs, starts nothing more, and waits for what runs to end.
   * @param deadline milliseconds to wait at most
   */
  stop(deadline: number): Promise<void>
}

interface Runner {
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
 * Runs each job of each enabled feature once in its period, on whatever number of machines, until it is stopped.
 * Failures are logged and never thrown.
 * @param clock of the database that `app` uses
 */
export function startJobs(app: App, clock: DatabaseClock): Jobs {
  const stopping = new AbortController()
  const holder = `${hostname()} ${process.pid} ${app.random.token(6)}`
  const runner: Runner = { app, clock, holder, stopping: stopping.signal }
  const ended = Promise.all(findJobs(app).map((job) => repeat(runner, job)))
  return {
    stop: async (deadline) => {
      stopping.abort(new Error('The worker stops'))
      await withDeadline(ended, deadline, 'A job did not end in time').catch((error: unknown) => {
        app.log.warn({ err: error }, 'The worker stops while a job runs')
      })
    },
  }
}

const findJobs = (app: App): NamedJob[] =>
  app.features.flatMap((feature) =>
    Object.entries(feature.jobs ?? {}).map(([name, job]) => ({ ...job, name: `${feature.name}.${name}` })),
  )

async function repeat(runner: Runner, job: NamedJob): Promise<void> {
  const { app, stopping } = runner
  let wait = Math.min(job.every * 1000, firstTry) * fraction(app)
  while (await isOver(wait, stopping)) {
    // Later, never earlier, so that workers that began together do not go on asking together.
    wait = (await tryJob(runner, job)) * (1 + fraction(app) / 10)
  }
}

const fraction = (app: App): number => (app.random.bytes(1)[0] ?? 0) / 255

const isOver = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  pause(milliseconds, true, { signal }).catch(() => false)

/** @returns milliseconds until it makes sense to ask again */
async function tryJob(runner: Runner, job: NamedJob): Promise<number> {
  const { app, clock, holder } = runner
  const later = Math.min(job.every * 1000, nextTry)
  try {
    const lease = await acquireLease({ db: app.db, errors: app.database, clock, name: `job:${job.name}`, holder, ttl })
    return lease === null ? later : (await runUnder(runner, job, lease)) || later
  } catch (error) {
    if (app.database.isUnreachable(error) || app.database.isTimeout(error))
      app.log.warn({ err: error, job: job.name }, 'A job waits for the database')
    else noteFailure(app, job, error)
    return later
  }
}

/**
 * The lease is what keeps the period: after a run it is not given back but left to expire one period after the start, by the
 * database's clock, and nobody gets it before. While the job runs it is short and renewed, so that the job of a worker that
 * was killed is soon begun again by another one. So it is with a run that was aborted: it is not finished.
 * @returns milliseconds until the job is due again; 0 when it is already
 */
async function runUnder({ app, stopping }: Runner, job: NamedJob, lease: Lease): Promise<number> {
  const begun = performance.now()
  const signal = AbortSignal.any([stopping, lease.lost])
  try {
    await job.run(app, signal)
  } catch (error) {
    if (!isAbort(error, signal)) noteFailure(app, job, error)
  }
  if (lease.lost.aborted) app.log.warn({ err: lease.lost.reason, job: job.name }, 'A job was taken over')
  const rest = signal.aborted ? 0 : Math.max(0, Math.ceil(job.every * 1000 - (performance.now() - begun)))
  await lease.release(rest)
  return rest
}

const isAbort = (error: unknown, { aborted, reason }: AbortSignal): boolean =>
  aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'))

function noteFailure(app: App, job: NamedJob, error: unknown): void {
  app.metrics.count('unexpected_error')
  app.log.error({ err: error, job: job.name }, 'A job has failed')
}
