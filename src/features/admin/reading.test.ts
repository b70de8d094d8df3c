import { describe, expect, test } from 'vitest'
import { signUp, withAcme } from '../../../tests/kit/members.ts'
import type { ConfigFile } from '../index.ts'

const everything: ConfigFile = { admin: true }

/** Ann owns Acme; Root is an administrator, and a member of nothing. */
async function withRoot(organization = {}, config: ConfigFile = everything) {
  const kit = await withAcme(organization, config)
  const root = await signUp(kit, 'Root')
  await kit.app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', root.userId).execute()
  const { id } = await kit.app.db.selectFrom('organization').select('id').executeTakeFirstOrThrow()
  const ann = await kit.app.db.selectFrom('user').selectAll().where('email', '=', 'ann@example.com').executeTakeFirstOrThrow()
  return { ...kit, owner: kit.ann.browser, root: root.browser, organizationId: id, ann }
}

describe('GET /admin/get-user', () => {
  test('returns a user with every visible column', async () => {
    const { root, ann } = await withRoot()
    const { status, body } = await root.call('GET /admin/get-user', { query: { id: ann.id } })
    expect([status, body.email, body.role, body.banned, body.lastSignInAt]).toEqual([200, 'ann@example.com', 'user', null, null])
    expect(body).not.toHaveProperty('accessRevision')
  })

  test('fails for an unknown user, and without the permission', async () => {
    const { root, ...kit } = await withRoot()
    const query = { id: 'unknown' }
    expect(await root.call('GET /admin/get-user', { query })).toMatchObject({ status: 404, body: { message: 'User not found' } })
    const bob = await signUp(kit, 'Bob')
    const message = 'You are not allowed to list users'
    expect(await bob.browser.call('GET /admin/get-user', { query })).toMatchObject({ status: 403, body: { message } })
  })
})

describe('GET /admin/list-user-organizations', () => {
  test('returns the organizations of a user with their role', async () => {
    const { root, ann, organizationId } = await withRoot()
    const { body } = await root.call('GET /admin/list-user-organizations', { query: { userId: ann.id } })
    expect(body.organizations).toMatchObject([{ id: organizationId, slug: 'acme', role: 'owner' }])
    expect(body.organizations[0]).not.toHaveProperty('teamId')
  })

  test('fails for an unknown user', async () => {
    const { root } = await withRoot()
    const response = await root.call('GET /admin/list-user-organizations', { query: { userId: 'unknown' } })
    expect(response).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
  })
})

describe('organizations of the installation', () => {
  test('lists all of them in pages, newest first, each exactly once', async () => {
    const { root, app, clock } = await withRoot()
    const rows = Array.from({ length: 7 }, (_, position) => ({
      id: app.random.id(),
      name: `Team ${position}`,
      slug: `team-${position}`,
      // Some at the same time.
      createdAt: new Date(clock.now().getTime() + 1000 * Math.floor(position / 3)),
    }))
    await app.db.insertInto('organization').values(rows).execute()
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: 3, ...(cursor && { cursor }) }
      const { body } = await root.call('GET /admin/list-organizations', { query })
      expect([body.total, body.totalIsEstimate]).toEqual([8, false])
      seen.push(...body.organizations.map(({ slug }: { readonly slug: string }) => slug))
      cursor = body.nextCursor
    }
    expect(seen.toSorted()).toEqual(['acme', ...rows.map(({ slug }) => slug)])
    expect(seen[0]).toBe('team-6')
  })

  test.each([
    ['acm', ['acme']],
    ['ACME', ['acme']],
    ['cme', []],
    ['%', []],
    ["' or 1=1 -- ", []],
  ])('finds the start of a name or slug: %s', async (search, expected) => {
    const { root, organizationId } = await withRoot()
    const { body } = await root.call('GET /admin/list-organizations', { query: { search } })
    expect(body.organizations.map(({ slug }: { readonly slug: string }) => slug)).toEqual(expected)
    const byId = await root.call('GET /admin/list-organizations', { query: { search: organizationId } })
    expect(byId.body.total).toBe(1)
  })

  test('rejects a forged cursor', async () => {
    const { root } = await withRoot()
    for (const cursor of ['e30', 'W10', Buffer.from('["x","y"]').toString('base64url')])
      expect(await root.call('GET /admin/list-organizations', { query: { cursor } })).toMatchObject({
        status: 400,
        body: { details: { parameters: ['cursor'] } },
      })
  })

  test('returns one with its numbers and owners', async () => {
    const { root, ann, organizationId } = await withRoot()
    const { body } = await root.call('GET /admin/get-organization', { query: { id: organizationId } })
    expect(body).toMatchObject({ slug: 'acme', memberCount: 1, invitationCount: 0, teamCount: 0 })
    expect(body.owners).toMatchObject([{ userId: ann.id, email: 'ann@example.com', role: 'owner' }])
  })

  test('lists the members to an operator who is none', async () => {
    const { root, ann, organizationId } = await withRoot()
    const { body } = await root.call('GET /admin/list-organization-members', { query: { organizationId } })
    expect(body).toMatchObject({ total: 1, hasMore: false, members: [{ userId: ann.id, user: { email: 'ann@example.com' } }] })
  })

  test('deletes one, without the hooks for its members', async () => {
    const called: string[] = []
    const organizationDeletion = { beforeDelete: () => void called.push('hook') }
    const { root, app, organizationId } = await withRoot({ organizationDeletion })
    const input = { body: { organizationId } }
    expect(await root.call('POST /admin/delete-organization', input)).toMatchObject({ status: 200, body: { success: true } })
    expect(await app.db.selectFrom('organization').select('id').execute()).toEqual([])
    expect(called).toEqual([])
    const code = 'ORGANIZATION_NOT_FOUND'
    expect(await root.call('POST /admin/delete-organization', input)).toMatchObject({ status: 404, body: { code } })
    const query = { id: organizationId }
    expect(await root.call('GET /admin/get-organization', { query })).toMatchObject({ status: 404, body: { code } })
  })

  test('each call requires its own permission, which a role in an organization does not give', async () => {
    const { organizationId, owner } = await withRoot()
    for (const response of [
      await owner.call('GET /admin/list-organizations', {}),
      await owner.call('GET /admin/get-organization', { query: { id: organizationId } }),
      await owner.call('GET /admin/list-organization-members', { query: { organizationId } }),
      await owner.call('POST /admin/delete-organization', { body: { organizationId } }),
    ])
      expect(response.status).toBe(403)
  })
})
