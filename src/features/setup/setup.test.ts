import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { SeedOptions } from '../../core/seed.ts'
import type { ConfigFile } from '../index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { seed as seedRoles } from '../roles/index.ts'
import { seed } from './index.ts'

const admin = { email: 'Root@Example.com', name: 'Root' }
const roles = { admin: { user: ['list', 'ban'] } }
const options: SeedOptions = { dryRun: false, prune: false, readSecret: () => undefined }
const withPassword: SeedOptions = {
  ...options,
  readSecret: (name) => (name === 'ADMIN_PASSWORD' ? 'a password of an admin' : undefined),
}
const tokenOf = (link: string | undefined) => new URL(link ?? '').searchParams.get('token') ?? ''

describe('seeding an administrator', () => {
  test('sets a password from the environment, with which they sign in', async () => {
    const { app, browser } = await testApp({ seed: { roles, admins: [{ ...admin, passwordEnv: 'ADMIN_PASSWORD' }] } })
    expect(await seed(app, withPassword)).toEqual([{ kind: 'admin', name: admin.email, outcome: 'created' }])
    const response = await browser().call('POST /sign-in/email', {
      body: { email: admin.email, password: 'a password of an admin' },
    })
    expect(response.body.user).toMatchObject({ email: 'root@example.com', emailVerified: true })
    expect(await app.db.selectFrom('user').select('role').executeTakeFirst()).toEqual({ role: 'admin' })
  })

  test('a second time changes nothing, and never a password', async () => {
    const { app, browser } = await testApp({ seed: { roles, admins: [{ ...admin, passwordEnv: 'ADMIN_PASSWORD' }] } })
    await seed(app, withPassword)
    const again = await seed(app, { ...options, readSecret: () => 'another password altogether' })
    const detail = 'the password is not taken from ADMIN_PASSWORD again'
    expect(again).toEqual([{ kind: 'admin', name: admin.email, outcome: 'unchanged', detail }])
    expect(await seed(app, withPassword)).toEqual([{ kind: 'admin', name: admin.email, outcome: 'unchanged' }])
    const response = await browser().call('POST /sign-in/email', {
      body: { email: admin.email, password: 'another password altogether' },
    })
    expect(response.status).toBe(401)
  })

  test('ten times concurrently creates one', async () => {
    const { app } = await testApp({ seed: { roles, admins: [admin] } })
    const results = (await Promise.all(Array.from({ length: 10 }, () => seed(app, options)))).flat()
    expect(results.filter(({ setupLink }) => setupLink)).toHaveLength(1)
    expect(await app.db.selectFrom('user').selectAll().execute()).toHaveLength(1)
  })

  test('corrects a role, and only reports it with dryRun', async () => {
    const { app } = await testApp({ seed: { roles: { ...roles, support: {} }, admins: [{ ...admin, role: 'admin,support' }] } })
    await seed(app, options)
    await app.db.updateTable('user').set({ role: 'support' }).execute()
    const expected = { kind: 'admin', name: admin.email, outcome: 'changed', detail: 'role support → admin,support' }
    expect(await seed(app, { ...options, dryRun: true })).toEqual([expected])
    expect(await app.db.selectFrom('user').select('role').executeTakeFirst()).toEqual({ role: 'support' })
    expect(await seed(app, options)).toEqual([expected])
    expect(await app.db.selectFrom('user').select('role').executeTakeFirst()).toEqual({ role: 'admin,support' })
  })

  test('creates a new link when the last one has expired unused', async () => {
    const { app, clock } = await testApp({ seed: { roles, admins: [admin] } })
    const [first] = await seed(app, options)
    expect(await seed(app, options)).toEqual([{ kind: 'admin', name: admin.email, outcome: 'unchanged' }])
    clock.advance(86_401)
    const [second] = await seed(app, options)
    expect(second?.setupLink).toBeDefined()
    expect(second?.setupLink).not.toBe(first?.setupLink)
  })
})

