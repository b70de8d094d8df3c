import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import type { ConfigFile } from '../index.ts'

const password = 'correct horse battery'

/** An administrator, who is signed in, and users with these names. */
async function withUsers(names: readonly string[], config: ConfigFile = {}) {
  const kit = await testApp({ admin: true, ...config })
  const admin = kit.browser()
  const signUp = async (visitor: ReturnType<TestApp['browser']>, name: string) => {
    kit.clock.advance(1)
    const email = `${name.toLowerCase()}@example.com`
    const { body } = await visitor.call('POST /sign-up/email', { body: { name, email, password } })
    return body.user.id
  }
  const adminId = await signUp(admin, 'Root')
  await kit.app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', adminId).execute()
  const ids: Record<string, string> = { Root: adminId }
  for (const name of names) ids[name] = await signUp(kit.browser(), name)
  const list = async (query: Readonly<Record<string, unknown>>) => {
    const { status, body } = await admin.call('GET /admin/list-users', { query: query as object })
    return { status, body, names: status === 200 ? body.users.map(({ name }: { name: string }) => name) : body }
  }
  return { ...kit, admin, ids, list }
}

describe('GET /admin/list-users', () => {
  test('lists users with their numbers, oldest first', async () => {
    const { list } = await withUsers(['Ann', 'Bob'])
    const { body, names } = await list({})
    expect(names).toEqual(['Root', 'Ann', 'Bob'])
    expect(body).toMatchObject({ total: 3, totalIsEstimate: false, nextCursor: null })
    expect(body).not.toHaveProperty('limit')
    expect(body.users[1]).toMatchObject({ email: 'ann@example.com', role: 'user', banned: null, lastSignInAt: null })
    expect(body.users[1]).not.toHaveProperty('accessRevision')
    expect(body.users[1]).not.toHaveProperty('sortName')
  })

  test('requires a session and the permission', async () => {
    const { browser } = await testApp({ admin: true })
    expect(await browser().call('GET /admin/list-users', {})).toMatchObject({ status: 401 })
    const ann = browser()
    await ann.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
    expect(await ann.call('GET /admin/list-users', {})).toMatchObject({
      status: 403,
      body: { message: 'You are not allowed to list users' },
    })
  })
})
