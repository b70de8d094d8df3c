import { describe, expect, test, vi } from 'vitest'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { expectOneWinner, many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const securityKey = { backupEligible: false, backedUp: false }

describe.each(places)('%s', (place) => {
  async function arrive(maximumPasskeys = 20) {
    const kit = await openRacers(place, { passkey: { maximumPasskeys } })
    const owner = kit.browser()
    await owner.call('POST /sign-up/email', { body: ann })
    const options = async (browser: Browser) => (await browser.call('GET /passkey/generate-register-options', { query: {} })).body
    const add = (browser: Browser, response: object) =>
      browser.call('POST /passkey/verify-registration', { body: { response: { ...response } } })
    const register = async (device = createAuthenticator(securityKey)) => {
      const { body } = await add(owner, device.create(await options(owner)))
      return { device, id: String(body.id) }
    }
    return { ...kit, owner, options, add, register }
  }

  test(`of ${many} concurrent uses of one challenge one signs in, and the passkey is not taken for a copy`, async () => {
    const { register, browsers, browser, app } = await arrive()
    const { device } = await register()
    const guest = browser()
    const { body } = await guest.call('GET /passkey/generate-authenticate-options', {})
    const response = { ...device.get(body, { counter: 7 }) }
    const answers = await race(browsers(guest), (visitor) =>
      visitor.call('POST /passkey/verify-authentication', { body: { response } }),
    )
    expectOneWinner(answers, '400 CHALLENGE_NOT_FOUND')
    expect(await app.db.selectFrom('passkey').select(['counter', 'suspendedAt']).execute()).toEqual([
      { counter: 7, suspendedAt: null },
    ])
    const sessions = app.db.selectFrom('session').select('id').where('passkeyId', 'is not', null)
    expect(await sessions.execute()).toHaveLength(1)
  })

  test(`of ${many} concurrent registrations by one challenge one adds a passkey`, async () => {
    const { owner, options, add, browsers, app } = await arrive()
    const offered = await options(owner)
    const answers = await race(browsers(owner), (browser) => add(browser, createAuthenticator().create(offered)))
    expectOneWinner(answers, '400 CHALLENGE_NOT_FOUND')
    expect(await app.db.selectFrom('passkey').select('id').execute()).toHaveLength(1)
  })

  test(`of ${many} concurrent registrations without a session one adds a passkey, with one challenge or with many`, async () => {
    const resolveUser = ({ context }: { readonly context: string | null }) => ({ id: context ?? '', name: 'Ann' })
    const afterVerification = vi.fn()
    const registration = { requireSession: false, resolveUser, afterVerification }
    const { browser, browsers, app } = await openRacers(place, { passkey: { registration } })
    await browser().call('POST /sign-up/email', { body: ann })
    const { id: context } = await app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    const options = async (visitor: Browser) =>
      (await visitor.call('GET /passkey/generate-register-options', { query: { context } })).body
    const add = (visitor: Browser, response: object) =>
      visitor.call('POST /passkey/verify-registration', { body: { response: { ...response } } })
    const visitor = browser()
    const others = browsers()
    const offered = await Promise.all(others.map(options))
    const response = createAuthenticator().create(await options(visitor))
    expectOneWinner(
      await race(browsers(visitor), (one) => add(one, response)),
      '400 CHALLENGE_NOT_FOUND',
      '400 PREVIOUSLY_REGISTERED',
    )
    expect(afterVerification).toHaveBeenCalledTimes(1)
    await app.db.deleteFrom('passkey').execute()
    expectOneWinner(await race(others, (one, at) => add(one, createAuthenticator().create(offered[at]))), '401 SESSION_REQUIRED')
  })

  test(`${many} concurrent registrations cannot exceed the limit, or store two handles`, async () => {
    const { owner, options, add, browsers, app } = await arrive(3)
    const racers = browsers(owner)
    const offered = await Promise.all(racers.map(options))
    const answers = await race(racers, (browser, position) => add(browser, createAuthenticator().create(offered[position])))
    expect(tally(answers)).toEqual({ 200: 3, '400 TOO_MANY_PASSKEYS': many - 3 })
    expect(await app.db.selectFrom('passkeyUser').select('id').execute()).toHaveLength(1)
  })

  test('one of two last passkeys stays', async () => {
    const { owner, register, browsers, app } = await arrive()
    const ids = [(await register()).id, (await register()).id]
    expect((await owner.call('POST /remove-password', {})).status).toBe(200)
    const answers = await race(browsers(owner).slice(0, 2), (browser, position) =>
      browser.call('POST /passkey/delete-passkey', { body: { id: ids[position] ?? '' } }),
    )
    expectOneWinner(answers, '400 YOU_CANT_DELETE_YOUR_LAST_PASSKEY')
    expect(await app.db.selectFrom('passkey').select('id').execute()).toHaveLength(1)
  })

  test('a passkey that is deleted while it signs in leaves no session behind, or signs in before', async () => {
    const { owner, register, browsers, app } = await arrive()
    const { device, id } = await register()
    const racers = browsers()
    const offered = await Promise.all(
      racers.map(async (browser) => (await browser.call('GET /passkey/generate-authenticate-options', {})).body),
    )
    const [removed, ...answers] = await Promise.all([
      owner.call('POST /passkey/delete-passkey', { body: { id, revokeSessions: true } }),
      ...racers.slice(0, 8).map((browser, position) => {
        const response = { ...device.get(offered[position], { counter: position + 1 }) }
        return browser.call('POST /passkey/verify-authentication', { body: { response } })
      }),
    ])
    expect(removed?.status).toBe(200)
    for (const { status } of answers) expect(status).toBeLessThan(500)
    const left = app.db.selectFrom('session').select('id').where('passkeyId', '=', id)
    expect(await left.execute()).toEqual([])
  })
})