describe('a setup link', () => {
  async function linked(config: ConfigFile = {}) {
    const kit = await testApp({ seed: { roles, admins: [admin] }, ...config })
    const [result] = await seed(kit.app, options)
    return { ...kit, token: tokenOf(result?.setupLink) }
  }
  const newPassword = 'a password of my own'
  const plainPages = { dashboard: { enabled: false } }

  test('is stored as a hash', async () => {
    const { app, token } = await linked()
    expect(JSON.stringify(await app.db.selectFrom('verification').selectAll().execute())).not.toContain(token)
  })

  test('is invalid after any password was set', async () => {
    const { app, browser, token } = await linked()
    const user = await app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
    expect(await setPasswordForUser(app, user, 'a password by the operator')).toEqual({ sessions: 0, apiKeys: 0 })
    expect((await browser().call('POST /set-up', { body: { token, newPassword: 'my own new password' } })).body.code).toBe(
      'INVALID_TOKEN',
    )
    expect(await app.db.selectFrom('verification').selectAll().execute()).toEqual([])
  })

  test('expires', async () => {
    const { browser, clock, token } = await linked(plainPages)
    clock.advance(86_401)
    expect((await browser().call('POST /set-up', { body: { token, newPassword } })).body.code).toBe('INVALID_TOKEN')
    expect((await browser().call('GET /set-up', { query: { token } })).body).toContain('This link no longer works')
  })

  test('stays usable when the password is rejected', async () => {
    const { browser, token } = await linked()
    expect((await browser().call('POST /set-up', { body: { token, newPassword: 'short' } })).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await browser().call('POST /set-up', { body: { token, newPassword } })).body).toEqual({ status: true })
  })

  test.each(['short', newPassword])('counts failures of the form, also with the password "%s"', async (password) => {
    const attempts = { enabled: true, perNetwork: { failures: 3 } }
    const { app, browser } = await testApp({ seed: { roles, admins: [admin] }, attempts })
    const [result] = await seed(app, options)
    const send = (token: string) =>
      browser().request('/set-up', {
        method: 'POST',
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams({ token, newPassword: password })),
      })
    for (let guess = 0; guess < 3; guess += 1) expect((await send(`guess ${guess}`)).body).toContain('This link no longer works')
    // A right token looks like a wrong one during the delay.
    for (const token of ['guess 3', tokenOf(result?.setupLink)]) expect((await send(token)).status).toBe(429)
  })

  test('names its user to a page without being used', async () => {
    const { browser, token } = await linked()
    const check = (given: string) => browser().call('POST /set-up/check', { body: { token: given } })
    for (let time = 0; time < 2; time += 1) expect((await check(token)).body).toEqual({ email: 'root@example.com' })
    expect((await check('forged')).body.code).toBe('INVALID_TOKEN')
    expect((await browser().call('POST /set-up', { body: { token, newPassword } })).status).toBe(200)
    const used = await check(token)
    expect([used.status, used.body.code]).toEqual([400, 'INVALID_TOKEN'])
  })

  test('that is checked with forged tokens counts failures', async () => {
    const { browser, token } = await linked({ attempts: { enabled: true, perNetwork: { failures: 3 } } })
    const check = (given: string) => browser().call('POST /set-up/check', { body: { token: given } })
    for (let guess = 0; guess < 3; guess += 1) expect((await check(`guess ${guess}`)).status).toBe(400)
    for (const given of ['guess 3', token]) expect((await check(given)).status).toBe(429)
  })

  test('leads to the hosted page', async () => {
    const { app, browser } = await testApp({ seed: { roles, admins: [admin] }, dashboard: { path: '/account' } })
    const [result] = await seed(app, options)
    expect(result?.setupLink).toMatch(/^http:\/\/localhost:3000\/account\/set-up\?token=\w{32}$/)
    const earlier = await browser().call('GET /set-up', { query: { token: 'a&b' } })
    expect([earlier.status, earlier.headers.get('location')]).toEqual([302, '/account/set-up?token=a%26b'])
  })

  test('opens a page with a form that works without scripts', async () => {
    const { browser, token } = await linked(plainPages)
    const page = await browser().call('GET /set-up', { query: { token } })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.body).toContain(`action="/api/auth/set-up"`)
    const form = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const send = (password: string) =>
      browser().request('/set-up', {
        method: 'POST',
        headers: form,
        body: String(new URLSearchParams({ token, newPassword: password })),
      })
    expect((await send('short')).body).toContain('Password too short.')
    expect((await send(newPassword)).body).toContain('Your password is set')
    expect((await send(newPassword)).body).toContain('This link no longer works')
  })
})

test('roles are written, changed and pruned as declared', async () => {
  const first = await testApp({ seed: { roles: { admin: { user: ['ban', 'list'] }, support: { session: ['list'] } } } })
  const outcomes = async (app = first.app, more = {}) =>
    (await seedRoles(app, { ...options, ...more })).map(({ name, outcome }) => `${name} ${outcome}`)
  expect(await outcomes(first.app, { dryRun: true })).toEqual(['admin created', 'support created'])
  expect(await first.app.db.selectFrom('role').selectAll().execute()).toEqual([])
  expect(await outcomes()).toEqual(['admin created', 'support created'])
  expect(await outcomes()).toEqual(['admin unchanged', 'support unchanged'])
  await first.app.db.updateTable('role').set({ permissions: '{"user":["list","ban"]}' }).where('name', '=', 'admin').execute()
  expect(await outcomes()).toEqual(['admin unchanged', 'support unchanged'])
  await first.app.db.updateTable('role').set({ permissions: '{}' }).where('name', '=', 'admin').execute()
  await first.app.db.updateTable('role').set({ name: 'stale' }).where('name', '=', 'support').execute()
  expect(await outcomes(first.app, { prune: true })).toEqual(['admin changed', 'support created', 'stale removed'])
})
