/** Compares the list of users with few and with many of them, and its first page with a bare `node:http` server. */
import { sql } from 'kysely'
import type { App } from '../src/core/app.ts'
import { openBenchApp } from './app.ts'
import { type Daemon, organizations, signUp, startDaemon } from './daemon.ts'
import { startFloor } from './floors.ts'
import { type Effort, interleave, median, type Round, type Target } from './load.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'
import { measureUsersPage } from './users-page.ts'

/** Users inserted by one statement. */
const batch = 100_000
const password = 'correct horse battery'

/** Numbers with leading zeros, so that the start of a name matches the same number of users in both tables. */
export async function addUsers(app: App, count: number): Promise<void> {
  const digits = sql.raw(Array.from({ length: 10 }, (_, digit) => `select ${digit} as d`).join(' union all '))
  const numbers = sql`(select a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d as n
    from (${digits}) a, (${digits}) b, (${digits}) c, (${digits}) e, (${digits}) f)`
  for (let first = 0; first < count; first += batch) {
    const number = sql`(${first} + numbers.n)`
    const from = sql`${numbers} numbers where numbers.n < ${Math.min(batch, count - first)}`
    const id = sql`left(sha2(concat('user ', ${number}), 256), 32)`
    const digitsOf = sql`lpad(${number}, 7, '0')`
    await sql`insert into user (id, name, sortName, email, emailVerified, role, createdAt, updatedAt, lastSignInAt)
      select ${id}, concat('Name ', ${digitsOf}), concat('name ', ${digitsOf}), concat('user', ${digitsOf}, '@example.com'),
      ${number} % 10 < 8, 'user', utc_timestamp(3) - interval ${number} second, utc_timestamp(3),
      if(${number} % 3 = 0, null, utc_timestamp(3) - interval (${number} * 7919) % 1000000 second) from ${from}`.execute(app.db)
    for (const word of [sql`'name'`, digitsOf])
      await sql`insert into userWord (word, userId) select ${word}, ${id} from ${from}`.execute(app.db)
    await sql`insert into account (id, accountId, providerId, userId, createdAt, updatedAt)
      select left(sha2(concat('account ', ${number}), 256), 32), ${id}, 'credential', ${id}, utc_timestamp(3), utc_timestamp(3)
      from ${from}`.execute(app.db)
  }
  await sql`analyze table user, userWord, account`.execute(app.db)
}

const cursorOf = (sortBy: string, value: unknown, id: string) =>
  Buffer.from(JSON.stringify([sortBy, value, id])).toString('base64url')

