/** A session that was ended anywhere is refused everywhere at once, even while a signed copy of it lives. */
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { App } from '../../src/core/app.ts'
import { emit } from '../../src/core/events.ts'
import { transaction } from '../../src/core/transaction.ts'
import { setUserRole } from '../../src/features/roles/index.ts'
import { revokeUserSessions } from '../../src/features/sessions/index.ts'
import { deleteUser } from '../../src/features/users/index.ts'
import { testApp } from '../kit/app.ts'
import type { Browser } from '../kit/browser.ts'
import { type Server, startRedis } from '../kit/servers/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const credentials = { email: ann.email, password: ann.password }
const caching = { session: { cookieCache: { enabled: true } } }

const getSession = (browser: Browser) => browser.call('GET /get-session', {})
const nameOf = async (browser: Browser) => (await getSession(browser)).body?.user.name ?? null

/** Two daemons; Ann has signed in twice at the first, and shows her cookies to the second. */
async function twoDaemons(config: Parameters<typeof testApp>[0] = {}) {
  const here = await testApp({ ...caching, ...config })
  const there = await here.another()
  const [first, second] = [here.browser(), here.browser()]
  const { body } = await first.call('POST /sign-up/email', { body: ann })
  await second.call('POST /sign-in/email', { body: credentials })
  return { here, there, first, second, userId: body.user.id as string, atOther: (browser: Browser) => copyOf(browser, there) }
}

/** The same cookies, shown to another daemon. */
function copyOf(browser: Browser, { browser: open }: { browser(): Browser }): Browser {
  const copy = open()
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

/** Behind the back of every daemon: who answers with the former name has believed a copy. */
const rename = (app: App, name: string) => app.db.updateTable('user').set({ name }).execute()

async function expectRefused(browser: Browser): Promise<void> {
  const answer = await getSession(browser)
  expect([answer.status, answer.body]).toEqual([200, null])
  expect(answer.setCookie.map((header) => header.slice(0, header.indexOf(';')))).toEqual([
    'latchkey.session_token=',
    'latchkey.session_data=',
    'latchkey.dont_remember=',
  ])
}

describe('a copy that is believed by two daemons is refused by the other at once', () => {
  const ends: Record<string, (kit: Awaited<ReturnType<typeof twoDaemons>>) => Promise<unknown>> = {
    'after sign-out': ({ first }) => first.call('POST /sign-out', {}),
    'after revoke-session': async ({ first, second }) => {
      const { token } = (await getSession(first)).body.session
      await second.call('POST /revoke-session', { body: { token } })
    },
    'after revoke-sessions': ({ second }) => second.call('POST /revoke-sessions', {}),
    'after revoke-other-sessions': ({ second }) => second.call('POST /revoke-other-sessions', {}),
    'when all sessions of the user are ended': ({ here, userId }) => revokeUserSessions(here.app, userId),
    'when the user is removed': ({ here, userId }) => transaction(here.app, async (app) => void (await deleteUser(app, userId))),
  }
  test.each(Object.keys(ends))('%s', async (name) => {
    const kit = await twoDaemons()
    const other = kit.atOther(kit.first)
    await rename(kit.here.app, 'Renamed')
    expect(await nameOf(other)).toBe('Ann')
    await ends[name]?.(kit)
    await expectRefused(other)
  })
})

test('a session that goes on is answered from its rows, and gets a copy that is believed', async () => {
  const { here, first, second, atOther } = await twoDaemons()
  const other = atOther(second)
  await nameOf(other)
  await rename(here.app, 'Renamed')
  expect(await nameOf(other)).toBe('Ann')
  await first.call('POST /sign-out', {})
  const answer = await getSession(other)
  expect([answer.body.user.name, answer.setCookie]).toEqual(['Renamed', [expect.stringContaining('latchkey.session_data=')]])
  await rename(here.app, 'Again')
  expect(await nameOf(other)).toBe('Renamed')
})

test.each([
  ['user.updated', { affectsAccess: true }],
  ['password.changed', { isOwn: true }],
] as const)('%s makes the copies of the user worthless', async (event, more) => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await nameOf(other)
  await rename(here.app, 'Renamed')
  expect(await nameOf(other)).toBe('Ann')
  await transaction(here.app, (app) => emit(app, event, { userId, ...more } as never))
  expect(await nameOf(other)).toBe('Renamed')
})

