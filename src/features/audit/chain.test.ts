import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { App } from '../../core/app.ts'
import { chainEvents } from './chain.ts'
import { eraseAddresses } from './erasure.ts'
import { recordEvents } from './event.ts'
import { sweepEvents } from './retention.ts'
import { readAuditStatus, verifyEvents } from './verification.ts'

const day = 86_400
const actor = {
  kind: 'user',
  userId: 'ann',
  credential: { kind: 'cookie', id: 'session' },
  ipAddress: '192.0.2.1',
  requestId: 'request',
} as const

/** Records events about `ann`, with details in an order that databases change. */
async function record(app: App, count: number): Promise<void> {
  const target = { type: 'user', id: 'ann' }
  const details = { to: 'b', from: ['a', { z: 1.5, a: null }], text: 'ü \u{1f600}' }
  const events = Array.from(
    { length: count },
    () => ({ action: 'access.denied', target, details, actor, organizationId: 'acme' }) as const,
  )
  await recordEvents(app, events)
}

async function chained(count = 6) {
  const kit = await testApp()
  await record(kit.app, count)
  await chainEvents(kit.app)
  return kit
}

const rowsOf = ({ db }: App) => db.selectFrom('auditEvent').selectAll().orderBy('sequence').execute()
const change = ({ db }: App, sequence: number, columns: object) =>
  db.updateTable('auditEvent').set(columns).where('sequence', '=', sequence).execute()
const remove = ({ db }: App, sequence: number) => db.deleteFrom('auditEvent').where('sequence', '=', sequence).execute()
const stateOf = ({ db }: App, id: string) =>
  db.selectFrom('auditState').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function problemsOf(app: App, options = {}) {
  const found: unknown[] = []
  const { state } = await verifyEvents(app, {
    ...options,
    onProblem: ({ kind, sequence }) => found.push([kind, sequence]),
  })
  expect(state).toBe(found.length === 0 ? 'intact' : 'broken')
  return found
}

describe('the chain', () => {
  test('numbers events in the order of time, without gaps, and verifies them', async () => {
    const { app, clock } = await testApp()
    for (let round = 0; round < 3; round += 1) {
      await record(app, 2)
      clock.advance(1)
      await chainEvents(app)
    }
    const rows = await rowsOf(app)
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual([1, 2, 3, 4, 5, 6])
    expect(rows.map(({ createdAt }) => createdAt.getTime())).toEqual(rows.map(({ createdAt }) => createdAt.getTime()).sort())
    expect(await problemsOf(app)).toEqual([])
    expect(await readAuditStatus(app)).toMatchObject({ state: 'intact', verifiedThrough: 6, problems: [] })
  })

  test('gives each event one number when two processes number them concurrently', async () => {
    const { app, another } = await testApp()
    const { app: other } = app.config.database.url?.startsWith('sqlite') ? { app } : await another()
    await record(app, 700)
    await Promise.all([chainEvents(app), chainEvents(other), chainEvents(app), chainEvents(other)])
    await chainEvents(app)
    const rows = await rowsOf(app)
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, position) => position + 1))
    expect(await problemsOf(app)).toEqual([])
  })

  test('continues after a secret was added, and reports events of a secret that is not configured any more', async () => {
    const first = 'a secret of the tests, 0123456789 abcdefghij'
    const second = 'a second secret of the tests, 0123456789 klmn'
    const kit = await testApp({ secret: first })
    const { createKeyring } = await import('../../lib/keyring.ts')
    const { extend } = await import('../../core/app.ts')
    await record(kit.app, 3)
    await chainEvents(kit.app)
    const rotated = extend(kit.app, { keyring: createKeyring([second, first]) })
    await record(rotated, 3)
    expect(await problemsOf(rotated)).toEqual([])
    const retired = extend(kit.app, { keyring: createKeyring([second]) })
    const { state, problems } = await verifyEvents(retired)
    expect(state).toBe('unverified')
    expect(problems.map(({ kind, sequence }) => [kind, sequence])).toEqual([['secret', 1]])
    expect((await verifyEvents(retired, { after: 3 })).problems).toEqual([])
  })
})

const otherValues = {
  id: 'another',
  createdAt: new Date('2020-01-01T00:00:00Z'),
  action: 'user.created',
  outcome: 'failed',
  actorKind: 'operator',
  actorId: 'bob',
  actorName: 'root',
  impersonatedBy: 'root',
  targetType: 'session',
  targetId: 'bob',
  userId: 'bob',
  organizationId: null,
  ipHash: null,
  requestId: null,
  details: '{"to":"c"}',
  code: 'x',
}

