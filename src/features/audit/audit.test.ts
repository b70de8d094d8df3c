import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { extend } from '../../core/app.ts'
import { closeDenials, flushDenials } from './denials.ts'
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
