/** Which sessions an incident revokes, and what stays. */
import { describe, expect, test } from 'vitest'
import { withAdmin } from '../../../tests/kit/administration.ts'
import { nameOf } from '../../../tests/kit/browser.ts'
import { countSessions, type RevocationFilter, revokeByFilter } from './index.ts'
import { runRevocations } from './revocation.ts'

const { signal } = new AbortController()

/** Ada and Uma signed up at 192.0.2.1 and 192.0.2.77; one hour later Uma signed in at 2001:db8::5. */
async function prepare() {
  const kit = await withAdmin({}, { organization: true, magicLink: true, mail: { catch: true } })
  const { app, clock, ada, uma } = kit
  const place = (userId: string, ipAddress: string) =>
    app.db.updateTable('session').set({ ipAddress }).where('userId', '=', userId).where('createdAt', '=', clock.now()).execute()
  await place(ada.userId, '192.0.2.1')
  await place(uma.userId, '192.0.2.77')
  clock.advance(3600)
  const later = await kit.signIn(uma.email)
  await place(uma.userId, '2001:db8::5')
  const names = async () => [await nameOf(ada.browser), await nameOf(uma.browser), await nameOf(later.browser)]
  const count = async (filter: RevocationFilter) => (await countSessions(app, filter, { signal })).sessions
  return { ...kit, later: later.browser, names, count, signedInAt: clock.now() }
}

