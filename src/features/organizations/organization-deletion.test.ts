// Also on servers: rows are deleted in slices.
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { deletions, finishDeletion, readDeletions } from './organization-deletion.ts'
import { deleteOrganization } from './organizations.ts'
import { findOrganization } from './store.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { ...ann, name: 'Bob', email: 'bob@example.com' }
const running = new AbortController().signal

/** The organization of Ann with many members, of whom one is Bob, and an invitation for Eve. */
async function withManyMembers(count: number) {
  const kit = await testApp({ organization: { enabled: true, membershipLimit: 10_000 } })
  const { app } = kit
  const [owner, member] = [kit.browser(), kit.browser()]
  await owner.call('POST /sign-up/email', { body: ann })
  await member.call('POST /sign-up/email', { body: bob })
  const created = await owner.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
  const id = String(created.body.id)
  const [first] = await app.db.selectFrom('user').selectAll().where('email', '=', ann.email).execute()
  const [second] = await app.db.selectFrom('user').select('id').where('email', '=', bob.email).execute()
  const users = Array.from({ length: count }, (_, number) => ({
    ...Object(first),
    id: `u${number}`,
    email: `u${number}@example.com`,
  }))
  const ids = [...users.map((user) => user.id), second?.id ?? '']
  for (let at = 0; at < count; at += 200)
    await app.db
      .insertInto('user')
      .values(users.slice(at, at + 200))
      .execute()
  const now = app.now()
  const members = ids.map((userId) => ({
    id: `m${userId}`.slice(0, 36),
    organizationId: id,
    userId,
    role: 'member',
    createdAt: now,
  }))
  for (let at = 0; at < members.length; at += 200)
    await app.db
      .insertInto('member')
      .values(members.slice(at, at + 200))
      .execute()
  await app.db
    .updateTable('organization')
    .set({ memberCount: count + 2 })
    .where('id', '=', id)
    .execute()
  expect((await member.call('POST /organization/set-active', { body: { organizationId: id } })).status).toBe(200)
  const rows = async () => {
    const found = await app.db.selectFrom('member').select('id').where('organizationId', '=', id).execute()
    return found.length
  }
  return { ...kit, id, owner, member, rows }
}

/** A process that dies before the work after its response. */
const dying = <A extends object>(app: A): A => Object.assign(Object.create(app), { defer: () => {} })

test('no call finds a large organization from the response on, and a job deletes its rows', async () => {
  const { app, id, owner, member, rows } = await withManyMembers(1200)
  const organization = await findOrganization(app, id)
  if (!organization) throw new Error('Acme is missing')
  await deleteOrganization(dying(app), organization, null)
  expect(await rows()).toBe(1202)
  expect((await member.call('GET /organization/list', {})).body).toEqual([])
  expect((await member.call('GET /organization/get-full-organization', { query: { organizationId: id } })).status).not.toBe(200)
  expect((await member.call('POST /organization/set-active', { body: { organizationId: id } })).status).not.toBe(200)
  expect(
    (
      await owner.call('POST /organization/invite-member', {
        body: { organizationId: id, email: 'eve@example.com', role: 'member' },
      })
    ).status,
  ).not.toBe(200)
  expect((await owner.call('POST /organization/delete', { body: { organizationId: id } })).status).not.toBe(200)
  expect((await owner.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })).status).toBe(200)
  await deletions.run(app, running)
  expect(await rows()).toBe(0)
  expect(await app.db.selectFrom('organization').select('slug').execute()).toEqual([{ slug: 'acme' }])
  expect(await app.db.selectFrom('session').select('id').where('activeOrganizationId', '=', id).execute()).toEqual([])
})

test('a deletion that is interrupted goes on later', async () => {
  const { app, id, rows } = await withManyMembers(1200)
  const organization = await findOrganization(app, id)
  if (!organization) throw new Error('Acme is missing')
  await deleteOrganization(dying(app), organization, null)
  const stopped = new AbortController()
  stopped.abort()
  await deletions.run(app, stopped.signal)
  expect(await rows()).toBe(1202)
  await deletions.run(app, running)
  expect(await rows()).toBe(0)
})

test('reports how many members are deleted, and how many are left', async () => {
  const { app, id } = await withManyMembers(1200)
  const organization = await findOrganization(app, id)
  if (!organization) throw new Error('Acme is missing')
  await deleteOrganization(dying(app), organization, null)
  expect(await readDeletions(app)).toEqual({ organizations: 1, members: 1202 })
  const done: number[] = []
  await finishDeletion(app, id, running, (count) => done.push(count))
  expect(done).toEqual([500, 1000, 1202])
  expect(await readDeletions(app)).toEqual({ organizations: 0, members: 0 })
})

test('the call deletes a large organization after its response', async () => {
  const { id, owner, rows } = await withManyMembers(600)
  expect((await owner.call('POST /organization/delete', { body: { organizationId: id } })).body).toMatchObject({
    id,
    slug: 'acme',
  })
  await expect.poll(rows).toBe(0)
})
