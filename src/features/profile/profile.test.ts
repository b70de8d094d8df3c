import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function withAnn(config: ConfigFile = {}, more: object = {}) {
  const kit = await testApp(config)
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: { ...ann, ...more } })
  const update = async (body: object) => visitor.call('POST /update-user', { body })
  const session = async () => (await visitor.call('GET /get-session', {})).body
  return { ...kit, visitor, update, session }
}

describe('POST /update-user', () => {
  test('changes name and image, and sends the session cookie again', async () => {
    const { clock, update, session } = await withAnn()
    const before = (await session()).user
    clock.advance(60)
    const response = await update({ name: 'Anna', image: 'https://a.test/a.png' })
    expect([response.status, response.body]).toEqual([200, { status: true }])
    expect(response.setCookie).toEqual([
      expect.stringMatching(/^latchkey\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const after = (await session()).user
    expect(after).toEqual({ ...before, name: 'Anna', image: 'https://a.test/a.png', updatedAt: '2026-01-31T12:01:00.000Z' })
    await update({ image: null })
    expect((await session()).user).toMatchObject({ name: 'Anna', image: null })
  })

  test('keeps a session that ends with the browser', async () => {
    const { browser } = await withAnn()
    const visitor = browser()
    await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password, rememberMe: false } })
    const { setCookie } = await visitor.call('POST /update-user', { body: { name: 'Anna' } })
    expect(setCookie).toHaveLength(2)
    expect(setCookie.join()).not.toContain('Max-Age')
  })

  test.each([
    [{}],
    [{ nothing: 'known' }],
    [{ role: 'admin', emailVerified: true, id: 'x', createdAt: '2000-01-01', updatedAt: '2000-01-01' }],
    [{ email: '' }],
  ])('writes nothing for %j, and sends no cookie', async (body) => {
    const { app, clock, update } = await withAnn()
    const before = await app.db.selectFrom('user').selectAll().execute()
    clock.advance(60)
    const response = await update(body)
    expect([response.status, response.body, response.setCookie]).toEqual([200, { status: true }, []])
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual(before)
  })

  test('never changes the email address', async () => {
    const { update, session } = await withAnn()
    const response = await update({ name: 'Anna', email: 'eve@example.com' })
    expect([response.status, response.body]).toEqual([
      400,
      { code: 'EMAIL_CAN_NOT_BE_UPDATED', message: 'Email can not be updated' },
    ])
    expect((await session()).user).toMatchObject({ name: 'Ann', email: ann.email })
  })

  test.each([[{ name: 7 }], [{ name: null }], [{ image: {} }], [{ name: 'a'.repeat(16_001) }]])('rejects %j', async (body) => {
    const { update } = await withAnn()
    const response = await update(body)
    expect([response.status, response.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('requires a body and a session', async () => {
    const { browser, visitor } = await withAnn()
    expect((await visitor.request('/update-user', { method: 'POST' })).body.code).toBe('VALIDATION_ERROR')
    expect((await browser().call('POST /update-user', { body: { name: 'Eve' } })).status).toBe(401)
  })

  test('calls the before-hook, which may change or reject, and then the after-hook', async () => {
    const before = (columns: Readonly<Record<string, unknown>>) =>
      columns.name === 'Eve' ? (false as const) : { data: { ...columns, name: 'Hooked' } }
    const { update, session } = await withAnn({ databaseHooks: { user: { update: { before } } } })
    await update({ name: 'Anna' })
    expect((await session()).user.name).toBe('Hooked')
    const refused = await update({ name: 'Eve' })
    expect([refused.status, refused.body]).toEqual([400, { code: 'FAILED_TO_UPDATE_USER', message: 'Failed to update user' }])
  })
})
