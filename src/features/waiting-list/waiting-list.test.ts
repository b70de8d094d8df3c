/** The waiting list: who gets onto it, what visitors learn, and what an approval changes. */
import { describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'
import { createUser } from '../setup/index.ts'
import { decideEntries } from './entries.ts'

const email = 'ann@example.com'
const password = 'correct horse battery'
const waiting: ConfigFile = { admin: true, signUp: { mode: 'waiting-list' }, mail: { from: 'a@example.com', catch: true } }
const join = (browser: Browser, address = email) =>
  browser.call('POST /waiting-list/join', { body: { email: address, name: 'Ann' } })
const signUp = (browser: Browser, address = email) =>
  browser.call('POST /sign-up/email', { body: { email: address, name: 'Ann', password } })

const entriesOf = ({ app }: Pick<TestApp, 'app'>) =>
  app.db.selectFrom('waitingListEntry').selectAll().orderBy('createdAt').execute()
const mailsTo = async ({ app }: Pick<TestApp, 'app'>, recipient: string) =>
  (await app.db.selectFrom('outbox').select('kind').where('recipient', '=', recipient).execute()).map(({ kind }) => kind).sort()

async function withAda() {
  const kit = await testApp(waiting)
  await createUser(kit.app, { email: 'ada@example.com', name: 'Ada', role: 'admin', password }, { source: 'operator' })
  const ada = kit.browser()
  await ada.call('POST /sign-in/email', { body: { email: 'ada@example.com', password } })
  return { ...kit, ada }
}

test('a visitor cannot sign up before an approval, and can after it', async () => {
  const kit = await testApp(waiting)
  expect((await signUp(kit.browser())).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  expect((await join(kit.browser())).body).toEqual({ status: true })
  expect((await signUp(kit.browser())).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  const [entry] = await entriesOf(kit)
  expect(await decideEntries(kit.app, [entry?.id ?? ''], 'approved', null)).toBe(1)
  expect((await signUp(kit.browser(), 'bob@example.com')).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  expect((await signUp(kit.browser(), 'ANN@example.com')).status).toBe(200)
  // The entry has served its purpose.
  expect(await entriesOf(kit)).toEqual([])
  expect(await mailsTo(kit, email)).toEqual(['waiting-list-approved', 'waiting-list-joined'])
})

test.each(['no address', 'temp-1@placeholder.invalid', `${'a'.repeat(70_000)}@example.com`])(
  '%.20s… is not added',
  async (address) => {
    const kit = await testApp(waiting)
    const { status, body } = await join(kit.browser(), address)
    expect([status, body]).toEqual([400, { code: 'INVALID_EMAIL', message: 'Invalid email' }])
    expect(await entriesOf(kit)).toEqual([])
  },
)

test('an approval leads to the sign-up page of the application, also when there are hosted pages', async () => {
  const url = 'https://app.example.com/welcome'
  const template = vi.fn((data: { readonly url: string }) => ({ subject: 'Welcome', text: data.url, html: '' }))
  const mail = { from: 'a@example.com', catch: true, templates: { 'waiting-list-approved': template } }
  const kit = await testApp({ ...waiting, mail, signUp: { mode: 'waiting-list', waitingList: { url } } })
  await join(kit.browser())
  const [{ id = '' } = {}] = await entriesOf(kit)
  await decideEntries(kit.app, [id], 'approved', null)
  await expect.poll(() => template.mock.lastCall?.[0].url).toBe(url)
})

test('a declined applicant cannot sign up, and can be approved later', async () => {
  const kit = await testApp(waiting)
  await join(kit.browser())
  const [{ id = '' } = {}] = await entriesOf(kit)
  await decideEntries(kit.app, [id], 'declined', null)
  expect((await signUp(kit.browser())).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  // To ask again changes nothing, and sends nothing.
  expect((await join(kit.browser())).status).toBe(200)
  expect((await entriesOf(kit)).map(({ state }) => state)).toEqual(['declined'])
  await decideEntries(kit.app, [id], 'approved', null)
  expect((await signUp(kit.browser())).status).toBe(200)
})

test('a user, and an applicant who is on the list, get the same response and no email', async () => {
  const kit = await withAda()
  const answers = [await join(kit.browser()), await join(kit.browser()), await join(kit.browser(), 'ada@example.com')]
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, { status: true }]))
  expect(await mailsTo(kit, email)).toEqual(['waiting-list-joined'])
  expect(await mailsTo(kit, 'ada@example.com')).toEqual([])
  expect(await entriesOf(kit)).toHaveLength(1)
  const events = kit.app.db.selectFrom('auditEvent').select(['outcome', 'targetType']).where('action', '=', 'waiting-list.joined')
  expect(
    (await events.orderBy('outcome', 'desc').orderBy('targetType').execute()).map(({ outcome, targetType }) => [
      outcome,
      targetType,
    ]),
  ).toEqual([
    ['succeeded', 'waiting-list-entry'],
    ['failed', null],
    ['failed', 'user'],
  ])
})

describe('administrators', () => {
  test('list applicants by state, the oldest first, and search them by email address', async () => {
    const kit = await withAda()
    for (const address of ['ann@example.com', 'bob@example.com', 'anton@example.com']) {
      await join(kit.browser(), address)
      kit.clock.advance(1)
    }
    const list = async (query: Readonly<Record<string, string>> = {}) => {
      const { body } = await kit.ada.call('GET /admin/list-waiting-list', { query })
      return [body.waiting, body.entries.map((entry: { readonly email: string }) => entry.email)]
    }
    expect(await list()).toEqual([3, ['ann@example.com', 'bob@example.com', 'anton@example.com']])
    expect(await list({ search: 'AN' })).toEqual([3, ['ann@example.com', 'anton@example.com']])
    const [ann] = await entriesOf(kit)
    const approved = await kit.ada.call('POST /admin/approve-waiting-list', { body: { ids: [ann?.id ?? '', 'unknown'] } })
    expect(approved.body).toEqual({ changed: 1 })
    expect(await list({ state: 'approved' })).toEqual([2, ['ann@example.com']])
    expect(await list({ state: 'waiting', limit: '1' })).toEqual([2, ['bob@example.com']])
  })
})

test('an entry is deleted after its retention', async () => {
  const kit = await testApp(waiting)
  await join(kit.browser())
  kit.clock.advance(366 * 86_400)
  const { jobs } = await import('./index.ts')
  await jobs.expired.run(kit.app, AbortSignal.timeout(10_000))
  expect(await entriesOf(kit)).toEqual([])
})

describe.each(places)('at %s', (place) => {
  test('64 concurrent applications of one email address are one entry, with one email', async () => {
    const kit = await openRacers(place, waiting)
    expect(tally(await race(kit.browsers(), (browser) => join(browser)))).toEqual({ 200: many })
    expect(await entriesOf(kit)).toHaveLength(1)
    expect(await mailsTo(kit, email)).toEqual(['waiting-list-joined'])
  })
})
