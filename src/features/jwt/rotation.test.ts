import { describe, expect, inject, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { headerOf, tokenService } from '../../../tests/kit/token-verifier.ts'
import type { ConfigFile } from '../index.ts'
import { jobs, listKeys, retireKey, rotateKeys } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const former = 'the former secret, 0123456789 abcdefghijk'
const newer = 'the newer secret, 9876543210 kjihgfedcba'
/** Several daemons have one database. */
const onServers = inject('servers') !== null
const never = new AbortController().signal
const runJob = ({ app }: Pick<TestApp, 'app'>) => jobs.signingKeys.run(app, never)
const rowsOf = ({ app }: Pick<TestApp, 'app'>) => app.db.selectFrom('jwks').selectAll().orderBy('sequence').execute()
const statesOf = async ({ app }: Pick<TestApp, 'app'>) => (await listKeys(app)).map(({ status }) => status)
async function actionsOf({ app }: Pick<TestApp, 'app'>): Promise<string[]> {
  const events = app.db.selectFrom('auditEvent').select('action').where('action', 'like', 'signing-key.%')
  return (await events.orderBy('createdAt').execute()).map(({ action }) => action)
}

async function open(jwt: ConfigFile['jwt'] = true, config: ConfigFile = {}) {
  const kit = await testApp({ jwt, ...config })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  const tokenOf = async (browser: Browser) => String((await browser.call('GET /token', {})).body.token)
  return { ...kit, visitor, tokenOf, fetchToken: () => tokenOf(visitor), service: tokenService(kit.browser(), kit.clock.now) }
}

/** The same visitor at another daemon. */
function moved(to: Pick<TestApp, 'browser'>, from: Browser): Browser {
  const browser = to.browser()
  for (const [name, value] of from.cookies) browser.cookies.set(name, value)
  return browser
}

describe('a rotation', () => {
  test('publishes the next key, which signs after the delay; the former stays until its tokens have expired', async () => {
    const kit = await open()
    const before = await kit.fetchToken()
    const { key, isCreated } = await rotateKeys(kit.app)
    expect([isCreated, key.status, await statesOf(kit)]).toEqual([true, 'upcoming', ['current', 'upcoming']])
    await kit.service.fetchKeys()
    kit.clock.advance(3599)
    const last = await kit.fetchToken()
    expect(headerOf(last).kid).toBe(headerOf(before).kid)
    kit.clock.advance(1)
    const next = await kit.fetchToken()
    expect([headerOf(next).kid, await statesOf(kit)]).toEqual([key.row.id, ['retired', 'current']])
    // With the keys that were fetched when the rotation started.
    for (const token of [last, next]) expect(kit.service.verify(token).email).toBe(ann.email)
    kit.clock.advance(899)
    await runJob(kit)
    await kit.service.fetchKeys()
    expect(kit.service.verify(last).email).toBe(ann.email)
    kit.clock.advance(3601)
    await runJob(kit)
    expect((await rowsOf(kit)).map(({ id }) => id)).toEqual([key.row.id])
    expect(await actionsOf(kit)).toEqual(['signing-key.created', 'signing-key.created', 'signing-key.removed'])
  })

  test.runIf(onServers)('keeps the former key as long as tokens of a former configuration live', async () => {
    const kit = await open({ jwt: { expirationTime: '1d' } })
    const token = await kit.fetchToken()
    await rotateKeys(kit.app)
    const short = await kit.another({ jwt: { jwt: { expirationTime: 60 } } })
    kit.clock.advance(86_000)
    await runJob(short)
    await kit.service.fetchKeys()
    expect(kit.service.verify(token).email).toBe(ann.email)
  })

  test('that is in progress is returned by the next one', async () => {
    const kit = await open()
    await kit.fetchToken()
    const [first, second] = [await rotateKeys(kit.app), await rotateKeys(kit.app)]
    expect([second.isCreated, second.key.row.id]).toEqual([false, first.key.row.id])
  })

  test('is due after the interval, and the new key signs at its end', async () => {
    const kit = await open({ jwks: { rotationInterval: 86_400 } })
    const before = headerOf(await kit.fetchToken()).kid
    kit.clock.advance(86_400 - 3601)
    await runJob(kit)
    expect(await statesOf(kit)).toEqual(['current'])
    kit.clock.advance(1)
    await runJob(kit)
    await runJob(kit)
    expect(await statesOf(kit)).toEqual(['current', 'upcoming'])
    kit.clock.advance(3600)
    const token = await kit.visitor.call('GET /token', {})
    expect(headerOf(token.body.token).kid).not.toBe(before)
  })

  test('is never due without an interval', async () => {
    const kit = await open({ jwks: { rotationInterval: 0 } })
    await kit.fetchToken()
    kit.clock.advance(31_536_000)
    await runJob(kit)
    expect(await statesOf(kit)).toEqual(['current'])
  })

  test.runIf(onServers)('follows a change of the algorithm', async () => {
    const kit = await open()
    const before = await kit.fetchToken()
    const next = await kit.another({ jwt: { jwks: { keyPairConfig: { alg: 'ES256' } } } })
    await runJob(next)
    const visitor = moved(next, kit.visitor)
    expect(headerOf(await kit.tokenOf(visitor)).alg).toBe('EdDSA')
    kit.clock.advance(3600)
    const after = await kit.tokenOf(visitor)
    await kit.service.fetchKeys()
    expect([headerOf(after).alg, kit.service.verify(after).email]).toEqual(['ES256', ann.email])
    expect(() => kit.service.verify(before)).toThrow('expired')
  })

  test.runIf(onServers)('is never visible to verifiers, whichever daemon signs and publishes', async () => {
    const kit = await open({ jwks: { rotationInterval: 7200, activationDelay: 600, gracePeriod: 300 } })
    const other = await kit.another()
    const daemons = [kit, other]
    const browsers = [kit.visitor, moved(other, kit.visitor)]
    const services = daemons.map((daemon) => tokenService(daemon.browser(), kit.clock.now))
    const cached = tokenService(other.browser(), kit.clock.now)
    const kids = new Set<string>()
    let fetchedAt = Number.NEGATIVE_INFINITY
    let live: { token: string; until: number }[] = []
    for (let step = 0; step < 160; step += 1) {
      const now = kit.clock.now().getTime()
      // As a verifier that follows `max-age`, and never fetches for an unknown key.
      if (now - fetchedAt >= 300_000) {
        await cached.fetchKeys()
        fetchedAt = now
      }
      for (const browser of browsers) {
        const token = await kit.tokenOf(browser)
        kids.add(headerOf(token).kid)
        live.push({ token, until: now + 890_000 })
      }
      live = live.filter(({ until }) => until > now)
      for (const service of services) await service.fetchKeys()
      for (const { token } of live) for (const service of [...services, cached]) service.verify(token)
      await runJob(daemons[step % 2] ?? kit)
      kit.clock.advance(97)
    }
    expect(kids.size).toBeGreaterThanOrEqual(3)
    expect((await rowsOf(kit)).length).toBeLessThanOrEqual(2)
  })
})

describe('a retirement', () => {
  test('ends the use of the key immediately, and keeps its tokens valid', async () => {
    const kit = await open()
    const before = await kit.fetchToken()
    const { signing, retired } = await retireKey(kit.app, headerOf(before).kid, false)
    expect([signing.status, retired?.status]).toEqual(['current', 'retired'])
    const after = await kit.fetchToken()
    expect(headerOf(after).kid).toBe(signing.row.id)
    await kit.service.fetchKeys()
    for (const token of [before, after]) expect(kit.service.verify(token).email).toBe(ann.email)
    kit.clock.advance(900 + 3601)
    await runJob(kit)
    expect(await statesOf(kit)).toEqual(['current'])
  })

  test('with removal rejects the tokens of the key', async () => {
    const kit = await open()
    const before = await kit.fetchToken()
    const { retired } = await retireKey(kit.app, headerOf(before).kid, true)
    const after = await kit.fetchToken()
    await kit.service.fetchKeys()
    expect([retired, kit.service.verify(after).email]).toEqual([null, ann.email])
    expect(() => kit.service.verify(before)).toThrow('Unknown kid')
  })

  test('never brings an older key back', async () => {
    const kit = await open()
    const first = headerOf(await kit.fetchToken()).kid
    await rotateKeys(kit.app)
    kit.clock.advance(3600)
    const second = headerOf(await kit.fetchToken()).kid
    await retireKey(kit.app, second, true)
    const third = headerOf(await kit.fetchToken()).kid
    expect(new Set([first, second, third]).size).toBe(3)
    expect(await statesOf(kit)).toEqual(['retired', 'current'])
  })

  test('activates the key that is published already', async () => {
    const kit = await open()
    const first = headerOf(await kit.fetchToken()).kid
    const { key } = await rotateKeys(kit.app)
    const { signing } = await retireKey(kit.app, first, false)
    expect([signing.row.id, headerOf(await kit.fetchToken()).kid]).toEqual([key.row.id, key.row.id])
  })

  test('of a key that has not signed deletes it', async () => {
    const kit = await open()
    const first = headerOf(await kit.fetchToken()).kid
    const { key } = await rotateKeys(kit.app)
    const { signing, retired } = await retireKey(kit.app, key.row.id, false)
    expect([signing.row.id, signing.endsAt, retired]).toEqual([first, null, null])
  })

  test.runIf(onServers)('is followed by other daemons within seconds', async () => {
    const kit = await open()
    const other = await kit.another()
    const visitor = moved(other, kit.visitor)
    const { kid } = headerOf(await kit.tokenOf(visitor))
    const { signing } = await retireKey(kit.app, kid, false)
    kit.clock.advance(10)
    expect(headerOf(await kit.tokenOf(visitor)).kid).toBe(signing.row.id)
  })
})

describe('a private key', () => {
  test('cannot be read in the database', async () => {
    const kit = await open()
    await kit.fetchToken()
    const [row] = await rowsOf(kit)
    expect(row?.privateKey).toMatch(/^encrypted:[\w-]{8}\.[\w-]{100,}$/)
    expect(JSON.stringify(row)).not.toMatch(/"d\\?"/)
    expect(JSON.stringify((await kit.browser().call('GET /jwks', {})).body)).not.toMatch(/"d"|privateKey/)
  })

  test('is in plain text when the configuration says so', async () => {
    const kit = await open({ jwks: { disablePrivateKeyEncryption: true } })
    const token = await kit.fetchToken()
    const [row] = await rowsOf(kit)
    expect(JSON.parse(row?.privateKey ?? '')).toHaveProperty('d')
    await kit.service.fetchKeys()
    expect(kit.service.verify(token).email).toBe(ann.email)
  })
})

/** A daemon on the database of the first, with other secrets: users sign in again. */
async function restart(kit: Awaited<ReturnType<typeof open>>, secret: string | readonly string[]) {
  const next = await kit.another({ secret: secret as string })
  const visitor = next.browser()
  await visitor.call('POST /sign-in/email', { body: ann })
  return { ...next, visitor, service: tokenService(next.browser(), next.clock.now) }
}

describe.runIf(onServers)('rotation of the secret', () => {
  const start = async (secret: string | readonly string[]) => {
    const kit = await open(true, { secret: former })
    const before = await kit.fetchToken()
    return { kit, before, next: await restart(kit, secret) }
  }

  test('with both secrets, keeps the key and encrypts it again with the new one', async () => {
    const { kit, before, next } = await start([newer, former])
    expect(headerOf(await kit.tokenOf(next.visitor)).kid).toBe(headerOf(before).kid)
    await runJob(next)
    const alone = await restart(kit, newer)
    const token = await kit.tokenOf(alone.visitor)
    await alone.service.fetchKeys()
    for (const one of [before, token]) expect(alone.service.verify(one).email).toBe(ann.email)
    expect(await rowsOf(kit)).toHaveLength(1)
  })

  test('with the new secret alone, signs with a new key and keeps former tokens valid', async () => {
    const { kit, before, next } = await start(newer)
    const token = await kit.tokenOf(next.visitor)
    expect(headerOf(token).kid).not.toBe(headerOf(before).kid)
    await next.service.fetchKeys()
    for (const one of [before, token]) expect(next.service.verify(one).email).toBe(ann.email)
    await runJob(next)
    expect(next.counted).not.toContain('unexpected_error')
  })
})

describe.each(places)('at %s', (place) => {
  test('64 concurrent first calls create one key', async () => {
    const kit = await openRacers(place, { jwt: true })
    const visitor = kit.browser()
    await visitor.call('POST /sign-up/email', { body: ann })
    const answers = await race(kit.browsers(visitor), (browser, position) =>
      browser.call(position % 4 < 2 ? 'GET /jwks' : 'GET /token', {}),
    )
    expect(tally(answers)).toEqual({ 200: many })
    const [row, ...more] = await rowsOf(kit)
    expect(more).toEqual([])
    for (const { body } of answers) expect(body.token ? headerOf(body.token).kid : body.keys[0].kid).toBe(row?.id)
    expect(await actionsOf(kit)).toEqual(['signing-key.created'])
  })

  async function withAdministrator() {
    const kit = await openRacers(place, { jwt: true, admin: true })
    const root = kit.browser()
    await root.call('POST /sign-up/email', { body: ann })
    await kit.app.db.updateTable('user').set({ role: 'admin' }).execute()
    const { kid } = headerOf((await root.call('GET /token', {})).body.token)
    return { ...kit, root, kid }
  }

  test('of 64 concurrent rotations one creates a key', async () => {
    const kit = await withAdministrator()
    const answers = await race(kit.browsers(kit.root), (browser) => browser.call('POST /admin/rotate-signing-key', {}))
    expect(tally(answers)).toEqual({ 200: many })
    expect(answers.filter(({ body }) => body.isCreated)).toHaveLength(1)
    expect(await statesOf(kit)).toEqual(['current', 'upcoming'])
  })

  test('of 64 concurrent retirements one succeeds, and one key signs', async () => {
    const kit = await withAdministrator()
    const answers = await race(kit.browsers(kit.root), (browser) =>
      browser.call('POST /admin/retire-signing-key', { body: { kid: kit.kid } }),
    )
    expect(tally(answers)).toEqual({ 200: 1, '400 SIGNING_KEY_ALREADY_RETIRED': many - 1 })
    expect(await statesOf(kit)).toEqual(['retired', 'current'])
  })
})

describe('calls of administrators', () => {
  async function withAdministrator() {
    const kit = await open(true, { admin: true })
    await kit.app.db.updateTable('user').set({ role: 'admin' }).execute()
    return kit
  }

  test('list, rotate and retire keys, without their private parts', async () => {
    const kit = await withAdministrator()
    const { kid } = headerOf(await kit.fetchToken())
    const rotated = (await kit.visitor.call('POST /admin/rotate-signing-key', {})).body
    const { body } = await kit.visitor.call('GET /admin/list-signing-keys', {})
    expect(body.keys.map((key: { kid: string; status: string }) => [key.kid, key.status])).toEqual([
      [rotated.key.kid, 'upcoming'],
      [kid, 'current'],
    ])
    expect(body.keys[1]).toMatchObject({
      algorithm: 'EdDSA',
      curve: 'Ed25519',
      isReadable: true,
      endsAt: rotated.key.activatesAt,
    })
    expect(JSON.stringify(body)).not.toMatch(/privateKey|encrypted|"d"/)
    const retired = await kit.visitor.call('POST /admin/retire-signing-key', { body: { kid, removeNow: true } })
    expect(retired.body).toMatchObject({ current: { kid: rotated.key.kid, status: 'current' }, retired: null })
  })

  test('reject an unknown key', async () => {
    const kit = await withAdministrator()
    const { status, body } = await kit.visitor.call('POST /admin/retire-signing-key', { body: { kid: 'unknown' } })
    expect([status, body.code]).toEqual([404, 'SIGNING_KEY_NOT_FOUND'])
  })
})