describe('verification finds', () => {
  test.each(Object.entries(otherValues))('a changed %s', async (column, value) => {
    const { app } = await chained()
    const [row] = await rowsOf(app)
    const changed = column === 'code' ? `${row?.code.slice(0, -4)}AAAA` : value
    await change(app, 3, { [column]: changed })
    expect(await problemsOf(app)).toContainEqual(['changed', 3])
  })

  test('a changed IP address, and a removed one', async () => {
    const { app } = await chained()
    await change(app, 2, { ipAddress: '192.0.2.9' })
    await change(app, 3, { ipAddress: null })
    expect(await problemsOf(app)).toEqual([
      ['address', 2],
      ['address', 3],
    ])
  })

  test('a changed hash', async () => {
    const { app } = await chained()
    const [, , row] = await rowsOf(app)
    await change(app, 3, { hash: `${row?.hash?.slice(0, -4)}AAAA` })
    expect(await problemsOf(app)).toEqual([['reordered', 3]])
  })

  test.each([
    ['first', 1],
    ['middle', 3],
  ])('the removed %s event', async (_, sequence) => {
    const { app } = await chained()
    await remove(app, sequence)
    expect(await problemsOf(app)).toEqual([['removed', sequence]])
  })

  test('a truncated log, also after further events', async () => {
    const { app } = await chained()
    await remove(app, 6)
    expect(await problemsOf(app)).toEqual([['truncated', 6]])
    await record(app, 2)
    expect(await problemsOf(app)).toEqual([['removed', 6]])
  })

  test('an event that was inserted without a number', async () => {
    const { app } = await chained()
    const [, row] = await rowsOf(app)
    const copy = { ...row, id: 'inserted', details: '{}', ipAddress: null, ipHash: null, sequence: null, hash: null }
    await app.db
      .insertInto('auditEvent')
      .values(copy as never)
      .execute()
    expect(await problemsOf(app)).toEqual([['inserted', 7]])
  })

  test('an event that was inserted in the place of another', async () => {
    const { app } = await chained()
    const [, row] = await rowsOf(app)
    await remove(app, 2)
    await app.db
      .insertInto('auditEvent')
      .values({
        ...row,
        id: 'inserted',
        details: '{}',
        ipAddress: null,
        ipHash: null,
        hash: `${row?.hash?.slice(0, -4)}AAAA`,
        code: `${row?.code.slice(0, -4)}AAAA`,
      } as never)
      .execute()
    expect(await problemsOf(app)).toEqual([['inserted', 2]])
  })

  test('two events in exchanged places', async () => {
    const { app } = await chained()
    const [, second, third] = await rowsOf(app)
    await change(app, 2, { sequence: null })
    await change(app, 3, { sequence: 2, hash: second?.hash })
    await app.db
      .updateTable('auditEvent')
      .set({ sequence: 3, hash: third?.hash ?? '' })
      .where('id', '=', second?.id ?? '')
      .execute()
    expect(await problemsOf(app)).toEqual([
      ['reordered', 2],
      ['reordered', 3],
    ])
  })

  test('an older head, and a changed one', async () => {
    const { app } = await chained()
    const older = await stateOf(app, 'head')
    await record(app, 2)
    await chainEvents(app)
    await app.db.updateTable('auditState').set(older).where('id', '=', 'head').execute()
    expect(await problemsOf(app)).toContainEqual(['head', 6])
    // The chain goes on after its last event, and says so.
    await chainEvents(app)
    const changes = app.db.selectFrom('auditEvent').select('sequence').where('action', '=', 'audit.head-changed')
    expect(await changes.execute()).toHaveLength(1)
    await app.db.updateTable('auditState').set({ hash: 'x' }).where('id', '=', 'head').execute()
    expect((await problemsOf(app)).length).toBeGreaterThan(0)
  })

  test('a head row that was changed: the chain continues after its last event, not after that row', async () => {
    const { app } = await chained()
    await app.db.updateTable('auditState').set({ hash: 'x' }).where('id', '=', 'head').execute()
    await record(app, 2)
    // The first run restores the head, the second one numbers the events.
    await chainEvents(app)
    await chainEvents(app)
    const rows = await rowsOf(app)
    const report = rows.find(({ action }) => action === 'audit.head-changed')
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(report).toMatchObject({ outcome: 'failed' })
    expect(await problemsOf(app)).toEqual([['head', Number(report?.sequence)]])
  })

  test('a truncated log whose head was set back, by the last verification and by a head from the log', async () => {
    const { app } = await chained()
    const older = await stateOf(app, 'head')
    await record(app, 2)
    await chainEvents(app)
    const { sequence, hash } = await stateOf(app, 'head')
    const shipped = { sequence: Number(sequence), hash }
    const cut = async () => {
      await app.db.deleteFrom('auditEvent').where('sequence', '>', 6).execute()
      await app.db.deleteFrom('auditEvent').where('sequence', 'is', null).execute()
      await app.db.updateTable('auditState').set(older).where('id', '=', 'head').execute()
    }
    await cut()
    expect(await problemsOf(app, { head: shipped })).toEqual([['head', 8]])
    await cut()
    expect(await problemsOf(app, { head: { sequence: 6, hash: older.hash } })).toEqual([])
    await record(app, 2)
    await problemsOf(app)
    await cut()
    expect(await problemsOf(app)).toContainEqual(['head', 6])
  })
})

