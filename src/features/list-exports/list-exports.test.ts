/** Exports of lists over HTTP, and the job that writes them: each row once, for those who may read it. */
// Also on servers: two daemons write one export.
import { expect, test } from 'vitest'
import { seen, withAdmin } from '../../../tests/kit/administration.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { insertUsers } from '../users/index.ts'
import { jobs } from './index.ts'

/** Ada is an administrator, Uma a user, and there are more users, one second after the other. */
async function open(more = 0) {
  const kit = await withAdmin({}, { organization: true })
  const { app, ada, uma } = kit
  const found = await app.db.selectFrom('user').selectAll().where('id', '=', uma.userId).executeTakeFirstOrThrow()
  const others = Array.from({ length: more }, (_, number) => ({
    ...{ ...found, id: app.random.id(), name: `Person ${number}`, email: `person${number}@example.com` },
    createdAt: new Date(found.createdAt.getTime() + 1000 * (number + 1)),
  }))
  if (others.length > 0) await insertUsers(app, others)
  const post = (name: 'create' | 'pause' | 'resume' | 'delete', body: object, browser = ada.browser) =>
    browser.call(`POST /list-export/${name}`, { body } as never)
  const create = (body: object, browser?: Browser) => post('create', { source: 'users', format: 'ndjson', ...body }, browser)
  const get = (id: string, browser = ada.browser) => browser.call('GET /list-export/get', { query: { id } })
  const download = (id: string, browser = ada.browser) => browser.call('GET /list-export/download', { query: { id } })
  /** The kit has parsed a file of one line. */
  const lines = async (id: string, browser?: Browser): Promise<string[]> => {
    const { body } = await download(id, browser)
    return typeof body === 'string' ? body.trimEnd().split('\n') : [JSON.stringify(body)]
  }
  const run = () => jobs.exports.run(app, new AbortController().signal)
  return { ...kit, others, post, create, get, download, lines, run }
}

test('writes all that match in the order of the list, as objects and as a table', async () => {
  const { create, get, download, lines, run, others, events, ada } = await open(1100)
  const filter = { search: 'person', sortBy: 'createdAt', sortDirection: 'desc' }
  const { body } = await create({ filter })
  expect(body).toMatchObject({ state: 'running', rows: 500, total: 1100, filter })
  expect(seen(await download(body.id))).toMatchObject([400, { code: 'EXPORT_IS_NOT_COMPLETE' }])
  const table = (await create({ filter, format: 'csv' })).body
  await run()
  const done = (await get(body.id)).body
  expect(done).toMatchObject({ state: 'completed', rows: 1100, code: null })
  const expected = others.map(({ email }) => email).reverse()
  const users = (await lines(body.id)).map((line) => JSON.parse(line))
  expect(users.map(({ email }) => email)).toEqual(expected)
  expect(users[0]).toMatchObject({ name: 'Person 1099', banned: null, lastSignInAt: null })
  for (const absent of ['sortName', 'accessRevision', 'password']) expect(users[0]).not.toHaveProperty(absent)
  const { headers, body: file } = await download(table.id)
  // With the mark, which a client does not show.
  expect(Buffer.byteLength(file) + 3).toBe(Number(headers.get('content-length')))
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/)
  const [head = '', ...rows] = String(file).trimEnd().split('\r\n')
  const at = head.split(',').indexOf('email')
  expect(rows.map((row) => row.split(',')[at])).toEqual(expected)
  const recorded = await events('list-export.created', 'list-export.ended', 'list-export.downloaded')
  const ofTable = recorded.filter(({ targetId }) => targetId === table.id)
  expect(ofTable.map(({ action, userId, actorId }) => `${action} ${userId ?? actorId}`).sort()).toEqual(
    ['created', 'downloaded', 'ended'].map((name) => `list-export.${name} ${ada.userId}`),
  )
  for (const one of recorded) expect(JSON.stringify(one.details)).not.toContain('person')
})

