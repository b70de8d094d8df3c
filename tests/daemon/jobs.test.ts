/** The jobs of the features: each once in its period, on however many daemons. */
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { mysqlDialect } from '../../src/adapters/database/mysql.ts'
import { openDatabase } from '../../src/adapters/database/open.ts'
import type { App } from '../../src/core/app.ts'
import type { Job } from '../../src/core/feature.ts'
import { findLeaseHolder } from '../../src/core/lease.ts'
import { type Jobs, startJobs } from '../../src/daemon/jobs.ts'
import { featureList } from '../../src/features/index.ts'
import { startProxy } from '../conformance/proxy.ts'
import { testApp } from '../kit/app.ts'
import { createServerProject, until } from './project.ts'

const { clock } = mysqlDialect
const name = 'job:probe.probe'
/** Milliseconds by which what a test sees may lie behind what the database saw. */
const latency = 500

const open = (job: Job) => testApp({}, { features: { ...featureList, probe: { jobs: { probe: job } } } })

/** Until the test ends, when it is not stopped before. */
function start(app: App): Jobs {
  const jobs = startJobs(app, clock)
  onTestFinished(() => jobs.stop(5000))
  return jobs
}

/** Resolves when the signal is aborted. */
const abortOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }))

const holderOf = ({ db }: App) => findLeaseHolder({ db, clock, name })

test('on two daemons a job runs once in its period', async () => {
  const runs: number[] = []
  const kit = await open({ every: 1, run: async () => void runs.push(performance.now()) })
  const other = await kit.another()
  const begun = performance.now()
  const jobs = [start(kit.app), start(other.app)]
  await until(() => runs.length >= 6)
  await Promise.all(jobs.map((one) => one.stop(5000)))
  // However late a run is noticed, the one before it began a whole period earlier by the database's clock.
  expect(runs.filter((at, position) => at - begun < position * 1000 - 20)).toEqual([])
  expect(kit.log.join()).not.toContain('"error"')
})

test('a daemon that takes the place of another keeps the period', async () => {
  const runs: number[] = []
  const kit = await open({ every: 3, run: async () => void runs.push(performance.now()) })
  const other = await kit.another()
  const first = start(kit.app)
  await until(() => runs.length === 1)
  await first.stop(5000)
  expect(await holderOf(other.app)).toContain(String(process.pid))
  start(other.app)
  await until(() => runs.length === 2)
  const [one = 0, two = 0] = runs
  expect(two - one).toBeGreaterThan(3000 - latency)
})

test('the job of a worker that died is run by another one, when nobody has renewed its lease in time', async () => {
  const runs: number[] = []
  const kit = await open({ every: 1, run: async () => void runs.push(performance.now()) })
  const died = performance.now()
  await sql`insert into latchkey_lease values (${name}, 'dead', ${clock.after(3000)})`.execute(kit.app.db)
  start(kit.app)
  await until(() => runs.length > 0)
  expect(runs[0]).toBeGreaterThan(died + 3000 - 20)
})

test('a job that throws is logged, counted, and run again at its next time', async () => {
  let runs = 0
  const kit = await open({
    every: 1,
    run: async () => {
      runs += 1
      if (runs === 1) throw new Error('the first run fails')
    },
  })
  start(kit.app)
  await until(() => runs >= 3)
  const failures = kit.log.filter((line) => line.includes('A job has failed'))
  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain('"level":"error"')
  expect(failures[0]).toContain('the first run fails')
  expect(failures[0]).toContain('"job":"probe.probe"')
  expect(kit.counted.filter((counted) => counted === 'unexpected_error')).toHaveLength(1)
})

test('a stop aborts what runs, waits for its end, and leaves the job to others at once', async () => {
  const seen: string[] = []
  const kit = await open({
    every: 3600,
    run: async (_, signal) => {
      seen.push('begun')
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
  expect(seen).toEqual(['begun', 'aborted', 'ended'])
  expect(await holderOf(kit.app)).toBeNull()
  expect(kit.counted).toEqual([])
})

test('a stop does not wait for longer than it is told, and says so', async () => {
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
  expect(kit.log.join()).toContain('The worker stops while a job runs')
  end.resolve()
  await until(async () => (await holderOf(kit.app)) === null)
})

test('a job that another worker has taken over is aborted', async () => {
  const reasons: unknown[] = []
  const kit = await open({ every: 3600, run: async (_, signal) => void reasons.push('begun', await abortOf(signal)) })
  start(kit.app)
  await until(async () => (await holderOf(kit.app)) !== null)
  await sql`update latchkey_lease set holder = 'thief' where name = ${name}`.execute(kit.app.db)
  await until(() => reasons.length > 0)
  expect(String(reasons[1])).toContain('taken by somebody else')
  await until(() => kit.log.join().includes('A job was taken over'))
  expect(await holderOf(kit.app)).toBe('thief')
})

test('while the database is away jobs wait, and go on when it is back', async () => {
  const runs: App[] = []
  const kit = await open({ every: 1, run: async (app) => void runs.push(app) })
  const address = new URL(kit.app.config.database.url ?? '')
  const proxy = await startProxy(Number(address.port))
  onTestFinished(proxy.close)
  address.port = String(proxy.port)
  const other = await kit.another({ database: { url: address.href, connectTimeout: 500, queryTimeout: 500 } })
  proxy.freeze()
  start(other.app)
  await until(() => other.log.some((line) => line.includes('A job waits for the database')))
  expect(runs).toEqual([])
  proxy.thaw()
  await until(() => runs.length > 0)
  expect(runs[0]).toBe(other.app)
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
