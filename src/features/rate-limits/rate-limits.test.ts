// Also on servers: conditional statements count in rows.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { ConfigFile } from '../index.ts'
import { jobs } from './index.ts'

const day = 86_400
/** Rows outlive their window by this, since the clocks of machines differ. */
const hour = 3600

async function withLimits(rateLimit: ConfigFile['rateLimit'] = {}) {
  const kit = await testApp({ rateLimit: { enabled: true, storage: 'database', window: 10, max: 3, ...rateLimit } })
  const { app, browser } = kit
  const call = async () => (await browser().request('/ok')).status
  const rows = () => app.db.selectFrom('rateLimit').selectAll().execute()
  /** @param ages seconds since the last call of each key */
  const insert = (...ages: readonly number[]) =>
    app.db
      .insertInto('rateLimit')
      .values(
        ages.map((age) => ({ id: `id-${age}`, key: `key-${age}`, count: 1, lastRequest: app.now().getTime() - age * 1000 })),
      )
      .execute()
  const sweep = async () => {
    await jobs.rateLimits.run(app, new AbortController().signal)
    return (await rows()).map(({ key }) => Number(key.replace('key-', ''))).sort((one, other) => one - other)
  }
  return { ...kit, call, rows, insert, sweep }
}

describe('rate limits in the database', () => {
  test('count calls in one row, and allow calls again after the window', async () => {
    const { call, clock, rows } = await withLimits()
    expect([await call(), await call(), await call(), await call()]).toEqual([200, 200, 200, 429])
    expect(await rows()).toMatchObject([{ count: 3 }])
    clock.advance(11)
    expect(await call()).toBe(200)
    expect(await rows()).toHaveLength(1)
  })

  test('keep counting for a key after the sweep', async () => {
    const { call, clock, sweep } = await withLimits({ window: 600 })
    expect([await call(), await call()]).toEqual([200, 200])
    clock.advance(300)
    await sweep()
    expect([await call(), await call()]).toEqual([200, 429])
  })
})

describe('the sweep of rate limits', () => {
  test('removes rows a day and an hour after the last call', async () => {
    const { insert, sweep } = await withLimits()
    await insert(0, day, day + hour, day + hour + 1, 30 * day)
    expect(await sweep()).toEqual([0, day, day + hour])
  })

  test.each([
    ['a longer window', { window: 3 * day }, 3 * day],
    ['a longer window of a custom rule', { customRules: { '/ok': { window: 2 * day, max: 1 } } }, 2 * day],
    ['a custom rule that is a function, for a week', { customRules: { '/ok': () => false as const } }, 7 * day],
    ['custom rules that switch limits off', { customRules: { '/ok': false as const } }, day],
  ])('waits for %s', async (_, rateLimit, longest) => {
    const { insert, sweep } = await withLimits(rateLimit)
    await insert(longest, longest + hour, longest + hour + 1)
    expect(await sweep()).toEqual([longest, longest + hour])
  })

  test('reads more rows than fit in one batch', async () => {
    const { insert, sweep } = await withLimits()
    await insert(...Array.from({ length: 2500 }, (_, at) => 2 * day + at), 5)
    expect(await sweep()).toEqual([5])
  })

  test('stops when it is aborted', async () => {
    const { app, insert, rows } = await withLimits()
    await insert(30 * day)
    await jobs.rateLimits.run(app, AbortSignal.abort())
    expect(await rows()).toHaveLength(1)
  })
})
