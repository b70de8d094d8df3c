/** The waiting list: who gets onto it, what visitors learn, and what an approval changes. */
import { describe, expect, test } from 'vitest'
import { withAdmin } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { openRacers, places, race, tally, many } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'

const email = 'ann@example.com'
const waiting: ConfigFile = { signUp: { mode: 'waiting-list' } }
const join = (browser: Browser, address = email) => browser.call('POST /waiting-list/join', { body: { email: address, name: 'Ann' } })
const signUp = (browser: Browser, address = email) =>
  browser.call('POST /sign-up/email', { body: { email: address, name: 'Ann', password: 'correct horse battery' } })

/** Ada is an administrator although sign-up is closed. */
async function openList() {
  const kit = await withAdmin({}, { mail: { from: 'a@example.com', catch: true } })
  const other = await kit.another(waiting)
  return { ...kit, ...other, ada: kit.ada }
}

test('a visitor cannot sign up before an approval, and can after it', async () => {
  const kit = await testApp(waiting)
  expect((await signUp(kit.browser())).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  expect((await join(kit.browser())).body).toEqual({ status: true })
  expect((await signUp(kit.browser())).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  const { decideEntries } = await import('./entries.ts')
  const { id } = await kit.app.db.selectFrom('waitingListEntry').select('id').executeTakeFirstOrThrow()
  expect(await decideEntries(kit.app, [id], 'approved', null)).toBe(1)
  expect((await signUp(kit.browser(), 'bob@example.com')).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  expect((await signUp(kit.browser(), 'ANN@example.com')).status).toBe(200)
  // The entry has served its purpose.
  expect(await kit.app.db.selectFrom('waitingListEntry').select('id').execute()).toEqual([])
})

test('a declined applicant cannot sign up, and can be approved later', async () => {
  const kit = await testApp(waiting)
  await join(kit.browser())
  const { decideEntries } = await import('./entries.ts')
  const { id } = await kit.app.db.selectFrom('waitingListEntry').select('id').executeTakeFirstOrThrow()
  await decideEntries(kit.app, [id], 'declined', null)
  expect((await signUp(kit.browser())).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  // To ask again changes nothing.
  await join(kit.browser())
  expect((await signUp(kit.browser())).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  await decideEntries(kit.app, [id], 'approved', null)
  expect((await signUp(kit.browser())).status).toBe(200)
})
