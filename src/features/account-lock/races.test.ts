/** Locks against calls in flight, on one daemon and on two: nothing signs in after the lock. */
import { describe, expect, test } from 'vitest'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { expectOneWinner, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'
import { createLockLink } from './lock-links.ts'
import { lockAccount } from './locks.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const credentials = { email: ann.email, password: ann.password }

async function arrange(place: (typeof places)[number], config: ConfigFile = {}) {
  const kit = await openRacers(place, config)
  const owner = kit.browser()
  await owner.call('POST /sign-up/email', { body: ann })
  const { id: userId, email } = await kit.app.db.selectFrom('user').select(['id', 'email']).executeTakeFirstOrThrow()
  const sessions = () => kit.app.db.selectFrom('session').select('id').execute()
  return { ...kit, owner, userId, email, sessions }
}
type Kit = Awaited<ReturnType<typeof arrange>>

/** Half of the calls before the lock, which has not ended when the others are sent. */
async function lockDuring({ app, userId }: Kit, browsers: readonly Browser[], call: (browser: Browser) => Promise<Answer>) {
  const first = race(browsers.slice(0, browsers.length / 2), call)
  const locking = lockAccount(app, null, { userId })
  const second = race(browsers.slice(browsers.length / 2), call)
  const [, ...answers] = await Promise.all([locking, first, second])
  return answers.flat()
}

describe.each(places)('a lock on %s', (place) => {
  test.each([
    ['renewals', {}],
    ['renewals of cached copies', { session: { cookieCache: { enabled: true } } }],
  ] satisfies [string, ConfigFile][])('leaves no session after 64 parallel %s', async (_, config) => {
    const kit = await arrange(place, config)
    kit.clock.advance(2 * 86_400)
    const browsers = kit.browsers(kit.owner)
    await lockDuring(kit, browsers, (browser) => browser.call('GET /get-session', {}))
    expect(await kit.sessions()).toEqual([])
    // Also with the cookies that the renewals have set.
    const after = await race(browsers, (browser) => browser.call('GET /get-session', {}))
    expect(after.map(({ body }) => body)).toEqual(after.map(() => null))
  })

  test('leaves no session after 64 parallel sign-ins', async () => {
    const kit = await arrange(place)
    const browsers = kit.browsers()
    const answers = await lockDuring(kit, browsers, (browser) => browser.call('POST /sign-in/email', { body: credentials }))
    expect(await kit.sessions()).toEqual([])
    for (const outcome of Object.keys(tally(answers)))
      expect(['200', '403 ACCOUNT_LOCKED', '401 FAILED_TO_CREATE_SESSION']).toContain(outcome)
  })

  test('leaves no API key after 64 calls that create one', async () => {
    const kit = await arrange(place, { apiKey: true })
    const browsers = kit.browsers(kit.owner)
    await lockDuring(kit, browsers, (browser) => browser.call('POST /api-key/create', { body: { name: 'key' } }))
    expect(await kit.app.db.selectFrom('apikey').select('id').execute()).toEqual([])
  })

  test('happens once when 64 calls use one link', async () => {
    const kit = await arrange(place)
    const url = await createLockLink(kit.app, kit)
    const token = new URL(url ?? '').searchParams.get('token') ?? ''
    const answers = await race(kit.browsers(), (browser) => browser.call('POST /lock-account', { body: { token } }))
    expectOneWinner(answers, '400 INVALID_TOKEN')
    expect(await kit.app.db.selectFrom('auditEvent').select('id').where('action', '=', 'user.locked').execute()).toHaveLength(1)
  })
})
