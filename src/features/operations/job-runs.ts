/** The last run of each job, one row per job for all daemons. */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { Gauges, Measurement } from '../../core/gauges.ts'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { id, integer, nullable, string, timestamp, unique } from '../../core/table.ts'
import { insertUnlessExists } from '../../core/write.ts'
import type { Database } from '../index.ts'
import { isAdministered as exists } from './errors.ts'

const outcomes = ['succeeded', 'failed', 'aborted'] as const
type JobOutcome = (typeof outcomes)[number]

export const tables = {
  jobRun: {
    id: id(),
    /** `<feature>.<job>` */
    name: unique(string({ length: 64 })),
    startedAt: timestamp(),
    /** Null during the first run. */
    finishedAt: nullable(timestamp()),
    /** When a run has last succeeded. */
    succeededAt: nullable(timestamp()),
    /** Of the last run that has finished. */
    outcome: nullable(string({ length: 16 })),
    /** Code or name of the error, because its message may contain personal data. */
    error: nullable(string({ length: 100 })),
    runs: integer({ default: 0 }),
    failures: integer({ default: 0 }),
  },
}

const jobView = z
  .object({
    name: z.string().meta({ examples: ['outbox.outbox'] }),
    every: z.int().describe('Seconds between two runs'),
    lastStartedAt: isoDate.nullable().describe('Null: it has not run yet'),
    lastFinishedAt: isoDate.nullable(),
    lastSucceededAt: isoDate.nullable().describe('Null: it has never succeeded'),
    lastOutcome: z.enum(outcomes).nullable().describe('`aborted`: the daemon stopped, or another one took over'),
    lastError: z.string().nullable().describe('Code or name of the error of the last run'),
    nextDueAt: isoDate.nullable(),
    runningSince: isoDate.nullable(),
    isLate: z.boolean().describe('Whether it should have run by now'),
    runs: z.int(),
    failures: z.int().describe('Number of failed runs'),
  })
  .meta({ title: 'Job' })

export const jobRoutes = {
  'GET /admin/list-jobs': route({
    summary: 'List jobs',
    description:
      'Returns the periodic jobs with their last run on any daemon, and when they are due next. Only for users whose role permits `system:read`.',
    access: permission({ system: ['read'] }),
    exists,
    returns: z.object({ jobs: z.array(jobView) }),
    handler: async (ctx) => ({ jobs: await listJobs(ctx) }),
  }),
}

/** A job that is due for longer than this is late: its workers may have been restarted. */
const graceMs = 120_000
/** A run that takes longer is one whose process has died, or hangs. */
const longestRunMs = 3_600_000

/** Every job of the enabled features, in their order. */
export async function listJobs(app: App): Promise<z.input<typeof jobView>[]> {
  const rows = await app.db.selectFrom('jobRun').selectAll().execute()
  const known = new Map(rows.map((row) => [row.name, row]))
  return app.features.flatMap((feature) =>
    Object.entries(feature.jobs ?? {}).map(([job, { every }]) => {
      const name = `${feature.name}.${job}`
      return describeJob(app, name, every, known.get(name))
    }),
  )
}

function describeJob(app: App, name: string, every: number, row: Selectable<Database['jobRun']> | undefined) {
  const isRunning = row !== undefined && (row.finishedAt === null || row.finishedAt < row.startedAt)
  // A job that has never run is due as soon as a worker has started.
  const nextDueAt = row ? new Date(row.startedAt.getTime() + every * 1000) : (app.installation?.startedAt ?? null)
  const isDue = nextDueAt !== null && nextDueAt.getTime() + every * 100 + graceMs < app.now().getTime()
  return {
    name,
    every,
    lastStartedAt: row?.startedAt ?? null,
    lastFinishedAt: row?.finishedAt ?? null,
    lastSucceededAt: row?.succeededAt ?? null,
    lastOutcome: outcomes.find((outcome) => outcome === row?.outcome) ?? null,
    lastError: row?.error ?? null,
    nextDueAt,
    runningSince: isRunning ? row.startedAt : null,
    isLate: isDue && (!isRunning || row.startedAt.getTime() + longestRunMs < app.now().getTime()),
    runs: row?.runs ?? 0,
    failures: row?.failures ?? 0,
  }
}

const labels = ['job'] as const

const declared = {
  job_late: { help: '1: the job should have run by now, or its run hangs', labels },
  job_failing: { help: '1: the last run of the job failed', labels },
  job_last_success_timestamp_seconds: { help: 'When the job has last succeeded on any daemon; absent: never', labels },
  job_runs: { help: 'Runs of the job on all daemons', labels },
  job_failures: { help: 'Failed runs of the job on all daemons', labels },
  secrets: { help: 'Configured secrets; more than one while they are rotated' },
}

async function measure(app: App): Promise<Measurement[]> {
  const jobs = await listJobs(app)
  const values = jobs.flatMap(({ name: job, isLate, lastOutcome, lastSucceededAt, runs, failures }) => {
    const of = (name: keyof typeof declared, value: number) => ({ name, labels: { job }, value })
    return [
      of('job_late', isLate ? 1 : 0),
      of('job_failing', lastOutcome === 'failed' ? 1 : 0),
      ...(lastSucceededAt instanceof Date ? [of('job_last_success_timestamp_seconds', lastSucceededAt.getTime() / 1000)] : []),
      of('job_runs', runs),
      of('job_failures', failures),
    ]
  })
  return [...values, { name: 'secrets', value: [app.config.secret ?? []].flat().length }]
}

export const gauges: Gauges = { declared, read: measure }

/** Records that a job starts, on whichever daemon runs it. */
export async function recordJobStart(app: App, name: string): Promise<void> {
  const startedAt = app.now()
  const updated = await app.db.updateTable('jobRun').set({ startedAt }).where('name', '=', name).executeTakeFirst()
  if (updated.numUpdatedRows > 0n) return
  const id = app.random.id()
  await insertUnlessExists(app, app.db.insertInto('jobRun').values({ id, name, startedAt }))
}

/** Why a run did not succeed: its error, or `aborted` when the daemon stopped; null: it did. */
export type JobFailure = { readonly error: unknown } | 'aborted' | null

/** Records that a job has ended; of an error only its code or name. */
export async function recordJobEnd(app: App, name: string, failure: JobFailure): Promise<void> {
  const outcome: JobOutcome = failure === null ? 'succeeded' : failure === 'aborted' ? failure : 'failed'
  await app.db
    .updateTable('jobRun')
    .set((eb) => ({
      finishedAt: app.now(),
      outcome,
      ...(outcome === 'succeeded' && { succeededAt: app.now() }),
      error: failure === null || failure === 'aborted' ? null : errorName(failure.error),
      runs: eb('runs', '+', 1),
      failures: eb('failures', '+', outcome === 'failed' ? 1 : 0),
    }))
    .where('name', '=', name)
    .execute()
}

function errorName(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (code || (error instanceof Error ? error.name : 'unknown')).slice(0, 100)
}
