/** Measures how long the janitor takes to delete expired sessions, and how much slower get-session is at the same time. */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../src/core/app.ts'
import { sweepSessions } from '../src/features/sessions/revocation.ts'
import { openBenchApp } from './app.ts'
import { type Daemon, organizations, signUp, startDaemon } from './daemon.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

/** Sessions inserted by one statement. */
const batch = 5000
/** Milliseconds between two calls. */
const pauseMs = 2

async function addExpiredSessions(app: App, count: number): Promise<void> {
  const session = await app.db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  const end = Date.now() - 7_200_000
  for (let made = 0; made < count; made += batch) {
    const rows = Array.from({ length: Math.min(batch, count - made) }, (_, number) => ({
      ...session,
      id: app.random.id(),
      tokenHash: app.random.token(43),
      expiresAt: new Date(end - made - number),
    }))
    await app.db.insertInto('session').values(rows).execute()
  }
}

/** @returns the sorted durations of calls in milliseconds, until `isDone` */
async function measureLatencies({ url }: Daemon, cookie: string, isDone: () => boolean): Promise<number[]> {
  const waits: number[] = []
  while (!isDone()) {
    const startedAt = performance.now()
    const response = await fetch(`${url}/get-session`, { headers: { cookie } })
    if (!response.ok || (await response.text()) === 'null') throw new Error(`get-session responded with ${response.status}`)
    waits.push(performance.now() - startedAt)
    await pause(pauseMs)
  }
  return waits.sort((one, other) => one - other)
}

export const quantile = (waits: readonly number[], part: number) =>
  waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN
export const shown = (waits: readonly number[]) => [0.5, 0.99, 1].map((part) => quantile(waits, part).toFixed(1)).join(' / ')

async function sweepAll(app: App, count: number): Promise<void> {
  for (let left = count; left > 0; ) {
    await sweepSessions(app, new AbortController().signal)
    const { rows } = await app.db
      .selectFrom('session')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    left = Number(rows) - 1
  }
}

/** @param count expired sessions */
export async function measureJanitor({ freshDatabase }: Storage, count: number): Promise<void> {
  const database = await freshDatabase()
  const daemon = await startDaemon({ database, options: organizations })
  const { app, close } = await openBenchApp(database)
  try {
    const cookie = await signUp(daemon, 'bench@example.com', 'correct horse battery')
    await addExpiredSessions(app, count)
    const calm = performance.now() + 5000
    const before = await measureLatencies(daemon, cookie, () => performance.now() > calm)
    const state = { isDone: false }
    const startedAt = performance.now()
    const sweeping = sweepAll(app, count).finally(() => {
      state.isDone = true
    })
    const [during] = await Promise.all([measureLatencies(daemon, cookie, () => state.isDone), sweeping])
    const seconds = (performance.now() - startedAt) / 1000
    print(`janitor: ${count} expired sessions deleted in ${seconds.toFixed(0)} s while get-session is called`)
    print(`get-session latency, median / 99 % / maximum in ms: before ${shown(before)}, during the sweep ${shown(during)}`)
    const ratio = (part: number) => (quantile(during, part) / quantile(before, part)).toFixed(2)
    print(`during the sweep a call takes ${ratio(0.5)} times as long (median), ${ratio(0.99)} times (99 %)`)
  } finally {
    await close()
    await daemon.stop()
  }
}