test('writes no row twice with two daemons, none while it is paused, and goes on', async () => {
  const { app, create, post, get, lines, run } = await open(1600)
  const { id } = (await create({ filter: { search: 'person' } })).body
  expect((await post('pause', { id })).body).toMatchObject({ state: 'paused', rows: 500 })
  await run()
  expect((await get(id)).body).toMatchObject({ state: 'paused', rows: 500 })
  expect((await post('resume', { id })).body).toMatchObject({ state: 'running' })
  await Promise.all([run(), run()])
  expect((await get(id)).body).toMatchObject({ state: 'completed', rows: 1600, total: 1600 })
  expect(new Set(await lines(id)).size).toBe(1600)
  expect((await post('pause', { id })).body).toMatchObject({ state: 'completed' })
  expect((await post('delete', { id })).body).toEqual({ success: true })
  expect(seen(await get(id))).toMatchObject([404, { code: 'EXPORT_NOT_FOUND' }])
  await app.db
    .updateTable('listExport')
    .set({ expiresAt: new Date(0) })
    .execute()
  await jobs.expired.run(app, new AbortController().signal)
  for (const table of ['listExport', 'listExportPart'] as const)
    expect(await app.db.selectFrom(table).selectAll().execute(), table).toEqual([])
})

test.each([
  ['loses the permission', { role: 'user' }, 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'],
  ['is banned', { banned: true }, 'UNAUTHORIZED'],
])('ends when its user %s', async (_, columns, code) => {
  const { app, ada, create, run } = await open(600)
  const { id } = (await create({})).body
  await app.db.updateTable('user').set(columns).where('id', '=', ada.userId).execute()
  await run()
  const row = app.db.selectFrom('listExport').select(['state', 'code', 'rows']).where('id', '=', id)
  expect(await row.executeTakeFirst()).toMatchObject({ state: 'failed', code, rows: 500 })
})

test('is for its user only, who has five at most, also with calls at the same time', async () => {
  const { ada, uma, join, create, post, get, download } = await open()
  const created = await Promise.all(Array.from({ length: 8 }, () => create({})))
  expect(created.map(({ status, body }) => body.code ?? status).sort()).toEqual([
    ...Array.from({ length: 5 }, () => 200),
    ...Array.from({ length: 3 }, () => 'TOO_MANY_EXPORTS'),
  ])
  const [{ id }] = (await ada.browser.call('GET /list-export/list', { query: { source: 'users' } })).body.exports
  const eve = await join('Eve', 'admin')
  const notFound = [404, { code: 'EXPORT_NOT_FOUND' }]
  for (const answer of [await get(id, eve.browser), await download(id, eve.browser), await post('delete', { id }, eve.browser)])
    expect(seen(answer)).toMatchObject(notFound)
  expect(seen(await create({}, uma.browser))).toMatchObject([403, { code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS' }])
  expect(seen(await create({ source: 'events' }, uma.browser))).toMatchObject([403, { code: 'FORBIDDEN' }])
  for (const wrong of [{ source: 'sessions' }, { filter: { status: 'unknown' } }, { format: 'xlsx' }, { filter: { search: {} } }])
    expect(seen(await create(wrong, eve.browser))).toMatchObject([400, { code: 'VALIDATION_ERROR' }])
})

test('exports events, targets of a bulk action, and the members of an own organization', async () => {
  const { app, ada, uma, create, lines, download } = await open(1)
  const objects = async (body: object) => {
    const { id } = (await create(body)).body
    return (await lines(id)).map((line) => JSON.parse(line))
  }
  const action = { action: 'ban', userIds: [uma.userId], banReason: 'Spam' }
  await ada.browser.call('POST /admin/create-bulk-action', { body: action as never })
  expect(await objects({ source: 'events', filter: { action: 'bulk-action.created' } })).toMatchObject([
    { action: 'bulk-action.created', actor: { email: ada.email } },
  ])
  const organization = { name: 'Acme', slug: 'acme' }
  const { id: organizationId } = (await uma.browser.call('POST /organization/create', { body: organization })).body
  const members = { source: 'members', filter: { organizationId, lastSignIn: 'true' } }
  expect(seen(await create(members))).toMatchObject([403, { code: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' }])
  const { id } = (await create(members, uma.browser)).body
  const ofOrganization = await uma.browser.call('GET /organization/list-events', { query: { action: 'list-export.created' } })
  expect(ofOrganization.body.events).toMatchObject([{ target: { id }, actor: { id: uma.userId } }])
  const [line = ''] = await lines(id, uma.browser)
  expect(JSON.parse(line)).toMatchObject({ email: uma.email, role: 'owner', team: null, lastSignInAt: null })
  const events = (await create({ source: 'events' })).body
  await app.db.updateTable('user').set({ role: 'user' }).where('id', '=', ada.userId).execute()
  expect(seen(await download(events.id))).toMatchObject([403, { code: 'FORBIDDEN' }])
})
