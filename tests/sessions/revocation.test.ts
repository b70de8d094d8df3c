/** A session that one daemon revokes is rejected by all daemons immediately, even while a signed copy of it is valid. */
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { App } from '../../src/core/app.ts'
import { emit } from '../../src/core/events.ts'
import { transaction } from '../../src/core/transaction.ts'
import { setUserRole } from '../../src/features/roles/index.ts'
import { revokeSessions } from '../../src/features/sessions/index.ts'
import { deleteUser } from '../../src/features/users/index.ts'
import { testApp } from '../kit/app.ts'
import { type Browser, nameOf } from '../kit/browser.ts'
import { type Server, startRedis } from '../kit/servers/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const credentials = { email: ann.email, password: ann.password }
const caching = { session: { cookieCache: { enabled: true } } }

const getSession = (browser: Browser) => browser.call('GET /get-session', {})

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

/** Changes the row without notifying daemons: a response with the former name comes from a copy. */
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

describe('a copy that two daemons use is rejected by the other daemon immediately', () => {
  const ends: Record<string, (kit: Awaited<ReturnType<typeof twoDaemons>>) => Promise<unknown>> = {
    'after sign-out': ({ first }) => first.call('POST /sign-out', {}),
    'after revoke-session': async ({ first, second }) => {
      const { token } = (await getSession(first)).body.session
      await second.call('POST /revoke-session', { body: { token } })
    },
    'after revoke-sessions': ({ second }) => second.call('POST /revoke-sessions', {}),
    'after revoke-other-sessions': ({ second }) => second.call('POST /revoke-other-sessions', {}),
    'when all sessions of the user are revoked': ({ here, userId }) => revokeSessions(here.app, { userId }),
    'when the user is deleted': ({ here, userId }) => transaction(here.app, async (app) => void (await deleteUser(app, userId))),
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

test('reads the rows of a remaining session, and writes a new copy that is used', async () => {
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
  ['user.updated', {}],
  ['password.changed', { by: 'session', ended: { sessions: 0, apiKeys: 0 }, apiKeysLeft: 0 }],
] as const)('%s makes the copies of the user worthless', async (event, more) => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await nameOf(other)
  await rename(here.app, 'Renamed')
  expect(await nameOf(other)).toBe('Ann')
  await transaction(here.app, (app) => emit(app, event, { userId, ...more } as never))
  expect(await nameOf(other)).toBe('Renamed')
})

test('shows a new name in other browsers immediately', async () => {
  const { first, second, atOther } = await twoDaemons()
  const other = atOther(second)
  await nameOf(other)
  expect((await first.call('POST /update-user', { body: { name: 'Renamed' } })).status).toBe(200)
  expect(await nameOf(first)).toBe('Renamed')
  expect(await nameOf(other)).toBe('Renamed')
})

test('applies a new role immediately', async () => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await nameOf(other)
  await setUserRole(here.app, userId, 'admin')
  await rename(here.app, 'Renamed')
  expect(await nameOf(other)).toBe('Renamed')
})

test('keeps using the copies of other users', async () => {
  const { here, there, first } = await twoDaemons()
  const bob = here.browser()
  await bob.call('POST /sign-up/email', { body: { ...ann, name: 'Bob', email: 'bob@example.com' } })
  const other = copyOf(bob, there)
  await nameOf(other)
  await rename(here.app, 'Renamed')
  await first.call('POST /sign-out', {})
  expect(await nameOf(other)).toBe('Bob')
})

test('reads Redis once for calls that arrive together, and no row', async () => {
  const { here, there, first, atOther } = await twoDaemons()
  const visitors = Array.from({ length: 64 }, () => atOther(first))
  await rename(here.app, 'Renamed')
  const asked = vi.spyOn(there.app.kv, 'get')
  const queried = vi.spyOn(there.app.db, 'executeQuery')
  expect(await nameOf(atOther(first))).toBe('Ann')
  expect(asked).toHaveBeenCalledTimes(1)
  expect(new Set(await Promise.all(visitors.map(nameOf)))).toEqual(new Set(['Ann']))
  expect(asked.mock.calls.length).toBeLessThan(10)
  expect(queried).not.toHaveBeenCalled()
})

test('discards a copy that was made while the change was being committed', async () => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await transaction(here.app, async (app) => {
    await revokeSessions(app, { userId })
    // Other connections still see the row, and the copy has the epoch that the first deletion led to.
    expect(await nameOf(other)).toBe('Ann')
  })
  await expectRefused(other)
})