test('another name is shown by other browsers when their copies end, and at once when they ask for the rows', async () => {
  const { first, second, atOther } = await twoDaemons()
  const other = atOther(second)
  await nameOf(other)
  expect((await first.call('POST /update-user', { body: { name: 'Renamed' } })).status).toBe(200)
  expect(await nameOf(first)).toBe('Renamed')
  expect(await nameOf(other)).toBe('Ann')
  const asked = await other.call('GET /get-session', { query: { disableCookieCache: 'true' } })
  expect(asked.body.user.name).toBe('Renamed')
})

test('another role counts at once', async () => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await nameOf(other)
  await setUserRole(here.app, userId, 'admin')
  await rename(here.app, 'Renamed')
  expect(await nameOf(other)).toBe('Renamed')
})

test('the copies of other people go on being believed', async () => {
  const { here, there, first } = await twoDaemons()
  const bob = here.browser()
  await bob.call('POST /sign-up/email', { body: { ...ann, name: 'Bob', email: 'bob@example.com' } })
  const other = copyOf(bob, there)
  await nameOf(other)
  await rename(here.app, 'Renamed')
  await first.call('POST /sign-out', {})
  expect(await nameOf(other)).toBe('Bob')
})

test('an answer from a copy costs one question to Redis, which calls that come together share, and no row', async () => {
  const { here, there, first, atOther } = await twoDaemons()
  const visitors = Array.from({ length: 64 }, () => atOther(first))
  await rename(here.app, 'Renamed')
  const asked = vi.spyOn(there.app.kv, 'readLog')
  const queried = vi.spyOn(there.app.db, 'executeQuery')
  expect(await nameOf(atOther(first))).toBe('Ann')
  expect(asked).toHaveBeenCalledTimes(1)
  expect(new Set(await Promise.all(visitors.map(nameOf)))).toEqual(new Set(['Ann']))
  expect(asked.mock.calls.length).toBeLessThan(10)
  expect(queried).not.toHaveBeenCalled()
})

test('a copy that was made while the change was being committed is not believed', async () => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await transaction(here.app, async (app) => {
    await revokeUserSessions(app, userId)
    // The row is still there for everybody else, and the copy names the generation that the first notice made.
    expect(await nameOf(other)).toBe('Ann')
  })
  await expectRefused(other)
})

test('a daemon that dies between the commit and its second notice leaves no former copy believed', async () => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await nameOf(other)
  const append = here.app.kv.append
  let count = 0
  vi.spyOn(here.app.kv, 'append').mockImplementation(async (...values) => {
    count += 1
    return count === 1 ? append(...values) : 0
  })
  await revokeUserSessions(here.app, userId)
  expect(count).toBe(2)
  await expectRefused(other)
})

test('after more changes than anybody keeps count of, nothing old is believed', async () => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await nameOf(other)
  for (let count = 0; count < 1100; count += 1)
    await emit(here.app, 'user.updated', { userId: `somebody ${count}`, affectsAccess: true })
  await rename(here.app, 'Renamed')
  expect(await nameOf(other)).toBe('Renamed')
  await emit(here.app, 'user.updated', { userId, affectsAccess: true })
  await rename(here.app, 'Again')
  expect(await nameOf(other)).toBe('Again')
})

