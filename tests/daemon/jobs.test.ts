/** The jobs of the features: each once per period, on any number of daemons. */
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { findLeaseHolder } from '../../src/adapters/database/lease.ts'
import { mysqlDialect } from '../../src/adapters/database/mysql.ts'
import { openDatabase } from '../../src/adapters/database/open.ts'
import type { App } from '../../src/core/app.ts'
import type { Job } from '../../src/core/feature.ts'
import { type Jobs, startJobs } from '../../src/daemon/jobs.ts'
import { featureList } from '../../src/features/index.ts'
import { startProxy } from '../conformance/proxy.ts'
import { testApp } from '../kit/app.ts'
import { createServerProject, until } from './project.ts'

const { clock } = mysqlDialect
const name = 'job:probe.probe'
const open = (job: Job) => testApp({}, { features: { ...featureList, probe: { jobs: { probe: job } } } })

/** Stopped at the end of the test. */
function start(app: App): Jobs {
  const jobs = startJobs(app, clock, { firstAttemptMs: 200, leaseTtlMs: 3000 })
  onTestFinished(() => jobs.stop(5000))
  return jobs
}

/** Resolves when the signal is aborted. */
const abortOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }))

const holderOf = ({ db }: App) => findLeaseHolder({ db, clock, name })

test('runs a job once per period on two daemons', async () => {
  const runs: number[] = []
  const kit = await open({ every: 0.5, run: async () => void runs.push(performance.now()) })
  const other = await kit.another()
  const startedAt = performance.now()
  const jobs = [start(kit.app), start(other.app)]
  await until(() => runs.length >= 6)
  await Promise.all(jobs.map((one) => one.stop(5000)))
  // However late a run is observed, the one before it started a whole period earlier by the database's clock.
  expect(runs.filter((at, position) => at - startedAt < position * 500 - 20)).toEqual([])
  expect(kit.log.join()).not.toContain('"error"')
})

test('runs a job with an actor of its own', async () => {
  const actors: App['actor'][] = []
  const kit = await open({ every: 1, run: async (app) => void actors.push(app.actor) })
  start(kit.app)
  await until(() => actors.length > 0)
  expect(actors[0]).toEqual({ kind: 'system', job: 'probe.probe' })
})

test('keeps the period when another daemon takes over', async () => {
  const runs: number[] = []
  const kit = await open({ every: 2, run: async () => void runs.push(performance.now()) })
  const other = await kit.another()
  const startedAt = performance.now()
  const first = start(kit.app)
  await until(() => runs.length === 1)
  await first.stop(5000)
  expect(await holderOf(other.app)).toContain(String(process.pid))
  start(other.app)
  await until(() => runs.length === 2)
  // From before the first run, because a run can be observed late.
  expect((runs[1] ?? 0) - startedAt).toBeGreaterThan(2000 - 20)
})

test('runs the job of a dead worker after its lease has expired', async () => {
  const runs: number[] = []
  const kit = await open({ every: 1, run: async () => void runs.push(performance.now()) })
  const died = performance.now()
  await sql`insert into latchkey_lease values (${name}, 'dead', ${clock.after(1500)})`.execute(kit.app.db)
  start(kit.app)
  await until(() => runs.length > 0)
  expect(runs[0]).toBeGreaterThan(died + 1500 - 20)
})

test('logs and counts a failed job, and runs it again in the next period', async () => {
  let runs = 0
  const kit = await open({
    every: 0.5,
    run: async () => {
      runs += 1
      if (runs === 1) throw new Error('the first run fails')
    },
  })
  start(kit.app)
  await until(() => runs >= 3)
  const failures = kit.log.filter((line) => line.includes('A job failed unexpectedly'))
  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain('"level":"error"')
  expect(failures[0]).toContain('the first run fails')
  expect(failures[0]).toContain('"job":"probe.probe"')
  expect(kit.counted.filter((counted) => counted === 'unexpected_error')).toHaveLength(1)
})

test('a stop aborts a running job, waits for its end, and releases its lease', async () => {
  const seen: string[] = []
  const kit = await open({
    every: 3600,
    run: async (_, signal) => {
      seen.push('started')
      await abortOf(signal)
      seen.push('aborted')
      await holderOf(kit.app)
      seen.push('ended')
      throw signal.reason
    },
  })
  const jobs = start(kit.app)
  await until(() => seen.length > 0)
  expect(await holderOf(kit.app)).toContain(String(process.pid))
  await jobs.stop(5000)
  expect(seen).toEqual(['started', 'aborted', 'ended'])
  expect(await holderOf(kit.app)).toBeNull()
  expect(kit.counted).toEqual([])
})

