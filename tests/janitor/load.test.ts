/** The janitor at work on a database server, while requests are served. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type App, extend } from '../../src/core/app.ts'
import { sweepSessions } from '../../src/features/sessions/revocation.ts'
import { testApp } from '../kit/app.ts'

const many = 100_000
const first = 2000
/** Copies of the first rows by one statement, which has ten seconds. */
const batch = 7
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function addEndedSessions(app: App): Promise<void> {
  const session = await app.db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  const end = app.now().getTime() - 7_200_000
  // Multiplied by the server, which is quicker than sending as many rows.
  const rows = Array.from({ length: first }, (_, number) => ({
    ...session,
    id: app.random.id(),
    tokenHash: app.random.token(43),
    expiresAt: new Date(end - number),
  }))
  await app.db.insertInto('session').values(rows).execute()
  const others = Object.keys(session).filter((name) => !['id', 'tokenHash', 'expiresAt'].includes(name))
  const columns = sql.join(['id', 'tokenHash', 'expiresAt', ...others].map((name) => sql.ref(name)))
  const kept = sql.join(others.map((name) => sql.ref(name)))
  const copies = Array.from({ length: many / first - 1 }, (_, copy) => sql`select ${copy} as copy`)
  for (let start = 0; start < copies.length; start += batch)
    await sql`insert into session (${columns})
      select concat(copy, '.', substr(id, 5)), concat(copy, '.', substr(tokenHash, 5)), date_sub(expiresAt, interval copy second), ${kept}
      from session cross join (${sql.join(copies.slice(start, start + batch), sql` union all `)}) as copies
      where expiresAt < ${new Date(end + 1)} and id not like '%.%'`.execute(app.db)
  const { count } = await app.db
    .selectFrom('session')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(1 + many)
}

test(`${many} expired sessions are deleted without delaying sign-ins and session requests`, async () => {
  const { app: withClock, browser } = await testApp({ session: { maxPerUser: 0 } })
  const began = withClock.now().getTime() - performance.now()
  // Time goes on, so that pauses are as long as they would be.
  const app = extend(withClock, { now: () => new Date(began + performance.now()) })
  const here = browser()
  await here.call('POST /sign-up/email', { body: ann })
  await addEndedSessions(withClock)
  const waits: number[] = []
  const statuses = new Set<number>()
  const timed = async (work: Promise<{ status: number }>) => {
    const begun = performance.now()
    statuses.add((await work).status)
    waits.push(performance.now() - begun)
  }
  let isDone = false
  const sweeping = sweepSessions(app, new AbortController().signal).finally(() => {
    isDone = true
  })
  const signIn = () => browser().call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
  let signedIn = 0
  while (!isDone) {
    await timed(here.call('GET /get-session', {}))
    if (waits.length % 10 === 0) {
      await timed(signIn())
      signedIn += 1
    }
  }
  await sweeping
  const sorted = waits.toSorted((one, other) => one - other)
  const longest = sorted.at(-1) ?? 0
  process.stdout.write(
    `${waits.length} calls during the sweep: median ${sorted[waits.length >> 1]?.toFixed(1)} ms, longest ${longest.toFixed(0)} ms\n`,
  )
  expect(waits.length).toBeGreaterThan(50)
  expect(statuses).toEqual(new Set([200]))
  // A lock that is held for a whole run would be waited for, for many seconds.
  expect(longest).toBeLessThan(3000)
  expect((await here.call('GET /get-session', {})).body, 'the one that goes on').not.toBeNull()
  expect(await app.db.selectFrom('session').select('id').execute()).toHaveLength(1 + signedIn)
}, 180_000)
