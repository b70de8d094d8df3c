import { describe, expect, test } from 'vitest'
import { withAdmin } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'
import { importUsers } from '../transfer/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const taken = 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER'

async function arrive(config: ConfigFile = {}) {
  const kit = await testApp({ username: true, ...config })
  const signUp = async (body: object = {}) => {
    const visitor = kit.browser()
    return { visitor, ...(await visitor.call('POST /sign-up/email', { body: { ...ann, ...body } })) }
  }
  const signIn = (username: string, password = ann.password, more: object = {}) =>
    kit.browser().call('POST /sign-in/username', { body: { username, password, ...more } })
  return { ...kit, signUp, signIn }
}

const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code].filter(Boolean).join(' ')

describe('POST /sign-up/email with a username', () => {
  test('stores it in lower case, and as typed for display', async () => {
    const { signUp, signIn } = await arrive()
    const { visitor, body } = await signUp({ username: 'Ann.Smith' })
    expect(Object.keys(body.user)).not.toContain('username')
    const shown = { username: 'ann.smith', displayUsername: 'Ann.Smith' }
    expect((await visitor.call('GET /get-session', {})).body.user).toMatchObject(shown)
    expect((await signIn('ANN.smith')).body).toMatchObject({ token: expect.any(String), user: { username: 'ann.smith' } })
  })

  test('stores another name for display when one is sent, and none when neither is', async () => {
    const { signUp } = await arrive()
    const { visitor } = await signUp({ username: 'ann_1', displayUsername: 'Annie' })
    expect((await visitor.call('GET /get-session', {})).body.user).toMatchObject({ username: 'ann_1', displayUsername: 'Annie' })
    const { visitor: bob } = await signUp({ email: 'bob@example.com' })
    expect((await bob.call('GET /get-session', {})).body.user).toMatchObject({ username: null, displayUsername: null })
  })

  test.each([
    ['an', 'USERNAME_IS_TOO_SHORT'],
    ['a'.repeat(31), 'USERNAME_IS_TOO_LONG'],
    ['ann smith', 'USERNAME_IS_INVALID'],
    ['ann@example.com', 'USERNAME_IS_INVALID'],
    ['änn', 'USERNAME_IS_INVALID'],
    ['ann\n', 'USERNAME_IS_INVALID'],
  ])('rejects %j before anything else', async (username, code) => {
    const { signUp } = await arrive()
    const { status, body } = await signUp({ username, email: 'no address', password: 'short' })
    expect([status, body.code]).toEqual([422, code])
  })

  test.each([[{ username: 7 }], [{ displayUsername: 'a'.repeat(256) }], [{ displayUsername: 'a\u0007' }]])(
    'rejects %j',
    async (body) => {
      const { signUp } = await arrive()
      expect(outcome(await signUp(body))).toBe('400 VALIDATION_ERROR')
    },
  )

  test('rejects a username that another user has, in any case', async () => {
    const { signUp } = await arrive()
    await signUp({ username: 'ann' })
    const { status, body } = await signUp({ email: 'bob@example.com', username: 'ANN' })
    expect([status, body]).toEqual([422, { code: taken, message: 'username is already taken. please try another.' }])
  })

  test('ignores it with antiEnumeration: whether it was stored would reveal whether the email address was known', async () => {
    const { signUp, browser, app } = await arrive({
      emailAndPassword: { enabled: true, requireEmailVerification: true, antiEnumeration: true },
    })
    for (const email of [ann.email, 'bob@example.com']) expect((await signUp({ email, username: 'ann' })).status).toBe(200)
    expect(await app.db.selectFrom('user').select('username').execute()).toEqual([{ username: null }, { username: null }])
    expect((await browser().call('GET /public-settings', {})).body.username).toMatchObject({ atSignUp: false })
  })
})

describe('POST /update-user with a username', () => {
  test('changes it, accepts the own one in another case, and removes it', async () => {
    const { signUp, app } = await arrive()
    const { visitor } = await signUp({ username: 'ann' })
    const update = (body: object) => visitor.call('POST /update-user', { body })
    const user = async () => (await visitor.call('GET /get-session', {})).body.user
    expect((await update({ username: 'Ann' })).status).toBe(200)
    expect(await user()).toMatchObject({ username: 'ann', displayUsername: 'Ann' })
    expect((await update({ username: 'anna' })).status).toBe(200)
    expect(await user()).toMatchObject({ username: 'anna', displayUsername: 'anna' })
    expect((await update({ username: null })).status).toBe(200)
    expect(await user()).toMatchObject({ username: null, displayUsername: null })
    const events = await app.db.selectFrom('auditEvent').select('details').where('action', '=', 'user.updated').execute()
    expect(events.map(({ details }) => details)).toEqual(Array(3).fill({ fields: ['username', 'displayUsername'] }))
  })

  test('rejects one that another user has, and one that is invalid', async () => {
    const { signUp, browser } = await arrive()
    await signUp({ username: 'ann' })
    const { visitor } = await signUp({ email: 'bob@example.com', username: 'bob' })
    expect(outcome(await visitor.call('POST /update-user', { body: { username: 'Ann' } as never }))).toBe(`422 ${taken}`)
    expect(outcome(await visitor.call('POST /update-user', { body: { username: '.' } as never }))).toBe(
      '422 USERNAME_IS_TOO_SHORT',
    )
    expect(outcome(await browser().call('POST /update-user', { body: { username: 'ann' } as never }))).toBe('401 UNAUTHORIZED')
  })
})

