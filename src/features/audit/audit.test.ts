// Also on servers: events are part of a transaction, and wait while the database is unavailable.
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { extend } from '../../core/app.ts'
import { closeDenials, denied, flushDenials } from './denials.ts'
import { recordEvent } from './event.ts'

test('records a rejected call with its client, route and code, and equal ones as one event with a count', async () => {
  const { app, browser } = await testApp()
  const client = browser()
  for (let call = 0; call < 3; call += 1) expect(await client.call('GET /list-sessions', {})).toMatchObject({ status: 401 })
  await flushDenials(app)
  const rows = await app.db.selectFrom('auditEvent').selectAll().orderBy('createdAt').execute()
  expect(rows.map(({ action, outcome, actorKind }) => [action, outcome, actorKind])).toContainEqual([
    'access.denied',
    'denied',
    'anonymous',
  ])
  const counts = rows.map(({ details }) => Number(Object(details).count ?? 1))
  expect(counts.reduce((sum, count) => sum + count)).toBe(3)
})

test('loses no rejected call while the database is unavailable: they are written afterwards, with their number', async () => {
  const { app, browser } = await testApp()
  let isDown = true
  const reached: number[] = []
  const db = app.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind !== 'InsertQueryNode' || !isDown) return node
      reached.push(1)
      throw new Error('unavailable')
    },
    transformResult: async ({ result }) => result,
  })
  const down = extend(app, { db })
  const client = browser()
  for (let call = 0; call < 2; call += 1) {
    await client.call('GET /list-sessions', {})
    await flushDenials(down).catch(() => undefined)
  }
  await client.call('GET /list-sessions', {})
  isDown = false
  await flushDenials(down)
  const rows = await app.db.selectFrom('auditEvent').select('details').execute()
  expect(rows.map(({ details }) => Number(Object(details).count ?? 1)).reduce((sum, count) => sum + count)).toBe(3)
  expect(reached.length).toBeLessThanOrEqual(2)
})

test('writes the rejected calls in memory when the app is closed', async () => {
  const { app, browser } = await testApp()
  for (let call = 0; call < 3; call += 1) await browser().call('GET /list-sessions', {})
  await closeDenials(app)
  const rows = await app.db.selectFrom('auditEvent').select('details').execute()
  expect(rows.map(({ details }) => Number(Object(details).count ?? 1)).reduce((sum, count) => sum + count)).toBe(3)
})

test('logs each event without its details, unless that is disabled', async () => {
  for (const isLogged of [true, false]) {
    const { app, log } = await testApp({ audit: { log: isLogged } })
    const details = { reason: 'a free text' }
    await recordEvent(app, { action: 'access.denied', outcome: 'denied', target: { type: 'user', id: 'ann' }, details })
    const lines = log.filter((line) => line.includes('Audit event')).map((line) => JSON.parse(line))
    expect(lines).toHaveLength(isLogged ? 1 : 0)
    expect(log.join('')).not.toContain('free text')
    if (isLogged)
      expect(lines[0]).toMatchObject({
        level: 'info',
        action: 'access.denied',
        outcome: 'denied',
        userId: 'ann',
        actorKind: 'system',
      })
  }
})

test('records an event in the transaction of the change: a rollback removes both', async () => {
  const { app, log } = await testApp()
  const { transaction } = await import('../../core/transaction.ts')
  const failed = transaction(app, async (tx) => {
    await recordEvent(tx, { action: 'access.denied' })
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await app.db.selectFrom('auditEvent').select('id').execute()).toEqual([])
  expect(log.join('')).not.toContain('Audit event')
})

const rejection = { route: 'GET /list-sessions', status: 401, code: 'UNAUTHORIZED', subjectId: null } as const
const visitor = (ipAddress: string) => ({ kind: 'anonymous', ipAddress, requestId: 'request' }) as const
const user = (userId: string) =>
  ({ kind: 'user', userId, credential: { kind: 'cookie', id: 's' }, ipAddress: '192.0.2.1', requestId: 'request' }) as const

test('records the rejected calls of different users of one IP address as different events', async () => {
  const { app } = await testApp()
  for (const userId of ['ann', 'bob', 'bob']) denied(app, { ...rejection, status: 403, actor: user(userId) })
  await flushDenials(app)
  const rows = await app.db.selectFrom('auditEvent').select(['actorId', 'details']).orderBy('actorId').execute()
  expect(rows.map(({ actorId, details }) => [actorId, Object(details).count])).toEqual([
    ['ann', undefined],
    ['bob', 2],
  ])
})

test('a flood of rejected calls from many IP addresses adds few rows, and hides no failed sign-in of an account', async () => {
  const { app } = await testApp({ audit: { log: false } })
  const rounds = 4
  for (let round = 0; round < rounds; round += 1) {
    for (let one = 0; one < 5000; one += 1) denied(app, { ...rejection, actor: visitor(`198.${round}.${one >> 8}.${one & 255}`) })
    denied(app, { ...rejection, route: 'POST /sign-in/email', subjectId: 'ann', actor: visitor(`192.0.2.${round}`) })
    await flushDenials(app)
  }
  const rows = await app.db.selectFrom('auditEvent').select(['ipAddress', 'userId', 'details']).execute()
  expect(rows.filter(({ userId }) => userId === 'ann')).toHaveLength(rounds)
  expect(rows.length).toBeLessThanOrEqual(1000 + 2 * rounds)
  const counts = rows.map(({ details }) => Number(Object(details).count ?? 1))
  expect(counts.reduce((sum, count) => sum + count)).toBe(rounds * 5001)
  expect(rows.filter(({ details }) => Object(details).clients === 'many').map(({ ipAddress }) => ipAddress)).toContain(null)
})

test('counts the rejected calls of the addresses of one IPv6 network as those of one client', async () => {
  const { app } = await testApp()
  for (const last of ['1', '2', '3']) denied(app, { ...rejection, actor: visitor(`2001:db8:0:1::${last}`) })
  await flushDenials(app)
  const rows = await app.db.selectFrom('auditEvent').select(['ipAddress', 'details']).execute()
  expect(rows.map(({ ipAddress, details }) => [ipAddress, Object(details).count])).toEqual([['2001:db8:0:1::1', 3]])
})
