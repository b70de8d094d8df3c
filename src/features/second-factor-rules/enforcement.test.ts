/** What happens before and when the grace of a rule ends (contract 11 §10). */
import { expect, test } from 'vitest'
import { nameOf } from '../../../tests/kit/browser.ts'
import { outcome, signUp } from '../../../tests/kit/members.ts'
import { addStaff, staff, withStaff } from '../../../tests/kit/required-factor.ts'
import { enrol, signInAs } from '../../../tests/kit/second-factor.ts'
import { jobs } from './index.ts'

const daySeconds = 86_400
const run = (app: Parameters<NonNullable<typeof jobs.secondFactorRules>['run']>[0]) =>
  jobs.secondFactorRules?.run(app, new AbortController().signal)

test('sessions of a user without a second factor end when their grace does, and cached copies with them', async () => {
  const kit = await withStaff([{ ...staff, graceDays: 2 }], { session: { cookieCache: { enabled: true, maxAge: 300 } } })
  const [ann, phone] = [kit.browser(), kit.browser()]
  for (const browser of [ann, phone]) await signInAs(browser, 'Ann')
  kit.clock.advance(2 * daySeconds - 60)
  await ann.call('GET /get-session', {})
  await run(kit.app)
  expect(await nameOf(ann)).toBe('Ann')
  kit.clock.advance(61)
  await run(kit.app)
  expect([await nameOf(ann), await nameOf(phone)]).toEqual([null, null])
  const events = kit.app.db.selectFrom('auditEvent').select('details').where('action', '=', 'sessions.revoked')
  expect((await events.execute()).map(({ details }) => details)).toContainEqual({ count: 2, reason: 'second-factor-required' })
  expect(outcome(await signInAs(kit.browser(), 'Ann'))).toBe('403 SECOND_FACTOR_SETUP_REQUIRED')
})

test('sessions of a user who has set one up stay, and those of users under no rule', async () => {
  const kit = await withStaff([{ ...staff, graceDays: 2 }])
  const ann = kit.browser()
  await signInAs(ann, 'Ann')
  await enrol(kit, ann)
  const { browser: bob } = await signUp(kit, 'Bob')
  kit.clock.advance(3 * daySeconds)
  await run(kit.app)
  expect([await nameOf(ann), await nameOf(bob)]).toEqual(['Ann', 'Bob'])
})

test('a user whose role was taken away keeps their sessions', async () => {
  const kit = await withStaff([{ ...staff, graceDays: 2 }])
  const ann = kit.browser()
  await signInAs(ann, 'Ann')
  await kit.app.db.updateTable('user').set({ role: 'user' }).where('id', '=', kit.userId).execute()
  kit.clock.advance(3 * daySeconds)
  await run(kit.app)
  expect(await nameOf(ann)).toBe('Ann')
})

test('sessions from before a rule without grace end once they are renewed', async () => {
  const kit = await withStaff([staff])
  await kit.app.db.updateTable('user').set({ role: 'user' }).where('id', '=', kit.userId).execute()
  const ann = kit.browser()
  await signInAs(ann, 'Ann')
  await kit.app.db.updateTable('user').set({ role: 'staff' }).where('id', '=', kit.userId).execute()
  kit.clock.advance(2 * daySeconds)
  await run(kit.app)
  expect(await nameOf(ann)).toBe('Ann')
  await run(kit.app)
  expect(await nameOf(ann)).toBeNull()
})

test('an email comes seven, three and one day before, each once, also from two daemons', async () => {
  const kit = await withStaff([{ ...staff, graceDays: 10 }])
  const ann = kit.browser()
  await signInAs(ann, 'Ann')
  const sent = async () => {
    await Promise.all([run(kit.app), run(kit.app)])
    const rows = kit.app.db.selectFrom('outbox').select('kind').where('kind', '=', 'two-factor-due')
    return (await rows.execute()).length
  }
  const counts: number[] = []
  for (let hours = 0; hours <= 240; hours += 12) {
    counts.push(await sent())
    kit.clock.advance(12 * 3600)
  }
  // Days 0 to 10, twice a day: the seventh day before the end is day 3.
  expect(counts).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3])
})

test('a daemon that was down sends the last email only', async () => {
  const kit = await withStaff([{ ...staff, graceDays: 10 }])
  await signInAs(kit.browser(), 'Ann')
  await addStaff(kit, 'Bob')
  await signInAs(kit.browser(), 'Bob')
  kit.clock.advance(6 * daySeconds)
  await run(kit.app)
  await run(kit.app)
  const rows = await kit.app.db.selectFrom('outbox').select('recipient').where('kind', '=', 'two-factor-due').execute()
  expect(rows.map(({ recipient }) => recipient).sort()).toEqual(['ann@example.com', 'bob@example.com'])
})

test('a longer grace in the configuration moves the end', async () => {
  const kit = await withStaff([{ ...staff, graceDays: 2 }])
  const ann = kit.browser()
  await signInAs(ann, 'Ann')
  // As if the end had been stored under a shorter one.
  await kit.app.db.updateTable('twoFactorDue').set({ dueAt: kit.clock.now(), nextAt: kit.clock.now() }).execute()
  await run(kit.app)
  expect(await nameOf(ann)).toBe('Ann')
  const { dueAt } = await kit.app.db.selectFrom('twoFactorDue').select('dueAt').executeTakeFirstOrThrow()
  expect(dueAt.getTime() - kit.clock.now().getTime()).toBe(2 * daySeconds * 1000)
})