describe('with a Redis of its own', () => {
  async function privateRedis() {
    const server: Server = await startRedis()
    onTestFinished(server.stop)
    const kit = await twoDaemons({ redis: { url: server.url, keyPrefix: 'test:', commandTimeout: 300 } })
    const operator = new Redis(server.url)
    operator.on('error', () => undefined)
    onTestFinished(() => operator.disconnect())
    return { ...kit, server, operator, other: kit.atOther(kit.first) }
  }
  const log = 'test:kv:{session-changes}'

  test('that is killed, the rows answer, and what was ended is refused; when it is back, empty, copies are believed anew', async () => {
    const { here, there, server, first, second, other, atOther } = await privateRedis()
    await nameOf(other)
    await rename(here.app, 'Renamed')
    expect(await nameOf(other)).toBe('Ann')
    await server.kill()
    expect(await nameOf(other)).toBe('Renamed')
    expect((await first.call('POST /sign-out', {})).body).toEqual({ success: true })
    await expectRefused(other)
    expect(there.log.filter((line) => line.includes('not believed until it does'))).toHaveLength(1)
    const remaining = atOther(second)
    await server.restart()
    await expect
      .poll(
        async () => {
          // The other daemon too: it has something to tell, by which copies of before are worthless once more.
          await Promise.all([nameOf(remaining), nameOf(second)])
          return [here, there].every(({ log }) => log.some((line) => line.includes('Redis answers again')))
        },
        { timeout: 15_000 },
      )
      .toBe(true)
    // What a daemon has to tell may arrive after it says so, and makes copies of before worthless once more.
    let round = 0
    const isBelieved = async () => {
      round += 1
      await rename(here.app, `Before ${round}`)
      await remaining.call('GET /get-session', { query: { disableCookieCache: 'true' } })
      await rename(here.app, `After ${round}`)
      return (await nameOf(remaining)) === `Before ${round}`
    }
    await expect.poll(isBelieved, { timeout: 5000 }).toBe(true)
  })

  test('that hangs, a call waits for one timeout and is then answered from the rows', async () => {
    const { here, server, other } = await privateRedis()
    await nameOf(other)
    await rename(here.app, 'Renamed')
    process.kill(server.pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(server.pid, 'SIGCONT'))
    expect(await nameOf(other)).toBe('Renamed')
  })

  test('that was emptied, nothing issued before is believed, and what is issued from then on is', async () => {
    const { here, operator, other } = await privateRedis()
    await nameOf(other)
    await rename(here.app, 'Renamed')
    expect(await nameOf(other)).toBe('Ann')
    await operator.flushall()
    expect(await nameOf(other)).toBe('Renamed')
    await rename(here.app, 'Again')
    expect(await nameOf(other)).toBe('Renamed')
  })

  test('that was emptied before a revocation, the ended session is refused', async () => {
    const { operator, first, other } = await privateRedis()
    await nameOf(other)
    await operator.flushall()
    await first.call('POST /sign-out', {})
    await expectRefused(other)
  })

  test('that has forgotten the newest entries, nothing issued before is believed', async () => {
    const { here, operator, other } = await privateRedis()
    await emit(here.app, 'user.updated', { userId: 'somebody', affectsAccess: true })
    await nameOf(other)
    await rename(here.app, 'Renamed')
    await operator.decr(log)
    expect(await nameOf(other)).toBe('Renamed')
    await rename(here.app, 'Again')
    expect(await nameOf(other)).toBe('Renamed')
  })

  test('that has dropped an entry for want of room, nothing issued before is believed', async () => {
    const { here, operator, userId, other } = await privateRedis()
    await nameOf(other)
    await emit(here.app, 'user.updated', { userId, affectsAccess: true })
    await operator.del(`${log}:${await operator.get(log)}`)
    await rename(here.app, 'Renamed')
    expect(await nameOf(other)).toBe('Renamed')
  })

  test('what one daemon could not write down is told to the others as soon as it can', async () => {
    const { here, there, first, other } = await privateRedis()
    await nameOf(other)
    await rename(here.app, 'Renamed')
    const broken = vi.spyOn(here.app.kv, 'append').mockRejectedValue(new Error('Redis does not answer'))
    expect((await first.call('POST /sign-out', {})).body).toEqual({ success: true })
    expect(await nameOf(other)).toBe('Ann')
    broken.mockRestore()
    await expect.poll(() => here.log.some((line) => line.includes('Redis answers again'))).toBe(true)
    expect(there.log).toEqual([])
    await expectRefused(other)
  })
})

test('without Redis the copy is written and the rows are read', async () => {
  const { here, first, second } = await twoDaemons({ redis: false })
  await rename(here.app, 'Renamed')
  expect(second.cookies.has('latchkey.session_data')).toBe(true)
  expect(await nameOf(second)).toBe('Renamed')
  const { token } = (await getSession(first)).body.session
  await second.call('POST /revoke-session', { body: { token } })
  await expectRefused(first)
})
