import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestOptions, testApp } from '../../../tests/kit/app.ts'
import { many } from '../../../tests/kit/race.ts'
import { extend } from '../../core/app.ts'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import type { ConfigFile } from '../index.ts'
import { featureList } from '../index.ts'
import { findUnknownRoles, seed, setUserRole } from './index.ts'

type Roles = NonNullable<NonNullable<ConfigFile['seed']>['roles']>
const admin = { user: ['list', 'ban'] }
const support = { user: ['list'] }

async function withRoles(roles: Roles, testOptions: TestOptions = {}) {
  const kit = await testApp({ seed: { roles } }, testOptions)
  const { app } = kit
  const options = { dryRun: false, prune: false, readSecret: () => undefined }
  /** Seeds what a later configuration declares. */
  const run = (declared: Roles = roles, more: Partial<typeof options> = {}) =>
    seed(extend(app, { config: { ...app.config, seed: { ...app.config.seed, roles: declared } } }), { ...options, ...more })
  const outcomes = async (...given: Parameters<typeof run>) =>
    Object.fromEntries((await run(...given)).map(({ name, outcome }) => [name, outcome]))
  const rows = async () =>
    Object.fromEntries(
      (await app.db.selectFrom('role').select(['name', 'permissions']).execute()).map(({ name, permissions }) => [
        name,
        permissions,
      ]),
    )
  return { ...kit, run, outcomes, rows }
}

