/** Measures what an event of the audit log costs a sign-in, and how fast events are numbered and verified. */
import type { App } from '../src/core/app.ts'
import { transaction } from '../src/core/transaction.ts'
import { chainEvents } from '../src/features/audit/chain.ts'
import { recordEvent, recordEvents, verifyEvents } from '../src/features/audit/index.ts'
import { openBenchApp } from './app.ts'
import { type Daemon, organizations, signUp, startDaemon } from './daemon.ts'
import { type Effort, loadRound, median } from './load.ts'
import { cpuMicroseconds } from './process.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

const [transactions, concurrent, chained] = [1000, 8, 10_000]
const account = { email: 'bench@example.com', password: 'correct horse battery' }
const from = { ipAddress: '192.0.2.1', requestId: 'q8Zt3VxLw2Rr8Yp5Xn1Bc7Md4Gh6Js0F' }

/** Microseconds of CPU time of a sign-in, of the daemon only. */
async function signInCost({ url, pid }: Daemon, { rounds, seconds, connections }: Effort): Promise<number> {
  const headers = { 'content-type': 'application/json', origin: 'http://localhost:4000' }
  const target = { url: `${url}/sign-in/email`, pid, method: 'POST', headers, body: JSON.stringify(account) } as const
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { cpu, failures } = await loadRound(target, seconds, connections)
    if (failures > 0) throw new Error(`${failures} sign-ins failed`)
    taken.push(cpu)
  }
  return median(taken)
}

/** Microseconds of CPU time of a transaction: of this process, and of the database, which is its child. */
async function transactionCost(app: App, userId: string, hasEvent: boolean): Promise<number> {
  const target = { type: 'user', id: userId }
  const actor = { ...from, kind: 'user', userId, credential: { kind: 'cookie', id: userId } } as const
  const before = cpuMicroseconds(process.pid)
  const one = () =>
    transaction(app, async (tx) => {
      await tx.db.insertInto('verification').values(verification(tx)).execute()
      if (hasEvent) await recordEvent(tx, { action: 'access.denied', target, actor, details: { method: 'password' } })
    })
  const some = async () => {
    for (let count = 0; count < transactions / concurrent; count += 1) await one()
  }
  await Promise.all(Array.from({ length: concurrent }, some))
  return (cpuMicroseconds(process.pid) - before) / transactions
}

const verification = ({ random, now }: App) => {
  const at = now()
  return { id: random.id(), identifier: random.id(), value: '', expiresAt: at, createdAt: at, updatedAt: at }
}

async function measureChain(app: App): Promise<void> {
  const { lastSequence } = await verifyEvents(app).then(({ through }) => ({ lastSequence: through }))
  const event = {
    action: 'access.denied',
    actor: { ...from, kind: 'anonymous' },
    details: { route: 'GET /list-sessions' },
  } as const
  for (let made = 0; made < chained; made += 500)
    await recordEvents(
      app,
      Array.from({ length: 500 }, () => event),
    )
  const timed = async (work: () => Promise<unknown>) => {
    const [startedAt, before] = [performance.now(), cpuMicroseconds(process.pid)]
    await work()
    const [milliseconds, cpu] = [performance.now() - startedAt, cpuMicroseconds(process.pid) - before]
    return `${Math.round((chained / milliseconds) * 1000)} events/s, ${Math.round(cpu / chained)} µs of CPU time each`
  }
  print(`numbered: ${await timed(() => chainEvents(app))}`)
  print(`verified: ${await timed(() => verifyEvents(app, { after: lastSequence }))}`)
}

export async function measureAudit({ freshDatabase }: Storage, effort: Effort): Promise<void> {
  const database = await freshDatabase()
  const daemon = await startDaemon({ database, options: organizations })
  const { app, close } = await openBenchApp(database)
  try {
    await signUp(daemon, account.email, account.password)
    const { id } = await app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    await transactionCost(app, id, true)
    const costs: number[] = []
    for (let round = 0; round < effort.rounds; round += 1) {
      const without = await transactionCost(app, id, false)
      costs.push((await transactionCost(app, id, true)) - without)
    }
    const [event, signIn] = [median(costs), await signInCost(daemon, effort)]
    const part = ((event / signIn) * 100).toFixed(1)
    print(
      `an event in a transaction: ${event.toFixed(0)} µs of CPU time, with the database; ${part} % of a sign-in (${signIn.toFixed(0)} µs, daemon only)`,
    )
    await measureChain(app)
  } finally {
    await close()
    await daemon.stop()
  }
}
