import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startLatchkey, type TestDaemon } from 'latchkey/testing'
import config from '../auth.config.ts'
import { createAPI } from '../server/api.ts'

const appURL = 'http://localhost:5173'
let latchkey: TestDaemon
let app: ReturnType<typeof createAPI>

before(async () => {
  latchkey = await startLatchkey({ config })
  app = createAPI({ baseURL: latchkey.baseURL, appURL, now: latchkey.clock.now })
})
after(() => latchkey.close())

const post = (path: string, headers: Readonly<Record<string, string>>, body: object = {}) =>
  app.request(path, { method: 'POST', headers: { origin: appURL, ...headers }, body: JSON.stringify(body) })

test('each user reads their own notes', async () => {
  const [ann, bob] = [await latchkey.createUser({ name: 'Ann' }), await latchkey.createUser()]
  const { cookie } = await latchkey.signIn(ann)
  assert.equal((await post('/api/notes', { cookie }, { text: 'Buy milk' })).status, 200)
  const read = async (headers: Readonly<Record<string, string>>) =>
    JSON.parse(await (await app.request('/api/me', { headers })).text())
  assert.deepEqual(await read({ cookie }), { name: 'Ann', notes: ['Buy milk'] })
  assert.deepEqual((await read({ cookie: (await latchkey.signIn(bob)).cookie })).notes, [])
})

test('a visitor without a session gets status 401, and a link to the sign-in', async () => {
  assert.equal((await app.request('/api/me')).status, 401)
  const location = (await app.request('/sign-in')).headers.get('location')
  assert.equal(location, `${latchkey.origin}/sign-in?callbackURL=${encodeURIComponent(`${appURL}/`)}`)
})

test('a session ends with the sign-out, or when it expires', async () => {
  const user = await latchkey.createUser()
  const statusOf = async (cookie: string) => (await app.request('/api/me', { headers: { cookie } })).status
  const { cookie } = await latchkey.signIn(user)
  assert.equal((await post('/sign-out', { cookie })).status, 303)
  assert.equal(await statusOf(cookie), 401)
  const later = await latchkey.signIn(user)
  assert.equal(await statusOf(later.cookie), 200)
  latchkey.clock.advance(8 * 86_400)
  assert.equal(await statusOf(later.cookie), 401)
})

test('another site cannot change anything', async () => {
  const { cookie } = await latchkey.signIn(await latchkey.createUser())
  const origin = 'https://evil.example.com'
  assert.equal((await post('/api/notes', { cookie, origin }, { text: 'x' })).status, 403)
  assert.equal((await post('/sign-out', { cookie, origin })).status, 403)
})