describe('seeding roles', () => {
  test('reports how many users still have a role that is pruned, also among other roles', async () => {
    const { run, app, browser } = await withRoles({ admin, support, a_b: {}, axb: {} })
    await run()
    for (const [position, role] of ['support', 'admin,support', 'admin', 'axb'].entries()) {
      const user = browser()
      const body = { name: 'Ann', email: `ann${position}@example.com`, password: 'correct horse battery' }
      await user.call('POST /sign-up/email', { body })
      await setUserRole(app, (await user.call('GET /get-session', {})).body.user.id, role)
    }
    const removed = await run({ admin }, { dryRun: true, prune: true })
    expect(removed.filter(({ outcome }) => outcome === 'removed')).toEqual([
      { kind: 'role', name: 'a_b', outcome: 'removed' },
      { kind: 'role', name: 'axb', outcome: 'removed', detail: '1 user still has it', users: 1 },
      { kind: 'role', name: 'support', outcome: 'removed', detail: '2 users still have it', users: 2 },
    ])
  })

  test('reports how many users already have the name of a role that is created', async () => {
    const { run, app, browser } = await withRoles({ admin })
    const user = browser()
    await user.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' } })
    await setUserRole(app, (await user.call('GET /get-session', {})).body.user.id, 'user,admin')
    expect(await run(undefined, { dryRun: true })).toEqual([
      { kind: 'role', name: 'admin', outcome: 'created', detail: '1 user already has it', users: 1 },
    ])
  })

  test('creates each declared role once', async () => {
    const { outcomes, rows } = await withRoles({ admin, support })
    expect(await outcomes()).toEqual({ admin: 'created', support: 'created' })
    expect(await rows()).toEqual({ admin, support })
    expect(await outcomes()).toEqual({ admin: 'unchanged', support: 'unchanged' })
  })

  test(`creates one row when ${many} pipelines seed concurrently`, async () => {
    const { app, run } = await withRoles({ admin })
    const all = await Promise.all(Array.from({ length: many }, () => run()))
    expect(all.flat().filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
    expect(await app.db.selectFrom('role').select('name').execute()).toEqual([{ name: 'admin' }])
  })

  test('writes changed permissions, in whatever order they are declared', async () => {
    const { outcomes, rows } = await withRoles({ admin })
    await outcomes()
    expect(await outcomes({ admin: { user: ['ban', 'list'] } })).toEqual({ admin: 'unchanged' })
    expect(await outcomes({ admin: { user: ['ban'] } })).toEqual({ admin: 'changed' })
    expect(await rows()).toEqual({ admin: { user: ['ban'] } })
  })

  test('removes undeclared roles only when pruning', async () => {
    const { outcomes, rows } = await withRoles({ admin, support })
    await outcomes()
    expect(await outcomes({ admin })).toEqual({ admin: 'unchanged' })
    expect(await rows()).toEqual({ admin, support })
    expect(await outcomes({ admin }, { prune: true })).toEqual({ admin: 'unchanged', support: 'removed' })
    expect(await rows()).toEqual({ admin })
  })

  test('writes nothing in a dry run, and reports the changes', async () => {
    const { outcomes, rows } = await withRoles({ admin, support })
    expect(await outcomes(undefined, { dryRun: true })).toEqual({ admin: 'created', support: 'created' })
    expect(await rows()).toEqual({})
    await outcomes()
    const later = { admin: { user: ['ban'] } }
    expect(await outcomes(later, { dryRun: true, prune: true })).toEqual({ admin: 'changed', support: 'removed' })
    expect(await rows()).toEqual({ admin, support })
  })
})

test('sets the role of a user immediately, although a cookie caches the session', async () => {
  const { app, browser } = await testApp({ session: { cookieCache: { enabled: true } }, seed: { roles: { admin } } })
  const ann = browser()
  await ann.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' } })
  const { id } = (await ann.call('GET /get-session', {})).body.user
  await setUserRole(app, id, 'admin')
  expect(await app.db.selectFrom('user').select('role').execute()).toEqual([{ role: 'admin' }])
  await app.db.updateTable('user').set({ name: 'Anna' }).execute()
  expect((await ann.call('GET /get-session', {})).body.user.name).toBe('Anna')
})

test('a call requires permissions that the stored roles of the user permit together', async () => {
  const declared = { summary: 'x', returns: z.object({}), handler: () => ({}) }
  const routes = {
    'GET /planted/list': route({ ...declared, access: permission({ user: ['list'] }) }),
    'GET /planted/both': route({ ...declared, access: permission({ user: ['list', 'ban'] }) }),
  }
  const seed = { roles: { banner: { user: ['ban'] }, support } }
  const { app, browser, run } = await withRoles(seed.roles, { features: { ...featureList, planted: { routes } } })
  await run()
  const ann = browser()
  await ann.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' } })
  const { id } = (await ann.call('GET /get-session', {})).body.user
  const statuses = async (role: string) => {
    await setUserRole(app, id, role)
    return [(await ann.request('/planted/list')).status, (await ann.request('/planted/both')).status]
  }
  expect((await ann.request('/planted/list')).status).toBe(403)
  expect(await statuses('banner')).toEqual([403, 403])
  expect(await statuses('support')).toEqual([200, 403])
  expect(await statuses('banner,support')).toEqual([200, 200])
  expect(await statuses('unknown')).toEqual([403, 403])
  await run({ ...seed.roles, support: admin })
  expect(await statuses('banner,support')).toEqual([200, 200])
  await run({}, { prune: true })
  expect(await statuses('banner,support')).toEqual([403, 403])
})

test('finds the roles that neither the configuration nor the table has', async () => {
  const { app, run } = await withRoles({ admin })
  expect(await findUnknownRoles(app, 'admin')).toEqual([])
  expect(await findUnknownRoles(app, 'admin,support,constructor')).toEqual(['support', 'constructor'])
  await run({ support })
  expect(await findUnknownRoles(app, 'admin,support')).toEqual([])
})

test.each([
  ['an unknown permission', { admin: { user: ['fly'] } }, 'seed-role-permission', 'Unknown action "fly".'],
  [
    'an unknown resource',
    { admin: { planet: ['list'] } },
    'seed-role-permission',
    'Unknown resource "planet" of the action "list".',
  ],
  [
    'a permission that is given twice',
    { admin: { user: ['ban', 'ban'] } },
    'seed-role-action',
    'The action "ban" is listed twice.',
  ],
])('%s is a configuration error', (_, roles, id, message) => {
  const parsed = parseConfig(featureList, {
    secret: 'Zk3vT9qLw2Rr8Yp5Xn1Bc7Md4Gh6Js0FaE',
    baseURL: 'https://auth.example.com',
    database: { url: 'sqlite::memory:' },
    seed: { roles },
  })
  expect('issues' in parsed && parsed.issues.map((issue) => [issue.id, issue.message])).toEqual([[id, message]])
})