describe('POST /sign-in/username', () => {
  test.each([
    ['', ann.password, 401, 'INVALID_USERNAME_OR_PASSWORD'],
    ['ann', '', 401, 'INVALID_USERNAME_OR_PASSWORD'],
    ['an', ann.password, 422, 'USERNAME_IS_TOO_SHORT'],
    ['a'.repeat(31), ann.password, 422, 'USERNAME_IS_TOO_LONG'],
    ['a-n', ann.password, 422, 'USERNAME_IS_INVALID'],
    ['unknown', ann.password, 401, 'INVALID_USERNAME_OR_PASSWORD'],
    ['ann', 'wrong password', 401, 'INVALID_USERNAME_OR_PASSWORD'],
  ])('rejects %j with %j', async (username, password, status, code) => {
    const { signUp, signIn } = await arrive()
    await signUp({ username: 'ann' })
    const response = await signIn(username, password)
    expect([response.status, response.body.code, response.setCookie]).toEqual([status, code, []])
  })

  test('sends a verification link to an unverified user who knows the password, and to no one else', async () => {
    const mails = captureMails()
    const { signUp, signIn } = await arrive({
      emailAndPassword: { enabled: true, requireEmailVerification: true },
      emailVerification: { sendVerificationEmail: mails.send },
    })
    await signUp({ username: 'ann' })
    await mails.next()
    expect(outcome(await signIn('ann', 'wrong password'))).toBe('401 INVALID_USERNAME_OR_PASSWORD')
    const { status, body } = await signIn('ann')
    expect([status, body]).toEqual([403, { code: 'EMAIL_NOT_VERIFIED', message: 'email not verified' }])
    expect((await mails.next()).user.email).toBe(ann.email)
    expect(mails.sent).toHaveLength(2)
  })

  test('counts failures together with those of the email address', async () => {
    const { signUp, signIn, browser } = await arrive({ attempts: { enabled: true, perNetwork: { failures: 4 } } })
    await signUp({ username: 'ann' })
    const byEmail = (password: string) => browser().call('POST /sign-in/email', { body: { email: ann.email, password } })
    for (let count = 0; count < 2; count += 1) {
      expect((await signIn('ann', 'wrong password')).status).toBe(401)
      expect((await byEmail('wrong password')).status).toBe(401)
    }
    expect([(await signIn('ANN')).status, (await byEmail(ann.password)).status]).toEqual([429, 429])
    for (let count = 0; count < 4; count += 1) expect((await signIn('unknown', 'wrong password')).status).toBe(401)
    expect((await signIn('unknown', 'wrong password')).status).toBe(429)
  })

  test('rejects a banned user, and responds with 500 when a hook rejects the session', async () => {
    const { signUp, signIn, app } = await arrive({ admin: true })
    await signUp({ username: 'ann' })
    await app.db.updateTable('user').set({ banned: true }).execute()
    expect(outcome(await signIn('ann'))).toBe('403 BANNED_USER')
    const hooked = await arrive({
      databaseHooks: { session: { create: { before: () => false } } },
      emailAndPassword: { enabled: true, autoSignIn: false },
    })
    await hooked.signUp({ username: 'ann' })
    const { status, body } = await hooked.signIn('ann')
    expect([status, body.message]).toEqual([500, 'Failed to create session'])
  })
})

