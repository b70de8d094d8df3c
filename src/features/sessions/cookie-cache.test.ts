import { describe, expect, inject, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { transaction } from '../../core/transaction.ts'
import { encodeSessionData } from '../../lib/session-data.ts'
import { discardCopies } from './cache-epoch.ts'
import { revokeSessions } from './revocation.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const credentials = { email: ann.email, password: ann.password }
const [tokenCookie, dataCookie] = ['latchkey.session_token', 'latchkey.session_data']
const clearedData = `${dataCookie}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`
/** Without Redis a copy is written, but the rows are read. */
const hasRedis = inject('servers') !== null

const caching = { session: { cookieCache: { enabled: true } } }

async function signedIn(config: Parameters<typeof testApp>[0] = caching) {
  const kit = await testApp(config)
  const visitor = kit.browser()
  const signUp = await visitor.call('POST /sign-up/email', { body: ann })
  /** Changes the row without notifying daemons, so that a response shows whether it comes from a copy. */
  const rename = (name: string) => kit.app.db.updateTable('user').set({ name }).execute()
  return { ...kit, visitor, signUp, rename }
}

const getSession = (browser: Browser, query = {}) => browser.call('GET /get-session', { query })
const nameOf = async (browser: Browser, query = {}) => (await getSession(browser, query)).body?.user.name
const open = (value = '') => JSON.parse(Buffer.from(value, 'base64url').toString())
const written = expect.stringMatching(/^latchkey\.session_data=[\w-]+; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/)

describe('the signed copy', () => {
  test('is written when a session is created, after the other cookies', async () => {
    const { browser, signUp } = await signedIn()
    expect(signUp.setCookie).toEqual([expect.stringContaining(`${tokenCookie}=`), written])
    const answer = await browser().call('POST /sign-in/email', { body: { ...credentials, rememberMe: false } })
    expect(answer.setCookie).toEqual([
      expect.stringContaining(`${tokenCookie}=`),
      expect.stringContaining('latchkey.dont_remember='),
      written,
    ])
  })

  test('contains the get-session response, its expiry and, with Redis, the epoch', async () => {
    const { clock, visitor } = await signedIn()
    const { session, expiresAt, signature } = open(visitor.cookies.get(dataCookie))
    const { epoch, updatedAt, version, ...shown } = session
    expect([updatedAt, version]).toEqual([clock.now().getTime(), '1'])
    expect(shown).toEqual((await getSession(visitor)).body)
    expect(expiresAt).toBe(clock.now().getTime() + 60_000)
    expect(signature).toMatch(/^[\w-]{43}$/)
    expect(Number.isSafeInteger(epoch)).toBe(hasRedis)
    expect(Object.keys(session)).toEqual(['session', 'user', ...(hasRedis ? ['epoch'] : []), 'updatedAt', 'version'])
  })

  test('is not written unless it is configured', async () => {
    const { visitor } = await signedIn({})
    expect([...visitor.cookies.keys()]).toEqual([tokenCookie])
    expect((await getSession(visitor)).setCookie).toEqual([])
  })

  test('has the configured lifetime', async () => {
    const { clock, visitor, signUp } = await signedIn({ session: { cookieCache: { enabled: true, maxAge: 300 } } })
    expect(signUp.setCookie[1]).toContain('; Max-Age=300; ')
    expect(open(visitor.cookies.get(dataCookie)).expiresAt).toBe(clock.now().getTime() + 300_000)
  })

  test('is used in place of the rows until something changes, and no cookie is written', async () => {
    const { rename, visitor } = await signedIn()
    await rename('Renamed')
    const answer = await getSession(visitor)
    expect([answer.body.user.name, answer.setCookie]).toEqual(hasRedis ? ['Ann', []] : ['Renamed', [written]])
  })

  test('is ignored and written again with disableCookieCache', async () => {
    const { rename, visitor } = await signedIn()
    await rename('Renamed')
    const answer = await getSession(visitor, { disableCookieCache: 'true' })
    expect([answer.body.user.name, answer.setCookie]).toEqual(['Renamed', [written]])
    await rename('Again')
    expect(await nameOf(visitor, { disableCookieCache: '1' })).toBe(hasRedis ? 'Renamed' : 'Again')
  })

  test('is written again from the rows when it has expired', async () => {
    const { clock, rename, visitor } = await signedIn()
    await rename('Renamed')
    clock.advance(60)
    const answer = await getSession(visitor)
    expect([answer.body.user.name, answer.setCookie]).toEqual(['Renamed', [written]])
  })

  test('does not outlive its session, nor the absolute limit', async () => {
    const long = { cookieCache: { enabled: true, maxAge: 1_000_000 } }
    for (const session of [
      { ...long, expiresIn: 100_000 },
      { ...long, absoluteMaxAge: 100_000 },
    ]) {
      const { clock, visitor } = await signedIn({ session })
      clock.advance(99_999)
      const { expiresAt } = (await getSession(visitor, { disableRefresh: 'true' })).body.session
      expect(Date.parse(expiresAt)).toBeGreaterThan(clock.now().getTime())
      clock.advance(1)
      const answer = await getSession(visitor)
      expect(answer.body).toBeNull()
      expect(answer.setCookie).toHaveLength(3)
    }
  })

  test('is renewed together with the session', async () => {
    const { clock, visitor } = await signedIn()
    clock.advance(86_400)
    const answer = await getSession(visitor)
    expect(answer.setCookie).toEqual([expect.stringMatching(/^latchkey\.session_token=[^;]+; Max-Age=604800; /), written])
    expect(open(visitor.cookies.get(dataCookie)).session.session).toEqual(answer.body.session)
  })

  test('is sent by every call that renews the session', async () => {
    const { clock, visitor } = await signedIn()
    clock.advance(86_400)
    expect((await visitor.call('GET /list-sessions', {})).setCookie).toEqual([
      expect.stringContaining(`${tokenCookie}=`),
      written,
    ])
    expect((await visitor.call('GET /list-sessions', {})).setCookie).toEqual([])
  })

  test('of a session that ends with the browser is not written again', async () => {
    const { browser, clock } = await signedIn()
    const visitor = browser()
    await visitor.call('POST /sign-in/email', { body: { ...credentials, rememberMe: false } })
    clock.advance(60)
    const answer = await getSession(visitor)
    expect(answer.body).not.toBeNull()
    expect(answer.setCookie).toEqual([clearedData])
    expect((await getSession(visitor)).setCookie).toEqual([])
  })

  test('is not changed with disableRefresh', async () => {
    const { visitor } = await signedIn()
    visitor.cookies.delete(dataCookie)
    expect((await getSession(visitor, { disableRefresh: 'true' })).setCookie).toEqual([])
  })

  test('is cleared when it has expired by a call that would have used it only', async () => {
    const { clock, visitor } = await signedIn()
    clock.advance(60)
    const both = await getSession(visitor, { disableRefresh: 'true', disableCookieCache: 'true' })
    expect([both.body.user.name, both.setCookie]).toEqual(['Ann', []])
    const one = await getSession(visitor, { disableRefresh: 'true' })
    expect([one.body.user.name, one.setCookie]).toEqual(['Ann', [clearedData]])
  })
})

describe('a copy that', () => {
  test('is forged makes get-session return null, and is the only cookie cleared', async () => {
    const { visitor } = await signedIn()
    const sent = open(visitor.cookies.get(dataCookie))
    sent.session.user.email = 'root@example.com'
    for (const forged of [sent, { ...sent, signature: '' }, {}, 'text']) {
      visitor.cookies.set(dataCookie, Buffer.from(JSON.stringify(forged)).toString('base64url'))
      const answer = await getSession(visitor)
      expect([answer.status, answer.body, answer.setCookie]).toEqual([200, null, [clearedData]])
      expect(await nameOf(visitor)).toBe('Ann')
    }
  })

  test('is forged gets 401 on protected calls, without a cache too', async () => {
    for (const config of [caching, {}]) {
      const { visitor } = await signedIn(config)
      visitor.cookies.set(dataCookie, Buffer.from('{}').toString('base64url'))
      const rejected = await visitor.call('GET /list-sessions', {})
      expect([rejected.status, rejected.setCookie]).toEqual([401, [clearedData]])
      expect((await visitor.call('GET /list-sessions', {})).status).toBe(200)
    }
  })

  test.each(['%%%', 'nonsense', '', 'bnVsbA'])('cannot be decoded is ignored: "%s"', async (value) => {
    const { rename, visitor } = await signedIn()
    await rename('Renamed')
    visitor.cookies.set(dataCookie, value)
    const answer = await getSession(visitor)
    expect([answer.body.user.name, answer.setCookie]).toEqual(['Renamed', [written]])
    visitor.cookies.set(dataCookie, value)
    expect((await visitor.call('GET /list-sessions', {})).status).toBe(200)
  })

  test.each<[string, (data: { session: object; user: object; epoch: number }) => object]>([
    ['has no epoch', ({ epoch: _, ...data }) => data],
    ['has an epoch that is not a number', (data) => ({ ...data, epoch: String(data.epoch) })],
    ['comes from the future', (data) => ({ ...data, epoch: Number.MAX_SAFE_INTEGER })],
    ['comes from before everything', (data) => ({ ...data, epoch: 1 })],
    ['is of another session', (data) => ({ ...data, session: { ...data.session, token: 'x'.repeat(32) } })],
    ['shows less than is shown today', (data) => ({ ...data, user: { id: 'x' } })],
    ['shows more than is shown today', (data) => ({ ...data, user: { ...data.user, secret: 'x' } })],
  ])('%s is ignored, though its signature is valid', async (_, change) => {
    const { app, clock, rename, visitor } = await signedIn()
    const { session } = open(visitor.cookies.get(dataCookie))
    await rename('Renamed')
    visitor.cookies.set(dataCookie, encodeSessionData(change(session) as never, clock.now().getTime() + 60_000, app.keyring))
    const answer = await getSession(visitor)
    expect([answer.body.user.name, answer.setCookie]).toEqual(['Renamed', [written]])
  })

  test('comes without the session token does not sign in', async () => {
    const { browser, visitor } = await signedIn()
    const thief = browser()
    thief.cookies.set(dataCookie, visitor.cookies.get(dataCookie) ?? '')
    expect((await getSession(thief)).body).toBeNull()
    thief.cookies.set(tokenCookie, 'nonsense')
    expect((await getSession(thief)).body).toBeNull()
  })
})

test('writes no copy of a session that is too long for a cookie, and logs it', async () => {
  const { app, log, visitor } = await signedIn()
  const spare = 4093 - (visitor.cookies.get(dataCookie)?.length ?? 0)
  const lengths: number[] = []
  let image = Math.floor((spare * 3) / 4) - 10
  while (visitor.cookies.has(dataCookie)) {
    lengths.push(visitor.cookies.get(dataCookie)?.length ?? 0)
    image += 1
    await app.db
      .updateTable('user')
      .set({ image: 'i'.repeat(image) })
      .execute()
    const answer = await getSession(visitor, { disableCookieCache: 'true' })
    expect(answer.body.user.image).toHaveLength(image)
    expect(answer.setCookie).toEqual(visitor.cookies.has(dataCookie) ? [written] : [clearedData])
  }
  // Three bytes are four characters, one byte is two: there is no text of 4093.
  expect(Math.max(...lengths)).toBe(4092)
  expect(log.some((line) => line.includes('too long for its cookie cache'))).toBe(true)
  expect((await getSession(visitor)).setCookie).toEqual([])
})

test('fails with the error of get-session and the request id while the database does not respond', async () => {
  const { app, log, visitor } = await signedIn()
  await app.db.schema
    .dropTable('session')
    .cascade()
    .execute()
    .catch(() => app.db.schema.dropTable('session').execute())
  const answer = await getSession(visitor, { disableCookieCache: 'true' })
  expect([answer.status, answer.statusText, answer.body]).toEqual([
    500,
    'INTERNAL_SERVER_ERROR',
    { code: 'FAILED_TO_GET_SESSION', message: 'Failed to get session' },
  ])
  expect(
    log.some(
      (line) => line.includes(`"requestId":"${answer.headers.get('x-request-id')}"`) && line.includes('failed unexpectedly'),
    ),
  ).toBe(true)
})

describe('writes to Redis when sessions are revoked', () => {
  /** A signed-in user, and the keys of each deletion in Redis, or an error for each. */
  async function counted(enabled: boolean, fails = false) {
    const kit = await signedIn({ session: { cookieCache: { enabled } } })
    const deletions: (readonly string[])[] = []
    const { app } = kit
    Object.assign(app, {
      config: { ...app.config, redis: { ...app.config.redis, enabled: true } },
      kv: {
        ...app.kv,
        delete: async (keys: readonly string[]) => {
          deletions.push(keys)
          if (fails) throw new Error('Redis does not respond')
        },
      },
    })
    return { ...kit, deletions }
  }
  const change = { currentPassword: ann.password, newPassword: 'another horse battery', revokeOtherSessions: true }

  test.each([false, true])('are none without the cookie cache, and nothing is logged (Redis fails: %s)', async (fails) => {
    const { deletions, log, visitor } = await counted(false, fails)
    expect((await visitor.call('POST /change-password', { body: change })).status).toBe(200)
    expect((await visitor.call('POST /revoke-sessions', { body: {} })).status).toBe(200)
    expect(deletions).toEqual([])
    expect(log.filter((line) => line.includes('Redis'))).toEqual([])
  })

  test('are one before the commit and one after it, however much a transaction revokes', async () => {
    const { deletions, signUp, visitor } = await counted(true)
    const keys = ['change', `epoch:${signUp.body.user.id}`]
    expect((await visitor.call('POST /revoke-sessions', { body: {} })).status).toBe(200)
    expect(deletions).toEqual([keys, keys])
  })

  test('are as many when the password changes and sessions are revoked in one transaction', async () => {
    const { app, deletions, signUp } = await counted(true)
    const userId = signUp.body.user.id
    const keys = ['change', `epoch:${userId}`]
    await transaction(app, async (tx) => {
      await discardCopies(tx, [userId])
      await revokeSessions(tx, { userId })
      await discardCopies(tx, [userId, 'another'])
    })
    expect(deletions).toEqual([keys, ['change', 'epoch:another'], ['change', `epoch:${userId}`, 'epoch:another']])
  })
})
