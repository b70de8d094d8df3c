/** Bulk actions over HTTP, and the job that works on them: exactly once for each target, whatever happens in between. */
// Also on servers: two daemons work on one action.
import { expect, test } from 'vitest'
import { seen, withAdmin } from '../../../tests/kit/administration.ts'
import type { ConfigFile } from '../index.ts'
import { insertUsers } from '../users/index.ts'
import { jobs } from './index.ts'

/** Ada is an administrator, Uma a user, and there are more users. */
async function open(more = 0, config: ConfigFile = {}, admin: Parameters<typeof withAdmin>[0] = {}) {
  const kit = await withAdmin(admin, config)
  const { app, ada, uma } = kit
  const found = await app.db.selectFrom('user').selectAll().where('id', '=', uma.userId).executeTakeFirstOrThrow()
  const others = Array.from({ length: more }, (_, number) => ({
    ...{ ...found, id: app.random.id(), name: `Person ${number}`, email: `person${number}@example.com` },
  }))
  if (others.length > 0) await insertUsers(app, others)
  const post = (name: 'preview' | 'create' | 'pause' | 'resume' | 'cancel', body: object, browser = ada.browser) =>
    browser.call(`POST /admin/${name}-bulk-action` as never, { body } as never)
  const get = async (id: string) => (await ada.browser.call('GET /admin/get-bulk-action', { query: { id } })).body
  const targets = async (id: string, outcome: 'done' | 'failed' | 'skipped') =>
    (await ada.browser.call('GET /admin/list-bulk-action-targets', { query: { id, outcome } })).body.targets
  const run = (signal = new AbortController().signal) => jobs.bulkActions.run(app, signal)
  const banned = async () => {
    const rows = await app.db.selectFrom('user').select('email').where('banned', '=', true).orderBy('email').execute()
    return rows.map(({ email }) => email)
  }
  return { ...kit, others, post, get, targets, run, banned }
}

const persons = (...numbers: readonly number[]) => numbers.map((number) => `person${number}@example.com`)
const all = { search: 'person' }

test('bans all users that match, with an event for each that names the administrator and the action', async () => {
  const { post, get, run, banned, events, ada } = await open(3)
  expect((await post('preview', { action: 'ban', filter: {} })).body).toEqual({
    targets: 4,
    skipped: { self: 1, administrator: 0, 'not-permitted': 0, unchanged: 0 },
  })
  const { body } = await post('create', { action: 'ban', filter: all, banReason: 'Spam', banExpiresIn: 3600 })
  expect(body).toMatchObject({ state: 'running', total: 3, done: 0, banReason: 'Spam', createdBy: ada.userId })
  await run()
  expect(await banned()).toEqual(persons(0, 1, 2))
  expect(await get(body.id)).toMatchObject({ state: 'completed', done: 3, failed: 0, skipped: 0 })
  const bans = await events('user.banned')
  expect(bans.map(({ actorId, details }) => [actorId, details])).toEqual(
    bans.map(() => [ada.userId, expect.objectContaining({ bulkActionId: body.id, reason: 'Spam', expiresAt: body.banExpires })]),
  )
  expect(bans).toHaveLength(3)
  const summary = { action: 'ban', state: 'completed', total: 3, done: 3, failed: 0, skipped: 0, bulkActionId: body.id }
  expect((await events('bulk-action.ended')).map(({ details }) => details)).toEqual([summary])
})

test.each([
  ['revoke-sessions', {}, 'sessions.revoked'],
  ['set-role', { role: 'editor' }, 'user.role-changed'],
  ['unban', {}, 'user.unbanned'],
  ['remove', {}, 'user.deleted'],
] as const)('makes the change of the call for one user: %s', async (action, input, event) => {
  const { app, post, get, run, events, uma } = await open(0, {}, { roles: { admin: adminRole, user: {}, editor: {} } })
  if (action === 'unban') await app.db.updateTable('user').set({ banned: true }).where('id', '=', uma.userId).execute()
  const { body } = await post('create', { action, ...input, userIds: [uma.userId, uma.userId] })
  await run()
  expect(await get(body.id)).toMatchObject({ state: 'completed', total: 1, done: 1 })
  expect((await events(event)).map(({ userId }) => userId)).toEqual([uma.userId])
})
const adminRole = { user: ['list', 'ban', 'delete', 'set-role'], session: ['revoke'] }

test('skips the own account, other administrators, users with more permissions, and those it would not change', async () => {
  const roles = { admin: adminRole, user: {}, owner: { user: ['list', 'impersonate'] } }
  const { app, post, join, others } = await open(2, {}, { roles })
  await join('Eve', 'admin')
  await join('Oda', 'owner')
  await app.db.updateTable('user').set({ banned: true }).where('id', '=', String(others[0]?.id)).execute()
  expect((await post('preview', { action: 'ban', filter: {} })).body).toEqual({
    targets: 2,
    skipped: { self: 1, administrator: 1, 'not-permitted': 1, unchanged: 1 },
  })
})

test('touches no user who did not match at the start, and skips those who no longer match', async () => {
  const { ada, post, get, run, banned, targets, others, join } = await open(2)
  const { body } = await post('create', { action: 'ban', filter: all })
  await join('Person9')
  const [first] = others
  const data = { name: 'Other', email: 'other@example.com' }
  await ada.browser.call('POST /admin/update-user', { body: { userId: String(first?.id), data } })
  await run()
  expect(await banned()).toEqual(persons(1))
  expect(await get(body.id)).toMatchObject({ state: 'completed', total: 2, done: 1, skipped: 1 })
  expect(await targets(body.id, 'skipped')).toMatchObject([{ userId: first?.id, code: 'no-match' }])
})

