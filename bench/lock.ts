/** Measures how long a lock takes to cut off a thief whose session two daemons serve, while others renew theirs. */
import { setTimeout as pause } from 'node:timers/promises'
import { openBenchApp } from './app.ts'
import { cookieCache, cookiesOf, type Daemon, signUp, startDaemon } from './daemon.ts'
import { shown } from './janitor.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

const password = 'correct horse battery'
/** Locks that are measured, after a tenth of them that are not. */
const locks = 500
/** Between two calls of a client: without it, the clients take the cores that the daemons need. */
const pauseMs = 5
/** Clients of the thief, at each of the two daemons. */
const renewals = 4

const headers = { 'content-type': 'application/json', origin: 'http://localhost:4000' }

async function lock({ url }: Daemon, cookie: string, userId: string): Promise<void> {
  const body = JSON.stringify({ userId, reason: 'Stolen' })
  const response = await fetch(`${url}/admin/lock-user`, { method: 'POST', headers: { ...headers, cookie }, body })
  if (!response.ok) throw new Error(`The lock responded with ${response.status}: ${await response.text()}`)
}

/** Uses a session until it is rejected. @returns when the last call was sent that was still accepted */
async function lastAccepted({ url }: Daemon, cookie: string): Promise<number> {
  let last = 0
  for (;;) {
    const sentAt = performance.now()
    const response = await fetch(`${url}/get-session`, { headers: { cookie } })
    if ((await response.text()) === 'null') return last
    last = sentAt
    await pause(pauseMs)
  }
}

export async function measureLock({ freshDatabase, redis }: Storage): Promise<void> {
  const database = await freshDatabase()
  const options = { ...cookieCache(redis), admin: 'true' }
  const daemons = [await startDaemon({ database, options }), await startDaemon({ database, options })] as const
  const { app, close } = await openBenchApp(database)
  try {
    await signUp(daemons[0], 'staff@example.com', password)
    await app.db.updateTable('user').set({ role: 'admin' }).execute()
    const body = JSON.stringify({ email: 'staff@example.com', password })
    const staff = cookiesOf(await fetch(`${daemons[0].url}/sign-in/email`, { method: 'POST', headers, body }))
    const responses: number[] = []
    const cuts: number[] = []
    for (let number = 0; number < locks * 1.1; number += 1) {
      const email = `user${number}@example.com`
      const cookie = await signUp(daemons[0], email, password)
      const { id } = await app.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
      const uses = daemons.flatMap((daemon) => Array.from({ length: renewals }, () => lastAccepted(daemon, cookie)))
      await pause(20)
      const startedAt = performance.now()
      await lock(daemons[0], staff, id)
      const respondedAt = performance.now()
      const last = Math.max(...(await Promise.all(uses)))
      if (last > respondedAt) throw new Error('A session was accepted after the lock')
      if (number < locks / 10) continue
      responses.push(respondedAt - startedAt)
      cuts.push(Math.max(0, last - startedAt))
    }
    for (const times of [responses, cuts]) times.sort((one, other) => one - other)
    print(
      `lock: median / 99 % / maximum in ms until the last accepted call ${shown(cuts)}, and until the response ${shown(responses)}`,
    )
  } finally {
    await close()
    for (const daemon of daemons) await daemon.stop()
  }
}
