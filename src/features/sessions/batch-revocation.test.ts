/** Sessions that are revoked in batches, while a call replaces one of them by a new one: nothing of what was signed in survives. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { App } from '../../core/app.ts'
import type { Feature } from '../../core/feature.ts'
import type { SessionRow } from '../../core/request.ts'
import { featureList } from '../index.ts'
import { findUserByEmail } from '../users/index.ts'
import { revokeInBatches } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const hour = 3600

/** A session that a change of the password has inserted in place of another: its ID is one that the batches have passed already. */
type Replacement = Pick<SessionRow, 'id'> & Partial<SessionRow>

/** Ann with a session; `replacements` are inserted one by one, at the end of each transaction that revokes sessions. */
async function withSession() {
  const replacements: Replacement[] = []
  const template: { row: SessionRow | null } = { row: null }
  const replacing: Feature = {
    on: {
      'sessions.revoked': async (tx: App) => {
        const next = replacements.shift()
        if (next && template.row)
          await tx.db
            .insertInto('session')
            .values({ ...template.row, tokenHash: `hash of ${next.id}`, ...next })
            .execute()
      },
    },
  }
  const kit = await testApp({}, { features: { ...featureList, replacing } })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  template.row = await kit.app.db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  const { id: userId } = (await findUserByEmail(kit.app, ann.email)) ?? expect.fail('no user')
  const left = async () => (await kit.app.db.selectFrom('session').select('id').orderBy('id').execute()).map(({ id }) => id)
  return { ...kit, visitor, userId, replacements, left, first: template.row }
}
const signal = new AbortController().signal

describe('no session survives that another one of the same sign-in was replaced by', () => {
  test.each([1, 3])('when all sessions of a user are revoked (replaced %d times)', async (times) => {
    const { app, userId, replacements, left } = await withSession()
    for (let time = 0; time < times; time += 1) replacements.push({ id: `!${time}` })
    expect([await revokeInBatches(app, { userId, signal }), await left()]).toEqual([times + 1, []])
  })

  test('when all sessions of all users are revoked', async () => {
    const { app, replacements, left } = await withSession()
    replacements.push({ id: '!0' })
    expect([await revokeInBatches(app, { signal }), await left()]).toEqual([2, []])
  })

  test('when those before a time are revoked, also if it was replaced after that time', async () => {
    const { app, browser, clock, userId, replacements, left, first } = await withSession()
    clock.advance(hour)
    const before = clock.now()
    clock.advance(hour)
    await browser().call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
    const newer = (await left()).filter((id) => id !== first.id)
    replacements.push({ id: '!0', createdAt: clock.now() })
    expect([await revokeInBatches(app, { userId, before, signal }), await left()]).toEqual([2, newer])
  })
})

test('a sign-in after the start stays when the sessions of all users are revoked', async () => {
  const { app, clock, replacements, left } = await withSession()
  clock.advance(hour)
  const later = new Date(clock.now().getTime() + 1000)
  replacements.push({ id: '!0', createdAt: later, authenticatedAt: later })
  expect([await revokeInBatches(app, { signal }), await left()]).toEqual([1, ['!0']])
})

test('a thief who changes the password again and again loses every session', { timeout: 60_000 }, async () => {
  const { app, browser } = await testApp()
  const thieves = await Promise.all(
    Array.from({ length: 12 }, async (_, number) => {
      const thief = browser()
      const email = `ann${number}@example.com`
      await thief.call('POST /sign-up/email', { body: { ...ann, email } })
      const { id } = (await findUserByEmail(app, email)) ?? expect.fail('no user')
      return { thief, id }
    }),
  )
  const body = { currentPassword: ann.password, newPassword: ann.password, revokeOtherSessions: true }
  const loop = async ({ thief, id }: (typeof thieves)[number], calls = 0): Promise<number> => {
    const changing = thief.call('POST /change-password', { body })
    const [{ status }] = await Promise.all([changing, calls === 1 ? revokeInBatches(app, { userId: id, signal }) : null])
    return status === 200 ? loop({ thief, id }, calls + 1) : status
  }
  expect(new Set(await Promise.all(thieves.map((one) => loop(one))))).toEqual(new Set([401]))
  expect(await app.db.selectFrom('session').select('id').execute()).toEqual([])
})
