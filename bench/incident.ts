/** Measures how long an incident takes to revoke sessions, and how much slower get-session and sign-in are at the same time. */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../src/core/app.ts'
import { countSessions, revokeByFilter } from '../src/features/incidents/index.ts'
import { openBenchApp } from './app.ts'
import { type Daemon, organizations, signUp, startDaemon } from './daemon.ts'
import { quantile, shown } from './janitor.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

/** Rows inserted by one statement. */
const batch = 5000
/** Sessions of one user. */
const perUser = 4
const password = 'correct horse battery'
const attacker = '192.0.2.66'
const calmMs = 5000

/** Sessions of many users, half of them from the IP address of the attacker. */
export async function addSessions(app: App, count: number): Promise<void> {
  const user = await app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
  const session = await app.db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  for (let made = 0; made < count; made += batch) {
    const size = Math.min(batch, count - made)
    const users = Array.from({ length: Math.ceil(size / perUser) }, () => {
      const id = app.random.id()
      return { ...user, id, email: `${id}@example.com`.toLowerCase() }
    })
    await app.db.insertInto('user').values(users).execute()
    const rows = Array.from({ length: size }, (_, number) => ({
      ...session,
      id: app.random.id(),
      tokenHash: app.random.token(43),
      userId: users[Math.floor(number / perUser)]?.id ?? user.id,
      ipAddress: number % 2 === 0 ? attacker : '198.51.100.7',
    }))
    await app.db.insertInto('session').values(rows).execute()
  }
}

/** @returns the sorted durations of calls in milliseconds, until `isDone` */
async function measure(call: () => Promise<Response>, pauseMs: number, isDone: () => boolean): Promise<number[]> {
  const waits: number[] = []
  while (!isDone()) {
    const startedAt = performance.now()
    const response = await call()
    if (!response.ok || (await response.text()) === 'null') throw new Error(`A call responded with ${response.status}`)
    waits.push(performance.now() - startedAt)
    await pause(pauseMs)
  }
  return waits.sort((one, other) => one - other)
}

const body = JSON.stringify({ email: 'sign-in@example.com', password })
const headers = { 'content-type': 'application/json', origin: 'http://localhost:4000' }

function measureCalls({ url }: Daemon, cookie: string, isDone: () => boolean) {
  const read = () => fetch(`${url}/get-session`, { headers: { cookie } })
  const signIn = () => fetch(`${url}/sign-in/email`, { method: 'POST', headers, body })
  return Promise.all([measure(read, 2, isDone), measure(signIn, 50, isDone)])
}

/** @returns milliseconds until a session is rejected */
async function untilEnded({ url }: Daemon, cookie: string): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const response = await fetch(`${url}/get-session`, { headers: { cookie } })
    if ((await response.text()) === 'null') return performance.now() - startedAt
    await pause(50)
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  print(`incident: ${what} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${JSON.stringify(result)}`)
  return result
}

/** @param count sessions */
export async function measureIncident({ freshDatabase }: Storage, count: number): Promise<void> {
  const database = await freshDatabase()
  const daemon = await startDaemon({ database, options: { ...organizations, admin: 'true' } })
  const { app, close } = await openBenchApp(database)
  const { signal } = new AbortController()
  try {
    await signUp(daemon, 'sign-in@example.com', password)
    await addSessions(app, count)
    // Later than all of them: it must be left.
    const cookie = await signUp(daemon, 'bench@example.com', password)
    const calm = performance.now() + calmMs
    const before = await measureCalls(daemon, cookie, () => performance.now() > calm)
    const stolen = await signUp(daemon, 'stolen@example.com', password)
    // The last one along the primary key, of a network that the clients of this run do not have.
    const owner = app.db.selectFrom('user').select('id').where('email', '=', 'stolen@example.com')
    await app.db.updateTable('session').set({ ipAddress: attacker, id: '~' }).where('userId', '=', owner).execute()
    const attack = { ip: `${attacker.slice(0, -2)}0/24` }
    await timed('counted those of a network', () => countSessions(app, attack, { signal }))
    const state = { isDone: false }
    const during = measureCalls(daemon, cookie, () => state.isDone)
    const ended = untilEnded(daemon, stolen)
    await timed('revoked those of a network', () => revokeByFilter(app, attack, { signal }))
    print(`incident: the last of them was rejected after ${((await ended) / 1000).toFixed(1)} s`)
    await timed('revoked the others', () => revokeByFilter(app, { ip: '198.51.100.7' }, { signal }))
    state.isDone = true
    const [reads, signIns] = await during
    for (const [name, calm, busy] of [
      ['get-session', before[0], reads],
      ['sign-in', before[1], signIns],
    ] as const) {
      print(`${name} latency, median / 99 % / maximum in ms: before ${shown(calm)}, during the revocation ${shown(busy)}`)
      print(`${name} at 99 %: ${(quantile(busy, 0.99) / quantile(calm, 0.99)).toFixed(2)} times as long`)
    }
  } finally {
    await close()
    await daemon.stop()
  }
}
