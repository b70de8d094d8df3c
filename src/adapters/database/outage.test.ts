import { expect, onTestFinished, test } from 'vitest'
import { watch } from '../../../tests/conformance/ports.ts'
import { watchDatabase } from './outage.ts'

function setUp() {
  const state = { isUnavailable: true, probes: 0 }
  const { log, metrics, lines, counted } = watch()
  const checkWritable = async () => {
    state.probes += 1
    if (state.isUnavailable) throw new Error('read-only')
  }
  const outage = watchDatabase({ database: { checkWritable }, log, metrics, probeMs: 5 })
  onTestFinished(outage.close)
  return { outage, state, lines, counted }
}

test('logs an outage once at its start and once at its end, with the number of failed calls', async () => {
  const { outage, state, lines, counted } = setUp()
  for (let call = 0; call < 100; call += 1) outage.failed(new Error(`failure ${call}`))
  await expect.poll(() => state.probes).toBeGreaterThan(2)
  outage.failed(new Error('one more'))
  expect(lines).toMatchObject([{ level: 'error', fields: { err: { message: 'failure 0' } } }])
  state.isUnavailable = false
  await expect.poll(() => lines.length).toBe(2)
  expect(lines[1]).toMatchObject({ level: 'info', fields: { failedCalls: 101 }, message: 'The database is available again' })
  expect(counted).toEqual(Array(101).fill('database_unavailable'))
})

test('does not end an outage while calls fail, and reports the next one again', async () => {
  const { outage, state, lines } = setUp()
  state.isUnavailable = false
  outage.failed(new Error('a slow statement'))
  const failing = setInterval(() => outage.failed(new Error('a slow statement')), 1)
  await expect.poll(() => state.probes).toBeGreaterThan(5)
  clearInterval(failing)
  await expect.poll(() => lines.at(-1)?.level).toBe('info')
  const before = lines.length
  outage.failed(new Error('another'))
  expect(lines.slice(before)).toMatchObject([{ level: 'error', fields: { err: { message: 'another' } } }])
})
