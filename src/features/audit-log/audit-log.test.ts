import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type App, extend } from '../../core/app.ts'
import { recordEvents } from '../audit/index.ts'
import { setUserRole } from '../roles/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { name: 'Bob', email: 'bob@example.com', password: 'another horse battery' }

async function withAdministrator() {
  const kit = await testApp({ admin: true, organization: { teams: true } })
  const [admin, user] = [kit.browser(), kit.browser()]
  const { id: adminId } = (await admin.call('POST /sign-up/email', { body: ann })).body.user
  const { id: userId } = (await user.call('POST /sign-up/email', { body: bob })).body.user
  await setUserRole(kit.app, adminId, 'admin')
  await kit.app.db.deleteFrom('auditEvent').execute()
  return { ...kit, admin, user, adminId, userId }
}

const by = (userId: string, more = {}) =>
  ({
    kind: 'user',
    userId,
    credential: { kind: 'cookie', id: 's' },
    ipAddress: '192.0.2.1',
    requestId: 'request',
    ...more,
  }) as const

/** Ten events, a second apart but for the last two. */
async function arrange({ app, clock, adminId, userId }: Awaited<ReturnType<typeof withAdministrator>>): Promise<void> {
  for (let step = 0; step < 9; step += 1) {
    clock.advance(1)
    const action = step % 3 === 0 ? 'rate-limit.reached' : 'access.denied'
    const target = { type: step % 2 === 0 ? 'user' : 'session', id: step % 2 === 0 ? userId : `session-${step}` }
    const actor = by(adminId, step === 4 ? { impersonatedBy: adminId, ipAddress: '2001:db8::1', requestId: 'other' } : {})
    const event = { action, target, actor, details: { step }, outcome: step < 5 ? 'denied' : 'failed' } as const
    await recordEvents(app, step === 8 ? [event, { ...event, actor: { kind: 'operator', name: 'root' } }] : [event])
  }
}

/** Without those of reading itself. */
const stepsOf = (events: readonly { readonly action: string; readonly details: Readonly<Record<string, unknown>> }[]) =>
  events.filter(({ action }) => action !== 'events.read').map(({ details }) => details.step)

