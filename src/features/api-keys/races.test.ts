/** 64 concurrent uses of one key: never more succeed than its limits permit, and no use is lost. */
import { describe, expect, test } from 'vitest'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const day = 86_400

describe.each(places)('at %s', (place) => {
  async function open(apiKey: ConfigFile['apiKey'] = {}) {
    const kit = await openRacers(place, { apiKey: typeof apiKey === 'object' ? { enabled: true, ...apiKey } : apiKey })
    const visitor = kit.browser()
    const userId = String((await visitor.call('POST /sign-up/email', { body: ann })).body.user.id)
    const create = async (body: object): Promise<{ id: string; key: string }> =>
      (await kit.privileged().call('POST /api-key/create', { body: { userId, ...body } })).body
    const useAll = (key: string) =>
      race(kit.browsers(), (browser) => browser.request('/get-session', { headers: { 'x-api-key': key } }))
    const row = (id: string) => kit.app.db.selectFrom('apikey').selectAll().where('id', '=', id).executeTakeFirst()
    return { ...kit, visitor, create, useAll, row }
  }

  test('a key with 10 remaining uses has 10', async () => {
    const { create, useAll } = await open()
    const { key } = await create({ remaining: 10, rateLimitEnabled: false })
    const { 200: used, ...others } = tally(await useAll(key))
    expect(used).toBe(10)
    // The first use past the last one deletes the key.
    expect(Object.keys(others).filter((one) => !['401 USAGE_EXCEEDED', '401 INVALID_API_KEY'].includes(one))).toEqual([])
  })

  test('a rate limit of 10 permits 10 in its window, and 10 in the next one', async () => {
    const { create, useAll, row, clock } = await open()
    const { id, key } = await create({ rateLimitMax: 10, rateLimitTimeWindow: 60_000 })
    const expected = { 200: 10, '401 RATE_LIMITED': many - 10 }
    expect(tally(await useAll(key))).toEqual(expected)
    clock.advance(61)
    expect(tally(await useAll(key))).toEqual(expected)
    expect(await row(id)).toMatchObject({ requestCount: 10 })
  })

  test('a refill gives its amount once', async () => {
    const { create, useAll, row, clock } = await open()
    const { id, key } = await create({ remaining: 1, refillAmount: 7, refillInterval: 1, rateLimitEnabled: false })
    clock.advance(day + 1)
    expect(tally(await useAll(key))).toEqual({ 200: 7, '401 USAGE_EXCEEDED': many - 7 })
    expect(await row(id)).toMatchObject({ remaining: 0, lastRefillAt: clock.now() })
  })

  test('both limits hold together, and no rejected use is counted', async () => {
    const { create, useAll, row } = await open()
    const { id, key } = await create({ remaining: 30, rateLimitMax: 20, rateLimitTimeWindow: 60_000 })
    expect(tally(await useAll(key))).toEqual({ 200: 20, '401 RATE_LIMITED': many - 20 })
    expect(await row(id)).toMatchObject({ remaining: 10, requestCount: 20 })
  })

  test('every use of an unlimited key succeeds, and each is counted', async () => {
    const { create, useAll, row } = await open()
    const { id, key } = await create({ remaining: 1000, rateLimitMax: 1000 })
    expect(tally(await useAll(key))).toEqual({ 200: many })
    expect(await row(id)).toMatchObject({ remaining: 1000 - many, requestCount: many })
  })

  test('a key that is deleted or disabled in between fails from then on, without any other error', async () => {
    const { create, browsers, visitor } = await open()
    for (const change of ['delete', 'update'] as const) {
      const { id: keyId, key } = await create({ rateLimitEnabled: false })
      const answers = await race(browsers(), (browser, position) =>
        position === many / 2
          ? visitor.call(`POST /api-key/${change}`, { body: { keyId, enabled: false } })
          : browser.request('/get-session', { headers: { 'x-api-key': key } }),
      )
      const outcomes = Object.keys(tally(answers))
      expect(outcomes.filter((one) => !['200', '401 INVALID_API_KEY', '401 KEY_DISABLED'].includes(one))).toEqual([])
      const last = await browsers()[0]?.request('/get-session', { headers: { 'x-api-key': key } })
      expect(last?.status).toBe(401)
    }
  })

  test('a user gets no more keys than the maximum', async () => {
    const { browsers, visitor } = await open({ maximumKeysPerUser: 5 })
    const answers = await race(browsers(visitor), (browser) => browser.call('POST /api-key/create', { body: {} }))
    expect(tally(answers)).toEqual({ 200: 5, '400 TOO_MANY_API_KEYS': many - 5 })
    expect((await visitor.call('GET /api-key/list', {})).body).toHaveLength(5)
  })

  test('a key is deleted once', async () => {
    const { create, browsers, visitor, app } = await open()
    const { id: keyId } = await create({})
    const answers = await race(browsers(visitor), (browser) => browser.call('POST /api-key/delete', { body: { keyId } }))
    expect(tally(answers)).toEqual({ 200: 1, '404 API_KEY_NOT_FOUND': many - 1 })
    expect(await app.db.selectFrom('auditEvent').select('id').where('action', '=', 'api-key.deleted').execute()).toHaveLength(1)
  })

  test('an organization has as many keys as it may have', async () => {
    const apiKey = { references: 'organization', maximumKeysPerOrganization: 3 } as const
    const { app, browsers, browser } = await openRacers(place, { organization: true, apiKey })
    const owner = browser()
    await owner.call('POST /sign-up/email', { body: ann })
    const made = await owner.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
    const body = { organizationId: String(made.body.id) }
    const created = await race(browsers(owner), (one) => one.call('POST /api-key/create', { body }))
    expect(tally(created)).toEqual({ 200: 3, '400 TOO_MANY_API_KEYS': many - 3 })
    expect(await app.db.selectFrom('apikey').select('id').execute()).toHaveLength(3)
  })
})
