// Also on servers: the list is read by an index, with the details as JSON.
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { recordEvents } from '../audit/index.ts'
import { setUserRole } from '../roles/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { name: 'Bob', email: 'bob@example.com', password: 'another horse battery' }
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const onWindows = { 'user-agent': chrome }
const onMac = {
  'user-agent':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
}

async function arrange() {
  const kit = await testApp({ admin: true })
  const [admin, user] = [kit.browser(), kit.browser()]
  const { id: adminId } = (await admin.call('POST /sign-up/email', { body: ann }, onMac)).body.user
  const { id: userId } = (await user.call('POST /sign-up/email', { body: bob }, onWindows)).body.user
  await setUserRole(kit.app, adminId, 'admin')
  return { ...kit, admin, user, adminId, userId }
}

interface Listed {
  readonly events: readonly { readonly id: string; readonly createdAt: string; readonly action: string; readonly actor: string }[]
  readonly nextCursor: string | null
}

const list = async (browser: Browser, query: object = {}): Promise<Listed> =>
  (await browser.call('GET /list-security-events', { query })).body

test('lists what happened to the own account, newest first, with device and IP address', async () => {
  const { user, browser, clock, settled } = await arrange()
  clock.advance(1)
  await browser().call('POST /sign-in/email', { body: { ...bob, password: 'a wrong password' } }, onMac)
  await settled()
  clock.advance(1)
  await user.call(
    'POST /change-password',
    { body: { currentPassword: bob.password, newPassword: 'a third horse battery' } },
    onWindows,
  )
  const { events, nextCursor } = await list(user)
  expect(nextCursor).toBeNull()
  expect(events.slice(0, 2)).toMatchObject([
    {
      action: 'password.changed',
      outcome: 'succeeded',
      actor: 'user',
      device: 'Chrome 142 on Windows',
      ipAddress: expect.any(String),
    },
    { action: 'sign-in.failed', outcome: 'failed', actor: 'anonymous', device: 'Safari 18 on macOS', count: 1 },
  ])
  expect(
    events
      .slice(2)
      .map(({ action }) => action)
      .sort(),
  ).toEqual(['user.created', 'user.signed-in'])
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'user.signed-in', actor: 'user', method: 'password', device: 'Chrome 142 on Windows' }),
  )
})

test('an event by an administrator says neither who, nor from where, nor why', async () => {
  const { admin, adminId, user, userId, clock } = await arrange()
  clock.advance(1)
  await admin.call('POST /admin/ban-user', { body: { userId, banReason: 'A secret reason' } }, onMac)
  await admin.call('POST /admin/unban-user', { body: { userId } }, onMac)
  clock.advance(1)
  await admin.call('POST /admin/impersonate-user', { body: { userId } }, onMac)
  await user.call('POST /sign-in/email', { body: bob }, onWindows)
  const { events } = await list(user)
  const byAdministrator = events.filter(({ actor }) => actor === 'administrator')
  expect(byAdministrator.map(({ action }) => action).sort()).toEqual([
    'user.banned',
    'user.impersonation-started',
    'user.unbanned',
  ])
  for (const event of byAdministrator) expect(event).toMatchObject({ ipAddress: null, device: null, reason: null })
  const text = JSON.stringify(events)
  for (const hidden of [adminId, 'Ann', 'A secret reason', 'Safari']) expect(text).not.toContain(hidden)
})

test('what an administrator does as the user is by an administrator, and they cannot read the list', async () => {
  const { app, admin, adminId, user, userId } = await arrange()
  const client = { ipAddress: '192.0.2.77', requestId: 'r', userAgent: chrome }
  const actor = { kind: 'user', userId, impersonatedBy: adminId, credential: { kind: 'cookie', id: 's' }, ...client } as const
  await recordEvents(app, [{ action: 'user.signed-out', target: { type: 'user', id: userId }, actor }])
  const { events } = await list(user)
  expect(events.find(({ action }) => action === 'user.signed-out')).toMatchObject({
    ...{ actor: 'administrator', ipAddress: null, device: null },
  })
  await admin.call('POST /admin/impersonate-user', { body: { userId } })
  expect(await admin.call('GET /list-security-events', { query: {} })).toMatchObject({
    status: 403,
    body: { code: 'NOT_ALLOWED_WHILE_IMPERSONATING_A_USER' },
  })
})

test('contains no event about another user, and none that is not about the security of the account', async () => {
  const { app, admin, adminId, user, userId } = await arrange()
  await admin.call('POST /admin/ban-user', { body: { userId } })
  await admin.call('GET /admin/get-user', { query: { id: adminId } })
  await recordEvents(app, [{ action: 'user.updated', target: { type: 'user', id: adminId } }])
  expect((await list(admin)).events.map(({ action }) => action).sort()).toEqual([
    'user.created',
    'user.role-changed',
    'user.signed-in',
  ])
  expect((await user.call('GET /list-security-events', { query: {} })).status).toBe(401)
})

test('the end of sessions by another user of the same browser is not blamed on an administrator', async () => {
  const { user, browser } = await arrange()
  await user.call('POST /sign-in/email', { body: ann })
  const bobs = browser()
  await bobs.call('POST /sign-in/email', { body: bob })
  expect((await list(bobs)).events).toContainEqual(
    expect.objectContaining({
      action: 'sessions.revoked',
      reason: 'replaced',
      actor: expect.stringMatching(/^(system|anonymous)$/),
    }),
  )
})

test('pages continue where the one before ended', async () => {
  const { app, user, userId, clock } = await arrange()
  for (let step = 0; step < 30; step += 1) {
    clock.advance(1)
    await recordEvents(app, [
      { action: 'password.set', target: { type: 'user', id: userId } },
      { action: 'user.read', target: { type: 'user', id: userId } },
    ])
  }
  const first = await list(user)
  expect(first.events).toHaveLength(20)
  const second = await list(user, { cursor: first.nextCursor })
  expect(second.nextCursor).toBeNull()
  const ids = [...first.events, ...second.events].map(({ id }) => id)
  expect([ids.length, new Set(ids).size]).toEqual([32, 32])
  const times = [...first.events, ...second.events].map(({ createdAt }) => String(createdAt))
  expect(times).toEqual(times.toSorted().reverse())
})

test.each([{ limit: 51 }, { limit: 0 }, { cursor: 'unknown' }])('rejects %o', async (query) => {
  const { user } = await arrange()
  expect((await user.call('GET /list-security-events', { query: query as never })).status).toBe(400)
})
