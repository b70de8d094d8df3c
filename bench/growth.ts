/** Compares the same calls with few and with many users in the tables. */
import { sql } from 'kysely'
import type { App } from '../src/core/app.ts'
import { hashSessionToken } from '../src/features/sessions/session.ts'
import { signCookie } from '../src/lib/cookie.ts'
import { openBenchApp } from './app.ts'
import { type Daemon, organizations, post, signUp, startDaemon } from './daemon.ts'
import { type Effort, interleave, median, type Round, type Target } from './load.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

const password = 'correct horse battery'
/** Users who send requests, spread over the tables. */
const activeUsers = 2000
/** Users inserted by one statement. */
const batch = 100_000

const emailOf = (number: number) => `user${number}@example.com`

/** Inserts copies of a user who has signed up, each with an account and a session. */
async function addUsers(app: App, count: number): Promise<void> {
  const digits = sql.raw(Array.from({ length: 10 }, (_, digit) => `select ${digit} as d`).join(' union all '))
  const numbers = sql`(select a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d as n
    from (${digits}) a, (${digits}) b, (${digits}) c, (${digits}) e, (${digits}) f)`
  for (let first = 0; first < count; first += batch) {
    const number = sql`(${first} + numbers.n)`
    const from = sql`${numbers} numbers where numbers.n < ${Math.min(batch, count - first)}`
    const ownId = sql`md5(concat('user ', ${number}))`
    await sql`insert into user (id, name, email, emailVerified, createdAt, updatedAt)
      select ${ownId}, 'Bench', concat('user', ${number}, '@example.com'), false, utc_timestamp(3), utc_timestamp(3) from ${from}`.execute(
      app.db,
    )
    await sql`insert into account (id, accountId, providerId, userId, password, createdAt, updatedAt)
      select md5(concat('account ', ${number})), ${ownId}, 'credential', ${ownId}, (select old.password from account old limit 1),
      utc_timestamp(3), utc_timestamp(3) from ${from}`.execute(app.db)
    await sql`insert into session (id, expiresAt, tokenHash, createdAt, updatedAt, userId, authenticatedAt)
      select md5(concat('session ', ${number})), utc_timestamp(3) + interval 7 day, concat(md5(concat('token ', ${number})), 'unknown'),
      utc_timestamp(3), utc_timestamp(3), ${ownId}, utc_timestamp(3) from ${from}`.execute(app.db)
  }
}

/** @returns cookies of users who are far apart in the tables */
async function signInUsers(app: App, count: number): Promise<string[]> {
  const users = await app.db
    .selectFrom('user')
    .select('id')
    .where(
      'email',
      'in',
      Array.from({ length: activeUsers }, (_, position) => emailOf(Math.floor((position * count) / activeUsers))),
    )
    .execute()
  const tokens: string[] = []
  for (const { id } of users) {
    const token = app.random.token(32)
    const tokenHash = hashSessionToken(app, token)
    await app.db.updateTable('session').set({ tokenHash }).where('userId', '=', id).execute()
    tokens.push(token)
  }
  return tokens.map((token) => `latchkey.session_token=${signCookie(token, app.keyring)}`)
}

async function fill(database: string, daemon: Daemon, count: number): Promise<Record<string, Target>> {
  await signUp(daemon, 'bench@example.com', password)
  const { app, close } = await openBenchApp(database)
  const startedAt = performance.now()
  await addUsers(app, count)
  const cookies = await signInUsers(app, count)
  await close()
  print(`${count} users, accounts and sessions were created in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  const signIn = post(daemon, '/sign-in/email', {})
  const allUsers = cookies.map((cookie) => ({ headers: { cookie } }))
  const get = (path: string): Target => ({ url: `${daemon.url}${path}`, pid: daemon.pid, variants: allUsers })
  const update = post(daemon, '/update-user', { name: 'Other' })
  return {
    'get-session': get('/get-session'),
    'list-sessions': get('/list-sessions'),
    'list-accounts': get('/list-accounts'),
    'update-user': {
      ...update,
      variants: cookies.map((cookie) => ({ headers: { ...update.headers, cookie }, body: update.body })),
    },
    'sign-in': {
      ...signIn,
      variants: Array.from({ length: activeUsers }, (_, position) => ({
        headers: signIn.headers,
        body: JSON.stringify({ email: emailOf(Math.floor((position * count) / activeUsers)), password }),
      })),
    },
    'sign-up': post(daemon, '/sign-up/email', { name: 'Bench', email: 'new-[<id>]@example.com', password }),
  }
}

/** @param counts users in the tables: few, many */
export async function measureGrowth(
  { freshDatabase }: Storage,
  effort: Effort,
  counts: readonly [number, number],
): Promise<void> {
  const daemons: Daemon[] = []
  try {
    const targets: Record<string, Target> = {}
    for (const count of counts) {
      const database = await freshDatabase()
      const daemon = await startDaemon({ database, options: organizations })
      daemons.push(daemon)
      for (const [name, target] of Object.entries(await fill(database, daemon, count))) targets[`${name}, ${count}`] = target
    }
    const taken = await interleave(Object.fromEntries(Object.entries(targets).sort()), effort)
    printGrowth(taken, counts)
  } finally {
    for (const daemon of daemons) await daemon.stop()
  }
}

function printGrowth(taken: ReadonlyMap<string, readonly Round[]>, [few, many]: readonly [number, number]): void {
  print(`slowdown with ${many} users compared with ${few}: by calls per second / by CPU time of the daemon; failures`)
  for (const [name, rounds] of taken) {
    const [call, count] = name.split(', ')
    if (count !== String(few)) continue
    const others = taken.get(`${call}, ${many}`) ?? []
    const bySpeed = median(rounds.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN)))
    const byCPU = median(rounds.map(({ cpu }, round) => (others[round]?.cpu ?? Number.NaN) / cpu))
    const failures = [...rounds, ...others].reduce((sum, round) => sum + round.failures, 0)
    print(`${(call ?? '').padEnd(20)} ${bySpeed.toFixed(2)} / ${byCPU.toFixed(2)}; ${failures}`)
  }
}
