import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { many } from '../../../tests/kit/race.ts'
import { consumeVerification, createVerification, findVerification, jobs } from './index.ts'

const token = 'a token that cannot be guessed'
const secret = { purpose: 'reset-password', token, value: 'user-1', expiresIn: 600 } as const

async function withSecret(config = {}) {
  const kit = await testApp(config)
  await createVerification(kit.app, secret)
  const rows = () => kit.app.db.selectFrom('verification').selectAll().execute()
  const consume = (purpose: string = secret.purpose) => consumeVerification(kit.app, purpose, token)
  const sweep = () => jobs.verifications.run(kit.app, new AbortController().signal)
  return { ...kit, rows, consume, sweep }
}

describe('a single-use token', () => {
  test('returns its value once', async () => {
    const { app, consume, rows } = await withSecret()
    expect(await findVerification(app, secret.purpose, token)).toBe('user-1')
    expect([await consume(), await consume()]).toEqual(['user-1', null])
    expect(await rows()).toEqual([])
  })

  test(`returns its value to one of ${many} concurrent calls`, async () => {
    const { consume } = await withSecret()
    const values = await Promise.all(Array.from({ length: many }, () => consume()))
    expect(values.filter((value) => value !== null)).toEqual(['user-1'])
  })

  test('returns nothing when another delete takes the row first', async () => {
    const { app, consume } = await withSecret()
    const [value, [deleted]] = await Promise.all([consume(), app.db.deleteFrom('verification').execute()])
    expect([value !== null, deleted?.numDeletedRows === 1n].filter(Boolean)).toHaveLength(1)
  })

  test('is valid for its own purpose only', async () => {
    const { app, consume } = await withSecret()
    expect(await findVerification(app, 'delete-account', token)).toBeNull()
    expect(await consume('delete-account')).toBeNull()
    expect(await consume()).toBe('user-1')
  })

  test('expires', async () => {
    const { app, clock, consume } = await withSecret()
    clock.advance(599)
    expect(await findVerification(app, secret.purpose, token)).toBe('user-1')
    clock.advance(1)
    expect(await findVerification(app, secret.purpose, token)).toBeNull()
    expect(await consume()).toBeNull()
  })

  test('is stored as a hash', async () => {
    const { rows } = await withSecret()
    expect(JSON.stringify(await rows())).not.toContain(token)
  })
})

describe('the sweep of verifications', () => {
  test('removes rows a day after they expired', async () => {
    const { clock, rows, sweep } = await withSecret()
    clock.advance(600 + 86_400)
    await sweep()
    expect(await rows()).toHaveLength(1)
    clock.advance(1)
    await sweep()
    expect(await rows()).toEqual([])
  })

  test('keeps them when cleanup is disabled', async () => {
    const { clock, rows, sweep } = await withSecret({ verification: { disableCleanup: true } })
    clock.advance(30 * 86_400)
    await sweep()
    expect(await rows()).toHaveLength(1)
  })
})
