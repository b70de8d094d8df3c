import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLatchkey, type TestDaemon } from './index.ts'

let latchkey: TestDaemon
beforeAll(async () => {
  const config = {
    emailAndPassword: { enabled: true },
    // Replaced: a test connects to nothing.
    database: { url: 'mysql://root@db.invalid/app' },
    redis: { url: 'redis://redis.invalid' },
    ...{ organization: true, apiKey: true, admin: true, emailOTP: true },
    phoneNumber: { enabled: true },
  } as const
  latchkey = await startLatchkey({ config, pages: false })
})
afterAll(() => latchkey.close())

const read = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  JSON.parse(await (await fetch(`${latchkey.baseURL}${path}`, { headers })).text())
const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${latchkey.baseURL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('signs users in without a browser, and sessions end when the clock moves', async () => {
  const admin = await latchkey.createUser({ role: 'admin' })
  const { headers, browserCookies } = await latchkey.signIn(admin)
  expect((await read('/get-session', headers)).user).toMatchObject({ id: admin.id, email: admin.email, role: 'admin' })
  expect(browserCookies).toEqual([{ name: 'latchkey.session_token', value: expect.any(String), url: latchkey.origin }])
  latchkey.clock.advance(8 * 86_400)
  expect(await read('/get-session', headers)).toBeNull()
  expect(() => latchkey.clock.advance(-1)).toThrow(RangeError)
})

test('creates users with passwords, organizations with members, and API keys', async () => {
  const ann = await latchkey.createUser({ email: 'Ann@example.com', password: 'correct horse battery' })
  expect(ann.email).toBe('ann@example.com')
  expect((await post('/sign-in/email', { email: ann.email, password: 'correct horse battery' })).status).toBe(200)
  const [acme, bob] = [await latchkey.createOrganization(ann, { name: 'Acme' }), await latchkey.createUser()]
  await latchkey.addMember(acme, bob, 'admin')
  const { headers } = await latchkey.signIn(bob)
  expect(await read('/organization/list', headers)).toMatchObject([{ id: acme.id, name: 'Acme', slug: acme.slug }])
  const { key } = await latchkey.createAPIKey(bob, { name: 'CI' })
  expect(await read('/get-session', { 'x-api-key': key })).toMatchObject({ user: { id: bob.id } })
})

test('has the codes and links of emails and text messages', async () => {
  const user = await latchkey.createUser()
  await post('/email-otp/send-verification-otp', { email: user.email, type: 'sign-in' })
  const { code, kind } = await latchkey.mails.latest(user.email)
  expect(kind).toBe('email-code')
  expect((await post('/sign-in/email-otp', { email: user.email, otp: code })).status).toBe(200)
  await post('/request-password-reset', { email: user.email })
  expect((await latchkey.mails.latest(user.email)).links[0]).toMatch(`${latchkey.origin}/`)
  expect(await latchkey.mails.list(user.email)).toHaveLength(2)

  const { headers } = await latchkey.signIn(user)
  const phoneNumber = '+15550100'
  await post('/phone-number/send-otp', { phoneNumber }, headers)
  const text = await latchkey.texts.latest(phoneNumber)
  const verified = await post('/phone-number/verify', { phoneNumber, code: text.code, updatePhoneNumber: true }, headers)
  expect(verified.status).toBe(200)
  await expect(latchkey.mails.latest('absent@example.com')).rejects.toThrow('No email was sent to absent@example.com')
})

test('runs several daemons next to each other, each with data of its own', async () => {
  await using other = await startLatchkey({ pages: false })
  const { headers } = await latchkey.signIn(await latchkey.createUser())
  expect(await (await fetch(`${other.baseURL}/get-session`, { headers })).json()).toBeNull()
  await expect(other.createOrganization(await other.createUser())).rejects.toThrow('Enable `organization`')
  await other.close()
  await expect(fetch(other.baseURL)).rejects.toThrow(TypeError)
})

test('names the problems of a configuration', async () => {
  await expect(startLatchkey({ config: { session: { expiresIn: -1 } } })).rejects.toThrow('session.expiresIn')
})