describe('a validator of the configuration', () => {
  const config: ConfigFile = { username: { usernameValidator: async (name) => /^[\p{L}\p{M}ﬁ]+$/u.test(name) } }

  test('may accept more than ASCII; characters that differ only in their encoding are one username', async () => {
    const { signUp, signIn } = await arrive(config)
    const { visitor } = await signUp({ username: 'Zoe\u0308' })
    const { user } = (await visitor.call('GET /get-session', {})).body
    expect(user).toMatchObject({ username: 'zo\u00eb', displayUsername: 'Zoe\u0308' })
    expect((await signIn('ZO\u00cb')).status).toBe(200)
    expect(outcome(await signUp({ email: 'bob@example.com', username: 'zo\u00eb' }))).toBe(`422 ${taken}`)
    expect((await signUp({ email: 'bob@example.com', username: 'ﬁnn' })).status).toBe(200)
    expect((await signIn('finn')).status).toBe(200)
    expect((await signUp({ email: 'cat@example.com', username: 'ab\u03aa\u0301' })).status).toBe(200)
    expect(outcome(await signUp({ email: 'dan@example.com', username: 'ab\u0390' }))).toBe(`422 ${taken}`)
  })

  test.each(['ann\u200b', ' ann', 'ann ', '\ud800ann'])('never gets %j', async (username) => {
    const { signUp } = await arrive({ username: { usernameValidator: () => true } })
    expect(outcome(await signUp({ username }))).toBe('422 USERNAME_IS_INVALID')
  })
})

test('POST /is-username-available responds for free, taken and invalid usernames', async () => {
  const { signUp, browser } = await arrive()
  await signUp({ username: 'ann' })
  const check = async (username: string) => {
    const { status, body } = await browser().call('POST /is-username-available', { body: { username } })
    return [status, body.available ?? body.code]
  }
  expect(await check('free')).toEqual([200, true])
  expect(await check('ANN')).toEqual([200, false])
  expect(await check('a')).toEqual([422, 'USERNAME_IS_TOO_SHORT'])
})

test('an import stores usernames in lower case, and rejects invalid ones', async () => {
  const { app, signIn } = await arrive()
  const line = (number: number, user: object) => ({ number, text: JSON.stringify({ user: { name: 'A', ...user } }) })
  const lines = [
    line(1, { email: 'a@example.com', username: 'Ann', displayUsername: 'Ann!' }),
    line(2, { email: 'b@example.com', username: 'b b' }),
  ]
  const read = importUsers(app, { dryRun: false })
  expect(await read(lines)).toMatchObject([{ outcome: 'created' }, { outcome: 'invalid', message: 'username is invalid' }])
  expect(await read(lines.slice(0, 1))).toMatchObject([{ outcome: 'unchanged' }])
  const [user] = await app.db.selectFrom('user').select(['username', 'displayUsername']).execute()
  expect(user).toEqual({ username: 'ann', displayUsername: 'Ann!' })
  expect((await signIn('Ann')).status).toBe(401)
})

test.each([
  [{ username: { minUsernameLength: 9, maxUsernameLength: 8 } }, 'username-bounds'],
  [{ username: true, emailAndPassword: { enabled: false } }, 'username-without-passwords'],
] as const)('the configuration %j is rejected', async (config, id) => {
  await expect(testApp(config as ConfigFile)).rejects.toThrow(id)
})

describe.each(places)('a username has one owner, at %s', (place) => {
  test('when 64 sign up with it', async () => {
    const kit = await openRacers(place, { username: true })
    const answers = await race(kit.browsers(), (browser, person) =>
      browser.call('POST /sign-up/email', {
        body: { ...ann, email: `p${person}@example.com`, username: person % 2 ? 'ann' : 'Ann' } as never,
      }),
    )
    expect(tally(answers)).toEqual({ 200: 1, [`422 ${taken}`]: many - 1 })
    expect(await kit.app.db.selectFrom('user').select('username').execute()).toEqual([{ username: 'ann' }])
  })

  test('when 64 users change theirs to it', async () => {
    const kit = await openRacers(place, { username: true })
    const visitors = kit.browsers()
    await race(visitors, (browser, person) =>
      browser.call('POST /sign-up/email', { body: { ...ann, email: `p${person}@example.com` } }),
    )
    const answers = await race(visitors, (browser) => browser.call('POST /update-user', { body: { username: 'ann' } as never }))
    expect(tally(answers)).toEqual({ 200: 1, [`422 ${taken}`]: many - 1 })
  })
})

test('an administrator sets a username in the form in which it is stored, but not while impersonating', async () => {
  const { ada, uma, app } = await withAdmin({}, { username: true })
  const change = (data: object) => ada.browser.call('POST /admin/update-user', { body: { userId: uma.userId, data } })
  expect((await change({ username: 'Uma.1' })).body).toMatchObject({ username: 'uma.1', displayUsername: 'Uma.1' })
  expect(outcome(await change({ username: '-' }))).toBe('422 USERNAME_IS_TOO_SHORT')
  await app.db.updateTable('user').set({ username: 'ada' }).where('id', '=', ada.userId).execute()
  expect(outcome(await change({ username: 'Ada' }))).toBe(`422 ${taken}`)
  await ada.browser.call('POST /admin/impersonate-user', { body: { userId: uma.userId } })
  const response = await ada.browser.call('POST /update-user', { body: { username: 'mine' } as never })
  expect(outcome(response)).toBe('403 NOT_ALLOWED_WHILE_IMPERSONATING_A_USER')
})