test('leaves no former copy current when a daemon dies between the commit and its second deletion', async () => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await nameOf(other)
  const { delete: deleteKeys } = here.app.kv
  let count = 0
  vi.spyOn(here.app.kv, 'delete').mockImplementation(async (keys) => {
    count += 1
    if (count === 1) await deleteKeys(keys)
  })
  await revokeSessions(here.app, { userId })
  expect(count).toBe(2)
  await expectRefused(other)
})

test('keeps using a copy after 1,100 changes of other users, and discards it after one of its own', async () => {
  const { here, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  await nameOf(other)
  for (let count = 0; count < 1100; count += 1) await emit(here.app, 'user.updated', { userId: `other ${count}` })
  await rename(here.app, 'Renamed')
  expect(await nameOf(other)).toBe('Ann')
  await emit(here.app, 'user.updated', { userId })
  await rename(here.app, 'Again')
  expect(await nameOf(other)).toBe('Again')
})

test('uses the second copy of a browser that sends none at first', async () => {
  const { here, first, atOther } = await twoDaemons()
  const other = atOther(first)
  other.cookies.delete('latchkey.session_data')
  await nameOf(other)
  await rename(here.app, 'Renamed')
  expect(await nameOf(other)).toBe('Ann')
})

test('makes no current copy of a row that was read before a change of access', async () => {
  const { here, there, first, userId, atOther } = await twoDaemons()
  const other = atOther(first)
  other.cookies.delete('latchkey.session_data')
  const { get } = there.app.kv
  let isChanged = false
  vi.spyOn(there.app.kv, 'get').mockImplementation(async (keys) => {
    // The row was read, which names the user, and the copy is not made yet.
    if (!isChanged && keys.includes(`epoch:${userId}`)) {
      isChanged = true
      await emit(here.app, 'user.updated', { userId })
    }
    return get(keys)
  })
  await nameOf(other)
  expect(isChanged).toBe(true)
  await rename(here.app, 'Renamed')
  expect(await nameOf(other)).toBe('Renamed')
})

test('rejects all of 64 calls that start after a revocation, while 64 others race with it', async () => {
  const { here, there, first, second, atOther } = await twoDaemons()
  const { token } = (await getSession(first)).body.session
  const visitors = Array.from({ length: 64 }, (_, count) => copyOf(first, count % 2 ? here : there))
  const racing = visitors.map(getSession)
  const revoked = second.call('POST /revoke-session', { body: { token } })
  for (const { status, body } of await Promise.all(racing)) expect([status, body?.user.name ?? 'Ann']).toEqual([200, 'Ann'])
  expect((await revoked).status).toBe(200)
  // Each with the copy that it got during the race.
  for (const { body } of await Promise.all(visitors.map(getSession))) expect(body).toBeNull()
  await expectRefused(atOther(first))
})

describe('a Redis of its own', () => {
  async function privateRedis(commandTimeout = 10_000) {
    const server: Server = await startRedis()
    onTestFinished(server.stop)
    const kit = await twoDaemons({ redis: { url: server.url, keyPrefix: 'test:', commandTimeout } })
    const operator = new Redis(server.url)
    operator.on('error', () => undefined)
    onTestFinished(() => operator.disconnect())
    return { ...kit, server, operator, other: kit.atOther(kit.first) }
  }
  const epochKey = (userId: string) => `test:{kv}:epoch:${userId}`

  test('reads the rows while it is down, and uses copies again when it is back, empty', async () => {
    const { here, there, server, first, second, other, atOther } = await privateRedis()
    await nameOf(other)
    await rename(here.app, 'Renamed')
    expect(await nameOf(other)).toBe('Ann')
    await server.kill()
    expect(await nameOf(other)).toBe('Renamed')
    expect((await first.call('POST /sign-out', {})).body).toEqual({ success: true })
    await expectRefused(other)
    expect(there.log.filter((line) => line.includes('ignored until it does'))).toHaveLength(1)
    const remaining = atOther(second)
    await server.restart()
    await expect
      .poll(async () => {
        // The other daemon too: it discards the copies of before once more.
        await Promise.all([nameOf(remaining), nameOf(second)])
        return [here, there].every(({ log }) => log.some((line) => line.includes('Redis responds again')))
      })
      .toBe(true)
    // A daemon may discard copies once more after it has reconnected.
    let round = 0
    const isBelieved = async () => {
      round += 1
      await rename(here.app, `Before ${round}`)
      await remaining.call('GET /get-session', { query: { disableCookieCache: 'true' } })
      await rename(here.app, `After ${round}`)
      return (await nameOf(remaining)) === `Before ${round}`
    }
    await expect.poll(isBelieved).toBe(true)
  })

  test('waits for one timeout when it hangs, and then reads the rows', async () => {
    const { here, server, other } = await privateRedis(300)
    await nameOf(other)
    await rename(here.app, 'Renamed')
    process.kill(server.pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(server.pid, 'SIGCONT'))
    expect(await nameOf(other)).toBe('Renamed')
  })

  test('uses no copy issued before it was emptied, and those issued afterwards', async () => {
    const { here, operator, other } = await privateRedis()
    await nameOf(other)
    await rename(here.app, 'Renamed')
    expect(await nameOf(other)).toBe('Ann')
    await operator.flushall()
    expect(await nameOf(other)).toBe('Renamed')
    await rename(here.app, 'Again')
    expect(await nameOf(other)).toBe('Renamed')
  })

  test('rejects a session that is revoked after it was emptied', async () => {
    const { operator, first, other } = await privateRedis()
    await nameOf(other)
    await operator.flushall()
    await first.call('POST /sign-out', {})
    await expectRefused(other)
  })

  test('uses no copy issued before a failover that lost the newest writes', async () => {
    const { here, there, operator, userId, other } = await privateRedis()
    await nameOf(other)
    const connection = there.app.kv.connection()
    const before = (await operator.get(epochKey(userId))) ?? ''
    await emit(here.app, 'user.updated', { userId })
    await rename(here.app, 'Renamed')
    // The replica that takes over has not received the deletion; every client must connect to it.
    await operator.set(epochKey(userId), before)
    await operator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await expect.poll(() => there.app.kv.connection()).not.toBe(connection)
    expect(await nameOf(other)).toBe('Renamed')
    await rename(here.app, 'Again')
    expect(await nameOf(other)).toBe('Renamed')
  })

  test('uses no copy of a user whose key was evicted', async () => {
    const { here, operator, userId, other } = await privateRedis()
    await nameOf(other)
    await rename(here.app, 'Renamed')
    expect(await nameOf(other)).toBe('Ann')
    await operator.del(epochKey(userId))
    expect(await nameOf(other)).toBe('Renamed')
  })

  test('uses no copy issued before a revocation whose key was evicted', async () => {
    const { here, operator, userId, other } = await privateRedis()
    await nameOf(other)
    await emit(here.app, 'user.updated', { userId })
    await nameOf(other)
    await operator.del(epochKey(userId))
    await rename(here.app, 'Renamed')
    expect(await nameOf(other)).toBe('Renamed')
  })

  test('discards copies on all daemons as soon as one can write again', async () => {
    const { here, there, first, other } = await privateRedis()
    await nameOf(other)
    await rename(here.app, 'Renamed')
    const broken = vi.spyOn(here.app.kv, 'delete').mockRejectedValue(new Error('Redis does not respond'))
    expect((await first.call('POST /sign-out', {})).body).toEqual({ success: true })
    expect(await nameOf(other)).toBe('Ann')
    broken.mockRestore()
    await expect.poll(() => here.log.some((line) => line.includes('Redis responds again'))).toBe(true)
    expect(there.log).toEqual([])
    await expectRefused(other)
  })
})

test('writes the copy and reads the rows without Redis', async () => {
  const { here, first, second } = await twoDaemons({ redis: false })
  await rename(here.app, 'Renamed')
  expect(second.cookies.has('latchkey.session_data')).toBe(true)
  expect(await nameOf(second)).toBe('Renamed')
  const { token } = (await getSession(first)).body.session
  await second.call('POST /revoke-session', { body: { token } })
  await expectRefused(first)
})