test('IP addresses of an erased user may be missing, and only theirs', async () => {
  const { app } = await chained()
  const bob = { ...actor, userId: 'bob' }
  await recordEvents(app, [{ action: 'access.denied', actor: bob }])
  await eraseAddresses(app, 'ann')
  expect(await problemsOf(app)).toHaveLength(6)
  await recordEvents(app, [{ action: 'user.erased' as 'access.denied', target: { type: 'user', id: 'ann' } }])
  expect(await problemsOf(app)).toEqual([])
  await eraseAddresses(app, 'bob')
  expect(await problemsOf(app)).toEqual([['address', 7]])
})

test('IP addresses of an erased administrator are removed from what they did as other users', async () => {
  const { app } = await testApp()
  const carl = { ...actor, userId: 'carl' }
  await recordEvents(app, [
    { action: 'user.impersonation-started' as 'access.denied', actor: carl, target: { type: 'user', id: 'bob' } },
    { action: 'access.denied', actor: { ...actor, userId: 'bob', impersonatedBy: 'carl' } },
    { action: 'access.denied', actor: { ...actor, userId: 'bob' } },
  ])
  await eraseAddresses(app, 'carl')
  const rows = await app.db.selectFrom('auditEvent').select(['actorId', 'impersonatedBy', 'ipAddress']).execute()
  expect(rows.filter(({ ipAddress }) => ipAddress !== null)).toMatchObject([{ actorId: 'bob', impersonatedBy: null }])
})

/** Events 1 to 3 are deleted. */
async function swept(): Promise<App> {
  const { app, clock } = await testApp({ audit: { retention: 2 * day } })
  for (const round of [1, 2, 3, 4]) {
    await record(app, round)
    await chainEvents(app)
    clock.advance(day)
  }
  await record(app, 1)
  await sweepEvents(app, new AbortController().signal)
  return app
}

test('finds an event inserted before the start of the chain after a retention', async () => {
  const app = await swept()
  expect(await problemsOf(app)).toEqual([])
  await record(app, 1)
  const planted = app.db.updateTable('auditEvent').set({ sequence: 2, hash: 'x' }).where('sequence', 'is', null)
  await planted.where('action', '=', 'access.denied').execute()
  expect(await problemsOf(app)).toEqual([['inserted', 2]])
})

test('deletes events past the retention, and verifies the rest from there', async () => {
  const app = await swept()
  const kept = await app.db.selectFrom('auditEvent').select('sequence').where('action', '=', 'access.denied').execute()
  expect(kept.map(({ sequence }) => sequence && Number(sequence)).sort()).toEqual(
    [10, 7, 8, 9, null, 4, 5, 6].filter((n) => n === null || n > 3).sort(),
  )
  expect(await problemsOf(app)).toEqual([])
  const [first] = await sql<{
    id: string
  }>`select id from ${sql.table('auditEvent')} where sequence > 0 order by sequence limit 1`
    .execute(app.db)
    .then(({ rows }) => rows)
  await app.db
    .deleteFrom('auditEvent')
    .where('id', '=', first?.id ?? '')
    .execute()
  expect(await problemsOf(app)).toEqual([['removed', 4]])
})

const manyEvents = { timeout: 120_000 }
test(
  'numbers and verifies thousands of events in a time that grows with their number, also changed ones',
  manyEvents,
  async () => {
    const { app, log } = await testApp()
    for (let made = 0; made < 5000; made += 500) await record(app, 500)
    await chainEvents(app)
    expect((await readAuditStatus(app)).lastSequence).toBe(5000)
    expect((await verifyEvents(app)).state).toBe('intact')
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([])
    await app.db.updateTable('auditEvent').set({ outcome: 'failed' }).where('sequence', '>', 0).execute()
    expect((await verifyEvents(app)).problemCount).toBe(5000)
  },
)
