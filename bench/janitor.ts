/**
 * The janitor among a million ended sessions, while get-session is asked for: what callers notice, and how long it takes.
 * `node bench/janitor.ts [rows]`, on a database server of its own.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../src/adapters/log.ts'
import { openApp } from '../src/app.ts'
import type { App } from '../src/core/app.ts'
import { parseConfig } from '../src/core/parse-config.ts'
import { featureList } from '../src/features/index.ts'
import { sweepSessions } from '../src/features/sessions/sweep.ts'
import { createServer } from '../src/http/server.ts'
import { declareSchema, generate, up } from '../src/migrate/index.ts'
import { createBrowser } from '../tests/kit/browser.ts'
import { freshDatabase, startDatabase } from '../tests/kit/servers/index.ts'

const many = Number(process.argv[2] ?? 1_000_000)
const origin = 'http://localhost:4000/api/auth'

async function open(url: string) {
  const parsed = parseConfig(featureList, {
    secret: 'a secret of the benchmarks, 0123456789 abcdef',
    baseURL: 'http://localhost:4000',
    database: { url },
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
  })
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  const log = await createLog({ level: 'warn', destination: 2, pretty: false, colour: false })
  const metrics = { count: () => {}, observe: () => {} }
  const opened = await openApp(parsed.config, { log, metrics, actor: { kind: 'system' } })
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const { db, dialect } = opened.database
  await generate({ schema: declareSchema(opened.app.features), dir, name: 'initial', acknowledge: [] })
  await up({ db, dialect, dir, holder: 'bench' })
  await rm(dir, { recursive: true })
  return opened
}

async function addEndedSessions(app: App): Promise<void> {
  const session = await app.db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  const end = Date.now() - 7_200_000
  for (let made = 0; made < many; made += 5000) {
    const rows = Array.from({ length: Math.min(5000, many - made) }, (_, number) => ({
      ...session,
      id: app.random.id(),
      tokenHash: app.random.token(43),
      expiresAt: new Date(end - made - number),
    }))
    await app.db.insertInto('session').values(rows).execute()
  }
}

/** Milliseconds of each call until `isDone`. */
async function ask(browser: ReturnType<typeof createBrowser>, isDone: () => boolean): Promise<number[]> {
  const waits: number[] = []
  while (!isDone()) {
    const begun = performance.now()
    const { status } = await browser.call('GET /get-session', {})
    if (status !== 200) throw new Error(`get-session answered ${status}`)
    waits.push(performance.now() - begun)
  }
  return waits.sort((one, other) => one - other)
}

const shown = (waits: readonly number[]) =>
  [0.5, 0.99, 1].map((part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))]?.toFixed(1)).join(' / ')

const server = await startDatabase()
const database = await freshDatabase(server.url)
const { app, close } = await open(database.url)
const http = createServer(app, { reasons: async () => [] })
const browser = createBrowser((url, init) => http.request(url, init), origin)
await browser.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' } })
await addEndedSessions(app)
const calm = performance.now() + 5000
const before = await ask(browser, () => performance.now() > calm)
const state = { isDone: false, runs: 0 }
const begun = performance.now()
async function sweepAll(): Promise<void> {
  for (let left = many; left > 0; state.runs += 1) {
    await sweepSessions(app, new AbortController().signal)
    const { count } = await app.db
      .selectFrom('session')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    left = Number(count) - 1
  }
  state.isDone = true
}
const [during] = await Promise.all([ask(browser, () => state.isDone), sweepAll()])
const seconds = (performance.now() - begun) / 1000
process.stdout.write(`${many} ended sessions removed in ${seconds.toFixed(0)} s, ${state.runs} runs of the job\n`)
process.stdout.write(`get-session, median / 99 % / longest in ms: before ${shown(before)}, meanwhile ${shown(during)}\n`)
await close()
await server.stop()