test('lists those that failed with the code of the error, and goes on', async () => {
  let count = 0
  const before = (data: object) => {
    if (!JSON.stringify(data).includes('Spam')) return undefined
    count += 1
    return count === 2 ? (false as const) : undefined
  }
  const hooks = { user: { update: { before } } }
  const { post, get, run, targets, banned } = await open(3, { databaseHooks: hooks })
  const { body } = await post('create', { action: 'ban', filter: all, banReason: 'Spam' })
  await run()
  expect(await get(body.id)).toMatchObject({ state: 'completed', done: 2, failed: 1 })
  const failed = await targets(body.id, 'failed')
  expect(failed).toMatchObject([{ code: 'FAILED_TO_UPDATE_USER', outcome: 'failed' }])
  expect(await banned()).not.toContain(failed[0]?.email)
})

test('continues after a daemon that stopped, changes no user while paused, and none twice', async () => {
  const stopping = new AbortController()
  let inHook = async () => {}
  const after = { user: { update: { after: () => inHook() } } }
  const { app, post, get, run, banned, events } = await open(5, { databaseHooks: after })
  const { body } = await post('create', { action: 'ban', filter: all })
  inHook = async () => stopping.abort(new Error('The worker stops'))
  await run(stopping.signal)
  expect(await get(body.id)).toMatchObject({ state: 'running', done: 1 })
  inHook = async () => {
    inHook = async () => {}
    await post('pause', { id: body.id })
  }
  await run()
  expect(await get(body.id)).toMatchObject({ state: 'paused', done: 2 })
  await run()
  expect(await banned()).toHaveLength(2)
  expect((await post('resume', { id: body.id })).body).toMatchObject({ state: 'running' })
  // The lease of a daemon that hangs is over: two work at the same time.
  await Promise.all([run(), run()])
  expect(await get(body.id)).toMatchObject({ state: 'completed', total: 5, done: 5, failed: 0, skipped: 0 })
  expect(await events('user.banned')).toHaveLength(5)
  expect(await events('bulk-action.ended')).toHaveLength(1)
  expect(await app.db.selectFrom('bulkActionTarget').select('id').where('outcome', 'is', null).execute()).toEqual([])
})

test('a change is rolled back when the action is canceled before its commit', async () => {
  let beforeUpdate = async () => {}
  const before = { user: { update: { before: () => beforeUpdate() as Promise<undefined> } } }
  const { post, get, run, banned, events } = await open(2, { databaseHooks: before })
  const { body } = await post('create', { action: 'ban', filter: all })
  beforeUpdate = async () => void (await post('cancel', { id: body.id }))
  await run()
  expect(await banned()).toEqual([])
  expect(await events('user.banned')).toEqual([])
  expect(await get(body.id)).toMatchObject({ state: 'canceled', done: 0, failed: 0 })
  for (const name of ['cancel', 'pause', 'resume'] as const)
    expect(seen(await post(name, { id: body.id }))).toMatchObject([400, { code: 'BULK_ACTION_HAS_ENDED' }])
})

test.each([
  ['loses the permission', { role: 'user' }],
  ['is banned', { banned: true }],
])('stops when the administrator %s', async (_, columns) => {
  const { app, ada, join, post, run, banned, events } = await open(3, {
    databaseHooks: { user: { update: { after: () => onChange() } } },
  })
  let onChange = async () => {}
  const eve = await join('Eve', 'admin')
  const { body } = await post('create', { action: 'ban', filter: all })
  onChange = async () => void (await app.db.updateTable('user').set(columns).where('id', '=', ada.userId).execute())
  await run()
  expect((await banned()).filter((email) => email !== ada.email)).toHaveLength(1)
  const { body: seenByEve } = await eve.browser.call('GET /admin/get-bulk-action', { query: { id: body.id } })
  expect(seenByEve).toMatchObject({ state: 'stopped', done: 1, failed: 0 })
  expect((await events('bulk-action.ended')).map(({ actorKind }) => actorKind)).toEqual(['system'])
})

test('is created once for one key, and not for no user, too many users, or without the permission of its action', async () => {
  const roles = { admin: adminRole, user: {}, support: { user: ['list', 'ban'] } }
  const { app, post, join, uma } = await open(3, {}, { bulkActionLimit: 3, roles })
  const once = { action: 'ban', filter: all, idempotencyKey: 'once' }
  const [one, other] = await Promise.all([post('create', once), post('create', once)])
  expect([one.status, other.body]).toEqual([200, one.body])
  expect(await app.db.selectFrom('bulkAction').select('total').execute()).toEqual([{ total: 3 }])
  expect(seen(await post('create', { action: 'ban', filter: {} }))).toMatchObject([
    400,
    { code: 'TOO_MANY_USERS_MATCH', details: { limit: 3 } },
  ])
  expect(seen(await post('create', { action: 'unban', filter: all }))).toMatchObject([400, { code: 'NO_USER_MATCHES' }])
  for (const body of [{ action: 'ban' }, { action: 'ban', filter: {}, userIds: ['x'] }, { action: 'set-role', filter: {} }])
    expect(seen(await post('create', body))).toMatchObject([400, { code: 'VALIDATION_ERROR' }])
  const sam = await join('Sam', 'support')
  const remove = { action: 'remove', userIds: [uma.userId] }
  expect(seen(await post('preview', remove, sam.browser))).toMatchObject([403, { code: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS' }])
  expect((await post('create', { ...remove, action: 'ban' }, sam.browser)).status).toBe(200)
  const newer = await sam.browser.call('GET /admin/list-bulk-actions', { query: { limit: 1 } })
  const older = await sam.browser.call('GET /admin/list-bulk-actions', { query: { cursor: String(newer.body.nextCursor) } })
  expect([newer, older].map(({ body }) => body.actions.length)).toEqual([1, 1])
})