async function targetsOf(daemon: Daemon, database: string, count: number) {
  const cookie = await signUp(daemon, 'root@example.com', password)
  const { app, close } = await openBenchApp(database)
  await app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', 'root@example.com').execute()
  const startedAt = performance.now()
  // With the administrator there are as many as given.
  await addUsers(app, count - 1)
  print(`${count} users were created in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  const middle = await app.db
    .selectFrom('user')
    .select(['id', 'email', 'createdAt'])
    .where('email', '>', `user${String(Math.floor(count / 2)).padStart(7, '0')}`)
    .orderBy('email')
    .limit(1)
    .executeTakeFirstOrThrow()
  await close()
  const list = (query: Readonly<Record<string, string>>): Target => ({
    url: `${daemon.url}/admin/list-users?${new URLSearchParams(query)}`,
    pid: daemon.pid,
    headers: { cookie },
  })
  const newest = { sortBy: 'createdAt', sortDirection: 'desc', limit: '50' }
  const byTime = cursorOf('createdAt', middle.createdAt.toISOString(), middle.id)
  const compared = {
    'first page': list(newest),
    'deep page by time': list({ ...newest, cursor: byTime }),
    'deep page by email': list({ sortBy: 'email', limit: '50', cursor: cursorOf('email', middle.email, middle.id) }),
    'start of an email': list({ ...newest, search: 'user00012' }),
    'words of a name': list({ ...newest, search: '00012 name' }),
    'start of a name': list({ ...newest, search: 'Name 00012' }),
    'an exact email': list({ ...newest, search: middle.email }),
    'an exact id': list({ ...newest, search: middle.id }),
    'status banned': list({ ...newest, status: 'banned' }),
    'status unverified': list({ ...newest, status: 'unverified' }),
    'role admin': list({ ...newest, role: 'admin' }),
    'by last sign-in': list({ sortBy: 'lastSignInAt', sortDirection: 'desc', limit: '50' }),
    [contractName]: list({}),
  }
  const slow = {
    'start that all have': list({ ...newest, search: 'user0' }),
    'contains, none': list({ searchValue: 'zzzz' }),
    'contains, name': list({ searchValue: '00012', searchField: 'name' }),
    'offset in the middle': list({ offset: String(Math.floor(count / 2)) }),
    'status active': list({ ...newest, status: 'active' }),
    'role user': list({ ...newest, role: 'user' }),
    'provider credential': list({ ...newest, provider: 'credential' }),
    'provider github': list({ ...newest, provider: 'github' }),
    createdAfter: list({ ...newest, createdAfter: new Date(middle.createdAt).toISOString() }),
  }
  return { compared, slow, cookie, user: middle }
}

/** One call after the other: what may take long. */
async function printTimes(name: string, targets: readonly Target[]): Promise<void> {
  const results: string[] = []
  for (const { url, headers = {} } of targets) {
    const times: number[] = []
    let shown = ''
    for (let call = 0; call < 5; call += 1) {
      const startedAt = performance.now()
      const response = await fetch(url, { headers })
      const body = (await response.json()) as { readonly total?: number; readonly totalIsEstimate?: boolean }
      times.push(performance.now() - startedAt)
      shown = `${response.status}, total ${body.total}${body.totalIsEstimate ? ' (estimate)' : ''}`
    }
    results.push(`${median(times).toFixed(0)} ms (${shown})`)
  }
  print(`${name.padEnd(24)} ${results.join('; ')}`)
}

/** @param counts users in the tables: few, many */
export async function measureAdminUsers(
  { freshDatabase }: Storage,
  effort: Effort,
  counts: readonly [number, number],
): Promise<void> {
  const daemons: Daemon[] = []
  try {
    const baseline = await startFloor('bare.ts')
    const all: Awaited<ReturnType<typeof targetsOf>>[] = []
    for (const count of counts) {
      const database = await freshDatabase()
      const daemon = await startDaemon({ database, options: { admin: 'true', ...organizations } })
      daemons.push(daemon)
      const targets = await targetsOf(daemon, database, count)
      all.push(targets)
      // Before the others are created, because the database writes those for minutes.
      if (count === counts[0])
        printBaseline(await interleave({ [bareName]: baseline, [contractName]: targets.compared[contractName] }, effort), count)
      await measureUsersPage(daemon, { cookie: targets.cookie, count, user: targets.user })
    }
    const [few, many] = all
    if (!few || !many) return
    for (const [name, target] of Object.entries({ ...few.compared, ...few.slow }))
      await printTimes(name, [target, { ...many.compared, ...many.slow }[name as 'first page']])
    const pairs = Object.entries(few.compared).flatMap(([name, target]) => [
      [name, target],
      [`${name}, many`, many.compared[name as keyof typeof many.compared]],
    ])
    printRatios(await interleave(Object.fromEntries(pairs), effort), counts)
  } finally {
    for (const daemon of daemons) await daemon.stop()
  }
}

type Taken = ReadonlyMap<string, readonly Round[]>

/** The median of the ratios of each round. */
const ratio = (taken: Taken, one: string, other: string, of: 'cpu' | 'perSecond') =>
  median((taken.get(one) ?? []).map((round, number) => round[of] / (taken.get(other)?.[number]?.[of] ?? Number.NaN))).toFixed(3)

const bareName = 'bare node:http'
const contractName = 'contract: 100 rows'

function printBaseline(taken: Taken, count: number): void {
  print(
    `100 rows of ${count} compared with ${bareName}: ${ratio(taken, contractName, bareName, 'perSecond')} of the calls per second`,
  )
  print(`and ${ratio(taken, bareName, contractName, 'cpu')} by CPU time`)
}

function printRatios(taken: Taken, [few, many]: readonly [number, number]): void {
  print(`slowdown with ${many} users compared with ${few}: by calls per second / by CPU time of the daemon; failures`)
  for (const [name, rounds] of taken) {
    const others = taken.get(`${name}, many`)
    if (!others) continue
    const failures = [...rounds, ...others].reduce((sum, round) => sum + round.failures, 0)
    const speed = median(rounds.map(({ perSecond }) => perSecond)).toFixed(0)
    print(
      `${name.padEnd(24)} ${ratio(taken, name, `${name}, many`, 'perSecond')} / ${ratio(taken, `${name}, many`, name, 'cpu')}; ${failures}; ${speed} per second`,
    )
  }
}