describe('filters', () => {
  test('select by time, IP address, network and method, and all that are given must match', async () => {
    const { count, signedInAt, app } = await prepare()
    const since = signedInAt.toISOString()
    expect(await count({ since })).toBe(1)
    expect(await count({ since: new Date(signedInAt.getTime() + 1).toISOString() })).toBe(0)
    expect(await count({ ip: '192.0.2.77' })).toBe(1)
    expect(await count({ ip: '192.0.2.0/24' })).toBe(2)
    expect(await count({ ip: '192.0.2.64/26' })).toBe(1)
    expect(await count({ ip: '2001:db8::/32' })).toBe(1)
    expect(await count({ ip: '192.0.2.0/24', since })).toBe(0)
    expect(await count({ method: 'password', since })).toBe(1)
    expect(await count({ method: 'social' })).toBe(0)
    await app.db.updateTable('session').set({ signInMethod: 'social:github' }).where('ipAddress', '=', '192.0.2.1').execute()
    expect([await count({ method: 'social' }), await count({ method: 'social:github' })]).toEqual([1, 1])
  })

  test('know the method of a session from before it had one by its event', async () => {
    const { count, app, signedInAt } = await prepare()
    await app.db.updateTable('session').set({ signInMethod: null }).execute()
    expect(await count({ method: 'password', since: signedInAt.toISOString() })).toBe(1)
    expect(await count({ method: 'passkey' })).toBe(0)
  })

  test('select the members of an organization', async () => {
    const { count, uma } = await prepare()
    const { body } = await uma.browser.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
    expect(await count({ organizationId: body.id })).toBe(2)
  })

  test('are required', async () => {
    const { ada } = await prepare()
    const required = { status: 400, body: { code: 'INCIDENT_FILTER_REQUIRED' } }
    expect(await ada.browser.call('POST /admin/incident/preview', { body: {} })).toMatchObject(required)
    expect(await ada.browser.call('POST /admin/incident/revoke', { body: {} })).toMatchObject(required)
    expect(await ada.browser.call('POST /admin/incident/preview', { body: { ip: '192.0.2.0/33' } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
  })
})

test('a preview changes nothing', async () => {
  const { ada, names } = await prepare()
  const { body } = await ada.browser.call('POST /admin/incident/preview', { body: { ip: '192.0.2.0/24' } })
  expect(body).toEqual({ sessions: 2, users: 2, isComplete: true })
  expect(await names()).toEqual(['Ada', 'Uma', 'Uma'])
})

test('revokes the sessions that match, with one event for all of them', async () => {
  const { app, names, events } = await prepare()
  expect(await revokeByFilter(app, { ip: '192.0.2.0/24' }, { signal, reason: 'Stolen laptop' })).toBe(2)
  expect(await names()).toEqual([null, null, 'Uma'])
  const found = await events('incident.revoked', 'sessions.revoked')
  expect(found.map(({ action, details }) => [action, details])).toEqual([
    ['incident.revoked', { ip: '192.0.2.0/24', count: 2, reason: 'Stolen laptop', state: 'completed' }],
  ])
})

test('revokes the session that a call has put in the place of one of them since then', async () => {
  const { app, names } = await prepare()
  const session = await app.db.selectFrom('session').selectAll().where('ipAddress', '=', '2001:db8::5').executeTakeFirstOrThrow()
  // Its place along the primary key is one that the batches have passed.
  const replacement = { ...session, id: '0', tokenHash: 'x', createdAt: new Date(app.now().getTime() + 1) }
  const onProgress = (count: number) => count === 1 && void app.db.insertInto('session').values(replacement).execute()
  expect(await revokeByFilter(app, { ip: '2001:db8::5' }, { signal, onProgress })).toBe(2)
  expect(await names()).toEqual(['Ada', 'Uma', null])
})

test('ends all of them before their rows are deleted, also while calls are in flight', async () => {
  const { app, ada, names, uma } = await prepare()
  await ada.browser.call('POST /admin/incident/revoke', { body: { ip: '192.0.2.77' } })
  expect(await names()).toEqual(['Ada', null, 'Uma'])
  expect(await app.db.selectFrom('session').select('id').where('userId', '=', uma.userId).execute()).toHaveLength(2)
})

test('ends the impersonations that were started in revoked sessions', async () => {
  const { app, ada, uma, sessionsOf } = await prepare()
  await ada.browser.call('POST /admin/impersonate-user', { body: { userId: uma.userId } })
  await app.db.updateTable('session').set({ ipAddress: '198.51.100.1' }).where('impersonatedBy', '=', ada.userId).execute()
  await revokeByFilter(app, { ip: '192.0.2.1' }, { signal })
  expect((await sessionsOf(uma.userId)).filter(({ impersonatedBy }) => impersonatedBy !== null)).toEqual([])
})

describe('a revocation by an administrator', () => {
  test('is done by a daemon after the response, and shows its progress', async () => {
    const { app, ada, names, events, uma } = await prepare()
    const { body } = await ada.browser.call('POST /admin/incident/revoke', {
      body: { ip: '192.0.2.77', reason: 'Stolen laptop' },
    })
    expect(body).toMatchObject({ state: 'running', revoked: 0, by: ada.email, filter: { ip: '192.0.2.77' } })
    await runRevocations(app, signal)
    expect(await names()).toEqual(['Ada', null, 'Uma'])
    const { revocations } = (await ada.browser.call('GET /admin/incident', {})).body
    expect(revocations).toMatchObject([{ id: body.id, state: 'completed', revoked: 1, endedAt: expect.any(String) }])
    const [event] = await events('incident.revoked')
    expect(event).toMatchObject({ actorId: ada.userId, details: { ip: '192.0.2.77', count: 1, reason: 'Stolen laptop' } })
    expect(uma.userId).not.toBe(event?.actorId)
  })

  test('stops when they have lost the permission', async () => {
    const { app, ada, names } = await prepare()
    await ada.browser.call('POST /admin/incident/revoke', { body: { ip: '192.0.2.77' } })
    await app.db.updateTable('user').set({ role: 'user' }).where('id', '=', ada.userId).execute()
    await runRevocations(app, signal)
    expect(await names()).toEqual(['Ada', 'Uma', 'Uma'])
    expect(await app.db.selectFrom('incidentRevocation').select(['state', 'revoked']).executeTakeFirst()).toEqual({
      state: 'stopped',
      revoked: 0,
    })
  })
})
