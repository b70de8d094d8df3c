/** The janitor among ended sessions, while get-session is asked for: what callers notice, and how long it takes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../src/core/app.ts'
import { sweepSessions } from '../src/features/sessions/sweep.ts'
import { openBenchApp } from './app.ts'
import { type Daemon, signUp, startDaemon } from './daemon.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

/** Sessions of one statement. */
const batch = 5000
/** Milliseconds between two calls of the one who waits for the answers. */
const breath = 2

async function addEndedSessions(app: App, count: number): Promise<void> {
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

/** Milliseconds of each call until `isDone`, in order of length. */
async function ask({ url }: Daemon, cookie: string, isDone: () => boolean): Promise<number[]> {
  const waits: number[] = []
  while (!isDone()) {
    const began = performance.now()
    const answer = await fetch(`${url}/get-session`, { headers: { cookie } })
    if (!answer.ok || (await answer.text()) === 'null') throw new Error(`get-session answered ${answer.status}`)
    waits.push(performance.now() - began)
    await pause(breath)
  }
  return waits.sort((one, other) => one - other)
}

const quantile = (waits: readonly number[], part: number) =>
  waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN
const shown = (waits: readonly number[]) => [0.5, 0.99, 1].map((part) => quantile(waits, part).toFixed(1)).join(' / ')

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

/** @param count ended sessions */
export async function measureJanitor({ freshDatabase }: Storage, count: number): Promise<void> {
  const database = await freshDatabase()
  const daemon = await startDaemon({ database })
  const { app, close } = await openBenchApp(database)
  try {
    const cookie = await signUp(daemon, 'bench@example.com', 'correct horse battery')
    await addEndedSessions(app, count)
    const calm = performance.now() + 5000
    const before = await ask(daemon, cookie, () => performance.now() > calm)
    const state = { isDone: false }
    const began = performance.now()
    const sweeping = sweepAll(app, count).finally(() => {
      state.isDone = true
    })
    const [during] = await Promise.all([ask(daemon, cookie, () => state.isDone), sweeping])
    const seconds = (performance.now() - began) / 1000
    print(`janitor: ${count} ended sessions removed in ${seconds.toFixed(0)} s while get-session is asked for`)
    print(`get-session, median / 99 % / longest in ms: before ${shown(before)}, meanwhile ${shown(during)}`)
    const ratio = (part: number) => (quantile(during, part) / quantile(before, part)).toFixed(2)
    print(`meanwhile a call takes ${ratio(0.5)} times as long (median), ${ratio(0.99)} times (99 %)`)
  } finally {
    await close()
    await daemon.stop()
  }
}