describe('GET /admin/list-events', () => {
  test('returns events newest first, with the names of those who still exist', async () => {
    const kit = await withAdministrator()
    await arrange(kit)
    const { adminId, userId } = kit
    const { status, body } = await kit.admin.call('GET /admin/list-events', { query: { limit: 3 } })
    expect(status).toBe(200)
    expect(stepsOf(body.events)).toEqual([8, 8, 7])
    expect(body.events[2]).toMatchObject({
      actor: { kind: 'user', id: adminId, name: 'Ann', email: ann.email, image: null },
      target: { type: 'session', id: 'session-7', name: null },
      user: null,
      organization: null,
      ipAddress: '192.0.2.1',
      requestId: 'request',
      sequence: null,
    })
    expect(body.events.map(({ actor }: { readonly actor: { readonly kind: string } }) => actor.kind).sort()).toEqual([
      'operator',
      'user',
      'user',
    ])
    expect(body.events[0]).toMatchObject({ target: { type: 'user', id: userId, name: 'Bob' }, user: { id: userId, name: 'Bob' } })
    await kit.app.db.deleteFrom('user').where('id', '=', userId).execute()
    const after = await kit.admin.call('GET /admin/list-events', { query: { limit: 1 } })
    expect(after.body.events[0]).toMatchObject({
      target: { id: userId, name: null },
      user: { id: userId, name: null, email: null },
    })
  })

  test('pages through all events in both directions, and finds newer ones', async () => {
    const kit = await withAdministrator()
    await arrange(kit)
    const steps: unknown[] = []
    const first = (await kit.admin.call('GET /admin/list-events', { query: { limit: 4 } })).body
    for (let page = first; ; ) {
      steps.push(...stepsOf(page.events))
      if (page.nextCursor === null) break
      page = (await kit.admin.call('GET /admin/list-events', { query: { limit: 4, cursor: page.nextCursor } })).body
    }
    expect(steps).toEqual([8, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    // The way back, from the second page.
    const second = (await kit.admin.call('GET /admin/list-events', { query: { limit: 4, cursor: first.nextCursor ?? '' } })).body
    const back = { cursor: second.previousCursor ?? '', newer: 'true' } as const
    expect(stepsOf((await kit.admin.call('GET /admin/list-events', { query: back })).body.events)).toEqual([6, 7, 8, 8])
    kit.clock.advance(6)
    const read = (await kit.admin.call('GET /admin/list-events', { query: { limit: 4 } })).body
    const none = (await kit.admin.call('GET /admin/list-events', { query: { cursor: read.previousCursor ?? '', newer: 'true' } }))
      .body
    expect(none).toEqual({ events: [], nextCursor: null, previousCursor: read.previousCursor })
    const cursor = read.previousCursor ?? ''
    kit.clock.advance(1)
    await recordEvents(kit.app, [{ action: 'access.denied', details: { step: 'a' } }])
    kit.clock.advance(1)
    await recordEvents(kit.app, [{ action: 'access.denied', details: { step: 'b' } }])
    const newer = (await kit.admin.call('GET /admin/list-events', { query: { cursor, newer: 'true', limit: 1 } })).body
    expect(stepsOf(newer.events)).toEqual(['a'])
    const rest = (await kit.admin.call('GET /admin/list-events', { query: { cursor: newer.nextCursor ?? '', newer: 'true' } }))
      .body
    expect(stepsOf(rest.events)).toEqual(['b'])
    // Recorded after the page was read, with a time before it.
    const earlier = extend(kit.app, { now: () => new Date(kit.clock.now().getTime() - 6000) })
    await recordEvents(earlier, [{ action: 'access.denied', details: { step: 'late' } }])
    const all = (await kit.admin.call('GET /admin/list-events', { query: { cursor, newer: 'true' } })).body
    expect(stepsOf(all.events)).toEqual(['late', 'a', 'b'])
  })

  test('filters by each column, and by several at the same time', async () => {
    const kit = await withAdministrator()
    await arrange(kit)
    const { adminId, userId, admin } = kit
    const find = async (query: object) => stepsOf((await admin.call('GET /admin/list-events', { query })).body.events)
    expect(await find({ action: 'rate-limit.reached' })).toEqual([6, 3, 0])
    expect(await find({ action: 'rate-limit.reached,access.denied', limit: 3 })).toEqual([8, 8, 7])
    expect(await find({ outcome: 'denied,succeeded' })).toEqual([4, 3, 2, 1, 0])
    expect(await find({ actorKind: 'operator' })).toEqual([8])
    expect(await find({ actorId: adminId, action: 'rate-limit.reached', outcome: 'failed' })).toEqual([6])
    expect(await find({ userId })).toEqual([8, 8, 6, 4, 2, 0])
    expect(await find({ userId: adminId, targetType: 'session' })).toEqual([7, 5, 3, 1])
    expect(await find({ targetId: 'session-3' })).toEqual([3])
    expect(await find({ ipAddress: '2001:DB8:0::1' })).toEqual([4])
    expect(await find({ requestId: 'other' })).toEqual([4])
    expect(await find({ organizationId: 'unknown' })).toEqual([])
    const [{ createdAt } = { createdAt: '' }] = (await admin.call('GET /admin/list-events', { query: { targetId: 'session-3' } }))
      .body.events
    expect(await find({ createdAfter: createdAt, userId })).toEqual([8, 8, 6, 4])
    expect(await find({ createdBefore: createdAt })).toEqual([2, 1, 0])
    expect(await find({ search: 'BOB@example.com', action: 'rate-limit.reached' })).toEqual([6, 0])
    expect(await find({ search: 'una@example.com' })).toEqual([])
    expect(await find({ search: 'session-5' })).toEqual([5])
    expect(await find({ search: '2001:db8::1' })).toEqual([4])
    expect(await find({ search: 'other' })).toEqual([4])
  })

  test('rejects positions and filters that no response named', async () => {
    const { admin } = await withAdministrator()
    const farAway = Buffer.from(JSON.stringify([8e15, 'a'])).toString('base64url')
    const wrong = [
      [{ cursor: 'x' }, 'cursor'],
      [{ cursor: farAway }, 'cursor'],
      [{ newer: 'true' }, 'cursor'],
      [{ outcome: 'lost' }, 'outcome.0'],
      [{ createdAfter: 'yesterday' }, 'createdAfter'],
      [{ limit: 1001 }, 'limit'],
    ] as const
    for (const [query, parameter] of wrong)
      expect(await admin.call('GET /admin/list-events', { query: query as object })).toMatchObject({
        status: 400,
        body: { details: { parameters: [parameter] } },
      })
  })

  test('fails when no index has the combination of filters and the search takes too long', async () => {
    const kit = await withAdministrator()
    if (inject('servers') !== null) return
    await arrange(kit)
    const { limitTime } = kit.app.database
    const limit = vi.spyOn(kit.app.database, 'limitTime').mockImplementation(() => limitTime(-1))
    onTestFinished(() => limit.mockRestore())
    expect(await kit.admin.call('GET /admin/list-events', { query: { outcome: 'denied', targetType: 'user' } })).toMatchObject({
      status: 503,
      body: { code: 'SEARCH_TOO_SLOW' },
    })
  })

  test('shows users without the permission nothing, and the administrator their attempt', async () => {
    const { admin, user, userId } = await withAdministrator()
    expect(await user.call('GET /admin/list-events', {})).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    const { events } = (await admin.call('GET /admin/list-events', {})).body
    expect(events).toMatchObject([
      { action: 'access.denied', actor: { id: userId }, details: { route: 'GET /admin/list-events' } },
    ])
  })

  test('takes the same number of queries for a page of any size', async () => {
    const kit = await withAdministrator()
    await arrange(kit)
    const count = async (limit: number) => {
      const statements: string[] = []
      const { extend } = await import('../../core/app.ts')
      const { listEvents } = await import('./pages.ts')
      const db = kit.app.db.withPlugin({
        transformQuery: ({ node }) => {
          statements.push(node.kind)
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const watched: App = extend(kit.app, { db })
      await listEvents(watched, { limit })
      return statements.length
    }
    expect(await count(10)).toBe(await count(1))
  })
})

describe('GET /admin/get-event', () => {
  test('returns an event with its hashes, and whether they match', async () => {
    const kit = await withAdministrator()
    await arrange(kit)
    const { chainEvents } = await import('../audit/chain.ts')
    await chainEvents(kit.app)
    const { events } = (await kit.admin.call('GET /admin/list-events', {})).body
    const [newest, before] = [...events].sort((one, other) => (other.sequence ?? 0) - (one.sequence ?? 0))
    const id = newest?.id ?? ''
    expect((await kit.admin.call('GET /admin/get-event', { query: { id } })).body).toMatchObject({
      ...newest,
      isValid: true,
      previousHash: before?.hash,
    })
    await kit.app.db.updateTable('auditEvent').set({ outcome: 'succeeded' }).where('id', '=', id).execute()
    expect((await kit.admin.call('GET /admin/get-event', { query: { id } })).body.isValid).toBe(false)
    expect(await kit.admin.call('GET /admin/get-event', { query: { id: 'unknown' } })).toMatchObject({
      status: 404,
      body: { code: 'EVENT_NOT_FOUND' },
    })
  })
})

test('GET /admin/audit-status returns the size of the chain and the last verification', async () => {
  const kit = await withAdministrator()
  await arrange(kit)
  expect((await kit.admin.call('GET /admin/audit-status', {})).body).toMatchObject({
    events: 0,
    state: 'unverified',
    verifiedAt: null,
  })
  const { verifyEvents } = await import('../audit/index.ts')
  await verifyEvents(kit.app)
  expect((await kit.admin.call('GET /admin/audit-status', {})).body).toMatchObject({
    events: 10,
    lastSequence: 10,
    verifiedThrough: 10,
    state: 'intact',
    problems: [],
  })
})