test('a stop waits no longer than its timeout, and logs that', async () => {
  const end = Promise.withResolvers<void>()
  let runs = 0
  const kit = await open({
    every: 3600,
    run: () => {
      runs += 1
      return end.promise
    },
  })
  const jobs = start(kit.app)
  await until(() => runs === 1)
  await jobs.stop(100)
  expect(await holderOf(kit.app)).not.toBeNull()
  expect(kit.log.join()).toContain('The worker is stopping while a job is still running')
  end.resolve()
  await until(async () => (await holderOf(kit.app)) === null)
})

test('aborts a job that another worker has taken over', async () => {
  const reasons: unknown[] = []
  const kit = await open({ every: 3600, run: async (_, signal) => void reasons.push('started', await abortOf(signal)) })
  start(kit.app)
  await until(async () => (await holderOf(kit.app)) !== null)
  await sql`update latchkey_lease set holder = 'thief' where name = ${name}`.execute(kit.app.db)
  await until(() => reasons.length > 0)
  expect(String(reasons[1])).toContain('acquired by another process')
  await until(() => kit.log.join().includes('A job was taken over'))
  expect(await holderOf(kit.app)).toBe('thief')
})

test('jobs wait while the database is unreachable, and continue when it is back', async () => {
  const runs: App[] = []
  const kit = await open({ every: 1, run: async (app) => void runs.push(app) })
  const address = new URL(kit.app.config.database.url ?? '')
  const proxy = await startProxy(Number(address.port))
  onTestFinished(proxy.close)
  address.port = String(proxy.port)
  const other = await kit.another({ database: { url: address.href, connectTimeout: 500, queryTimeout: 500 } })
  proxy.freeze()
  start(other.app)
  await until(() => other.log.some((line) => line.includes('A job failed: the database is unavailable')))
  expect(runs).toEqual([])
  proxy.thaw()
  await until(() => runs.length > 0)
  // Each run gets an app of its own, which names the job as the actor.
  expect(Object.getPrototypeOf(runs[0])).toBe(other.app)
})

test('a daemon runs the jobs of its features', async () => {
  const project = await createServerProject((port) => `server: { port: ${port}, workers: 2 }`)
  const database = openDatabase({ url: project.database.url, poolSize: 1, connectTimeout: 5000, queryTimeout: 5000 })
  onTestFinished(database.close)
  const { db } = database
  const attempt = { account: 'a', failures: 1, blockedUntil: 0, lastFailureAt: 0, succeededAt: null }
  const row = (id: string, year: number) => ({ ...attempt, id, key: id, expiresAt: new Date(`${year}-01-01T00:00:00Z`) })
  await db
    .insertInto('attempt')
    .values([row('old', 2001), row('new', 9001)])
    .execute()
  const ids = async () => (await db.selectFrom('attempt').select('id').execute()).map(({ id }) => id)
  await project.serve()
  await until(async () => (await ids()).length === 1)
  expect(await ids()).toEqual(['new'])
  // For an hour now.
  expect(await findLeaseHolder({ db, clock, name: 'job:attempts.attempts' })).not.toBeNull()
})

test('records the last run of a job, and its failures by their code', async () => {
  let isBroken = true
  const kit = await open({
    every: 0.2,
    run: async () => {
      if (isBroken) throw Object.assign(new Error('ann@example.com'), { code: 'EPROBE' })
    },
  })
  const other = await kit.another()
  start(kit.app)
  start(other.app)
  const readRun = () => kit.app.db.selectFrom('jobRun').selectAll().where('name', '=', 'probe.probe').executeTakeFirst()
  await until(async () => ((await readRun())?.failures ?? 0) >= 2)
  expect(await readRun()).toMatchObject({ outcome: 'failed', error: 'EPROBE', finishedAt: expect.any(Date) })
  isBroken = false
  await until(async () => (await readRun())?.outcome === 'succeeded')
  expect(await readRun()).toMatchObject({ error: null })
  expect(JSON.stringify(await readRun())).not.toContain('ann@')
})
