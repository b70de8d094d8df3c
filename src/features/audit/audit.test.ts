import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { flushDenials } from './denials.ts'
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

test('records an event in the transaction of the change: a rollback removes both', async () => {
  const { app } = await testApp()
  const { transaction } = await import('../../core/transaction.ts')
  const failed = transaction(app, async (tx) => {
    await recordEvent(tx, { action: 'access.denied' })
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await app.db.selectFrom('auditEvent').select('id').execute()).toEqual([])
})
