import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Authenticator, createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Answer, type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { plantedChallenge } from '../../../tests/kit/planted/challenge.ts'
import { type ConfigFile, featureList } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { ...ann, name: 'Bob', email: 'bob@example.com' }
type Options = Exclude<NonNullable<ConfigFile['passkey']>, boolean>

const outcome = ({ status, body }: Answer) => [status, body?.code].filter(Boolean).join(' ')

async function arrive(passkey: Options = {}, config: ConfigFile = {}) {
  const mails = captureMails<{ kind: string; to: string; subject: string; text: string }>()
  const kit = await testApp({
    passkey: { enabled: true, ...passkey },
    mail: { send: mails.send as never, from: 'acme@example.com' },
    ...config,
  })
  const signUp = async (user = ann) => {
    const visitor = kit.browser()
    expect((await visitor.call('POST /sign-up/email', { body: user })).status).toBe(200)
    return visitor
  }
  const registerOptions = (visitor: Browser) => visitor.call('GET /passkey/generate-register-options', { query: {} })
  const verifyRegistration = (visitor: Browser, response: object, more: object = {}) =>
    visitor.call('POST /passkey/verify-registration', { body: { response: { ...response }, ...more } })
  const register = async (visitor: Browser, device = createAuthenticator(), wishes: object = {}) => {
    const { body } = await registerOptions(visitor)
    const added = await verifyRegistration(visitor, device.create(body, wishes), { name: 'Laptop' })
    expect(outcome(added)).toBe('200')
    return { device, passkey: added.body }
  }
  const options = async (visitor: Browser) => (await visitor.call('POST /passkey/generate-authenticate-options', {})).body
  const verify = (visitor: Browser, response: object, more: object = {}) =>
    visitor.call('POST /passkey/verify-authentication', { body: { response: { ...response }, ...more } })
  const signIn = async (device: Authenticator, wishes: object = {}, visitor = kit.browser()) =>
    verify(visitor, device.get(await options(visitor), wishes))
  const list = async (visitor: Browser) => (await visitor.call('GET /passkey/list-user-passkeys', {})).body
  const events = async (action: string) =>
    kit.app.db.selectFrom('auditEvent').selectAll().where('action', '=', action).orderBy('createdAt').execute()
  return { ...kit, mails, signUp, registerOptions, verifyRegistration, register, options, verify, signIn, list, events }
}

const securityKey = { backupEligible: false, backedUp: false }

describe('the options to add a passkey', () => {
  test('have the members of better-auth in its order, and a handle that is neither id nor email address', async () => {
    const { signUp, registerOptions, app } = await arrive()
    const visitor = await signUp()
    const { status, body, setCookie } = await registerOptions(visitor)
    const { challenge, user, ...others } = body
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      ...['challenge', 'rp', 'user', 'pubKeyCredParams', 'timeout', 'attestation', 'excludeCredentials'],
      ...['authenticatorSelection', 'extensions', 'hints'],
    ])
    expect(others).toEqual({
      rp: { name: 'Latchkey', id: 'localhost' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      ...{ timeout: 60_000, attestation: 'none', excludeCredentials: [], hints: [], extensions: { credProps: true } },
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred', requireResidentKey: false },
    })
    expect([challenge, user]).toEqual([
      expect.stringMatching(/^[\w-]{43}$/),
      { id: expect.stringMatching(/^[\w-]{43}$/), name: ann.email, displayName: 'Ann' },
    ])
    const [stored] = await app.db.selectFrom('user').select('id').execute()
    expect(Buffer.from(user.id, 'base64url').toString()).not.toContain(stored?.id)
    expect(setCookie).toEqual([
      expect.stringMatching(/^latchkey\.better-auth-passkey=[\w.%-]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  test('write nothing, and keep a young challenge for a second tab', async () => {
    const { signUp, registerOptions, options, app, clock, browser } = await arrive()
    const visitor = await signUp()
    const first = await registerOptions(visitor)
    const second = await registerOptions(visitor)
    expect([second.body.challenge, second.setCookie]).toEqual([first.body.challenge, []])
    clock.advance(151)
    expect((await registerOptions(visitor)).body.challenge).not.toBe(first.body.challenge)
    const guest = browser()
    expect((await options(guest)).challenge).toBe((await options(guest)).challenge)
    for (const table of ['passkeyUser', 'usedChallenge', 'verification'] as const)
      expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  test('need a fresh session, and name the passkeys that the user has', async () => {
    const { signUp, registerOptions, register, browser, clock } = await arrive({ maximumPasskeys: 1 })
    expect(outcome(await registerOptions(browser()))).toBe('401 UNAUTHORIZED')
    const visitor = await signUp()
    const { device } = await register(visitor)
    expect(outcome(await registerOptions(visitor))).toBe('400 TOO_MANY_PASSKEYS')
    clock.advance(86_400)
    expect(outcome(await registerOptions(visitor))).toBe('403 SESSION_IS_NOT_FRESH')
    const other = await arrive()
    const owner = await other.signUp()
    await other.register(owner, device)
    const { body } = await other.registerOptions(owner)
    expect(body.excludeCredentials).toEqual([{ id: device.id, transports: ['internal'], type: 'public-key' }])
  })

  test('reject an unknown attachment', async () => {
    const { signUp } = await arrive()
    const { status, body } = await (await signUp()).request('/passkey/generate-register-options?authenticatorAttachment=zzz')
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('POST /passkey/verify-registration', () => {
  test('adds the passkey, records it, and notifies a verified email address', async () => {
    const { signUp, register, list, app, events, mails } = await arrive()
    const visitor = await signUp()
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    const { device, passkey } = await register(visitor, undefined, { aaguid: 'bada5566-a7aa-401f-bd96-45619a55120d' })
    expect(Object.keys(passkey)).toEqual([
      ...['name', 'publicKey', 'userId', 'credentialID', 'counter', 'deviceType', 'backedUp', 'transports', 'createdAt'],
      ...['aaguid', 'id', 'provider', 'addedWith', 'lastUsedAt', 'rpID', 'suspendedAt'],
    ])
    expect(passkey).toMatchObject({
      ...{ name: 'Laptop', credentialID: device.id, counter: 0, deviceType: 'multiDevice', backedUp: true },
      ...{ transports: 'internal', provider: '1Password', lastUsedAt: null, rpID: 'localhost' },
    })
    expect(await list(visitor)).toEqual([passkey])
    expect(await events('passkey.created')).toHaveLength(1)
    expect(await mails.next()).toMatchObject({ to: ann.email, subject: 'A passkey was added to your Latchkey account' })
  })

  test('names in the email the browser that added it', async () => {
    const { signUp, registerOptions, app, mails } = await arrive()
    const visitor = await signUp()
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    const response = { ...createAuthenticator().create((await registerOptions(visitor)).body) }
    const chrome =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
    await visitor.call('POST /passkey/verify-registration', { body: { response } }, { 'user-agent': chrome })
    expect((await mails.next()).text).toMatch(/Added with:?\s+Chrome 142 on Windows/)
  })

  test.each([
    ['from a foreign origin', { origin: 'https://evil.example' }],
    ['in a frame, without the name of its page', { crossOrigin: true }],
    ['in a frame of another page', { crossOrigin: true, topOrigin: 'https://evil.example' }],
    ['for another domain', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: 'x'.repeat(43) }],
    ['of the other type', { type: 'webauthn.get' }],
    ['without user presence, from a session without password', { userPresent: false }, true],
  ])('rejects a response %s', async (_, wishes, isOld = false) => {
    const { signUp, registerOptions, verifyRegistration, clock } = await arrive()
    const visitor = await signUp()
    if (isOld) clock.advance(301)
    const response = createAuthenticator().create((await registerOptions(visitor)).body, wishes)
    expect(outcome(await verifyRegistration(visitor, response))).toBe('400 FAILED_TO_VERIFY_REGISTRATION')
  })

  test.each([
    ['garbage', { id: 'AA', rawId: 'AA', type: 'public-key', response: { clientDataJSON: 'e30', attestationObject: 'AAAA' } }],
    ['no members', {}],
    ['members of other types', { id: 5, response: 'x' }],
    [
      'an attestation of nested arrays',
      {
        ...{ id: 'AA', rawId: 'AA', type: 'public-key' },
        response: { clientDataJSON: 'e30', attestationObject: Buffer.alloc(40_000, 0x81).toString('base64url') },
      },
    ],
  ])('responds to %s with 400', async (_, response) => {
    const { signUp, registerOptions, verifyRegistration } = await arrive()
    const visitor = await signUp()
    await registerOptions(visitor)
    expect(outcome(await verifyRegistration(visitor, response))).toBe('400 FAILED_TO_VERIFY_REGISTRATION')
  })

  test('rejects a response that is too large or too deep before it is parsed', async () => {
    const { signUp, verifyRegistration } = await arrive()
    const visitor = await signUp()
    const nested: unknown = Array.from({ length: 16 }).reduce((inside) => ({ inside }), 'x')
    for (const response of [{ id: 'x'.repeat(66_000) }, { nested }, []])
      expect(outcome(await verifyRegistration(visitor, response as object))).toMatch(
        /^400 (VALIDATION_ERROR|CHALLENGE_NOT_FOUND)$/,
      )
    expect(outcome(await verifyRegistration(visitor, { nested: { nested } }))).toBe('400 VALIDATION_ERROR')
  })

  test.each(['verify-registration', 'verify-authentication'])('%s rejects a response of 60,000 levels', async (call) => {
    const { signUp } = await arrive()
    const body = `{"response":{"nested":${'['.repeat(60_000)}${']'.repeat(60_000)}}}`
    const headers = { 'content-type': 'application/json' }
    const { status } = await (await signUp()).request(`/passkey/${call}`, { method: 'POST', headers, body })
    expect(status).toBe(400)
  })

  test('uses a challenge once, and only that of this browser, user and ceremony', async () => {
    const { signUp, registerOptions, verifyRegistration, options, browser, clock } = await arrive()
    const visitor = await signUp()
    const cookie = 'latchkey.better-auth-passkey'
    expect(outcome(await verifyRegistration(visitor, {}))).toBe('400 CHALLENGE_NOT_FOUND')
    const { body } = await registerOptions(visitor)
    const challengeCookie = visitor.cookies.get(cookie) ?? ''
    const other = await signUp(bob)
    other.cookies.set(cookie, challengeCookie)
    const response = createAuthenticator().create(body)
    expect(outcome(await verifyRegistration(other, response))).toBe('401 YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY')
    const guest = browser()
    await options(guest)
    other.cookies.set(cookie, guest.cookies.get(cookie) ?? '')
    expect(outcome(await verifyRegistration(other, response))).toBe('400 CHALLENGE_NOT_FOUND')
    expect(outcome(await verifyRegistration(visitor, response))).toBe('200')
    expect(visitor.cookies.has(cookie)).toBe(false)
    visitor.cookies.set(cookie, challengeCookie)
    expect(outcome(await verifyRegistration(visitor, createAuthenticator().create(body)))).toBe('400 CHALLENGE_NOT_FOUND')
    visitor.cookies.delete(cookie)
    const late = (await registerOptions(visitor)).body
    clock.advance(300)
    expect(outcome(await verifyRegistration(visitor, createAuthenticator().create(late)))).toBe('400 CHALLENGE_NOT_FOUND')
  })

  test('rejects a credential that is registered already, also by another user', async () => {
    const { signUp, register, registerOptions, verifyRegistration } = await arrive()
    const { device } = await register(await signUp())
    const other = await signUp(bob)
    const response = device.create((await registerOptions(other)).body)
    expect(outcome(await verifyRegistration(other, response))).toBe('400 PREVIOUSLY_REGISTERED')
  })

  test('gives one user one handle for all passkeys', async () => {
    const { signUp, register, registerOptions } = await arrive()
    const visitor = await signUp()
    const { body } = await registerOptions(visitor)
    await register(visitor)
    expect((await registerOptions(visitor)).body.user.id).toBe(body.user.id)
  })

  test('accepts responses without transports and extension results, as newer clients send them', async () => {
    const { signUp, register } = await arrive()
    const { passkey } = await register(await signUp(), undefined, { transports: null, clientExtensionResults: {} })
    expect(passkey.transports).toBe('')
  })

  test('accepts a passkey without user presence soon after a sign-in with a password, unless that is off', async () => {
    const kit = await arrive()
    const visitor = await kit.signUp()
    await kit.register(visitor, undefined, { userPresent: false })
    const strict = await arrive({ autoRegister: false })
    const other = await strict.signUp()
    const response = createAuthenticator().create((await strict.registerOptions(other)).body, { userPresent: false })
    expect(outcome(await strict.verifyRegistration(other, response))).toBe('400 FAILED_TO_VERIFY_REGISTRATION')
  })

  test('a passkey without user presence makes no session stronger, whatever its other flags say', async () => {
    const { signUp, registerOptions, verifyRegistration, app } = await arrive()
    const visitor = await signUp()
    const response = createAuthenticator().create((await registerOptions(visitor)).body, { userPresent: false })
    const { body } = await verifyRegistration(visitor, response, { createSession: true })
    const session = await app.db.selectFrom('session').selectAll().where('id', '=', body.session.id).executeTakeFirst()
    expect(session).toMatchObject({ amr: '["swk"]', acr: null })
  })

  test('rejects one without user presence in an older session, also after another proof of its user', async () => {
    const { signUp, registerOptions, verifyRegistration, clock, app } = await arrive()
    const visitor = await signUp()
    clock.advance(301)
    await app.db.updateTable('session').set({ authenticatedAt: clock.now(), amr: '["pwd","otp"]' }).execute()
    const response = createAuthenticator().create((await registerOptions(visitor)).body, { userPresent: false })
    expect(outcome(await verifyRegistration(visitor, response))).toBe('400 FAILED_TO_VERIFY_REGISTRATION')
  })

  test('creates a session when it is asked for', async () => {
    const { signUp, registerOptions, verifyRegistration } = await arrive()
    const visitor = await signUp()
    const response = createAuthenticator().create((await registerOptions(visitor)).body)
    const { body, setCookie } = await verifyRegistration(visitor, response, { createSession: true })
    expect([body.user.email, body.session.userId, body.credentialID]).toEqual([ann.email, body.userId, response.id])
    expect(setCookie.some((header) => header.startsWith('latchkey.session_token='))).toBe(true)
    expect(await nameOf(visitor)).toBe('Ann')
  })
})

test('a registration with a session is challenged after the passkey is added', async () => {
  const planted = plantedChallenge((_, { method }) => method === 'passkey')
  const { browser } = await testApp({ passkey: true }, { features: { ...featureList, planted } })
  const visitor = browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  const { body } = await visitor.call('GET /passkey/generate-register-options', { query: {} })
  const response = { ...createAuthenticator().create(body) }
  const added = await visitor.call('POST /passkey/verify-registration', { body: { response, createSession: true } })
  expect([added.status, added.body]).toEqual([200, { codeRequired: '/code' }])
  expect((await visitor.call('GET /passkey/list-user-passkeys', {})).body).toHaveLength(1)
})

describe('signing in with a passkey', () => {
  test('needs no email address, and responds with session and user', async () => {
    const { signUp, register, options, verify, browser, list, app } = await arrive()
    const owner = await signUp()
    const { device } = await register(owner)
    const guest = browser()
    const offered = await options(guest)
    expect(offered).toEqual({
      ...{ rpId: 'localhost', challenge: expect.any(String), timeout: 60_000, userVerification: 'preferred' },
    })
    const { status, body } = await verify(guest, device.get(offered, { counter: 3 }))
    expect([status, body.user.email, await nameOf(guest)]).toEqual([200, ann.email, 'Ann'])
    expect(await list(owner)).toMatchObject([{ counter: 3, lastUsedAt: expect.any(String) }])
    const session = await app.db.selectFrom('session').selectAll().where('id', '=', body.session.id).executeTakeFirst()
    expect(session).toMatchObject({ amr: '["swk","user","mfa"]', acr: 'phr' })
    const sameByGet = await browser().call('GET /passkey/generate-authenticate-options', {})
    expect(Object.keys(sameByGet.body)).toEqual(Object.keys(offered))
  })

  test('counts as one factor without user verification, and is rejected where that is required', async () => {
    const kit = await arrive()
    const { device } = await kit.register(await kit.signUp())
    const { body } = await kit.signIn(device, { userVerified: false })
    const session = await kit.app.db.selectFrom('session').selectAll().where('id', '=', body.session.id).executeTakeFirst()
    expect(session).toMatchObject({ amr: '["swk","user"]', acr: null })
    const strict = await arrive({ requireUserVerification: true })
    const { device: other } = await strict.register(await strict.signUp())
    expect((await strict.options(strict.browser())).userVerification).toBe('required')
    expect(outcome(await strict.signIn(other, { userVerified: false }))).toBe('400 AUTHENTICATION_FAILED')
  })

  test('says in its event whether the user was verified', async () => {
    const { clock, signUp, register, signIn, events } = await arrive()
    const { device } = await register(await signUp())
    for (const userVerified of [true, false]) {
      clock.advance(1)
      await signIn(device, { userVerified })
    }
    const found = (await events('user.signed-in')).map(({ details }) => details).filter(({ method }) => method === 'passkey')
    expect(found.map(({ userVerified }) => userVerified)).toEqual([true, false])
  })

  test.each([
    ['origin', { origin: 'https://evil.example' }],
    ['frame', { crossOrigin: true }],
    ['challenge', { challenge: 'x'.repeat(43) }],
    ['domain', { rpId: 'evil.example' }],
    ['user-not-present', { userPresent: false }],
    ['user-handle', { userHandle: 'AAAA' }],
    ['backup-eligibility', { backupEligible: false, backedUp: false }],
    ['type', { type: 'webauthn.create' }],
    ['suspended', {}],
    ['challenge-of-another-user', {}],
  ])('a rejected assertion has the same response, and its reason in the event: %s', async (reason, wishes) => {
    const { signUp, register, signIn, browser, events, app } = await arrive()
    const owner = await signUp()
    const { device } = await register(owner)
    if (reason === 'suspended') await app.db.updateTable('passkey').set({ suspendedAt: app.now() }).execute()
    const other = reason === 'challenge-of-another-user' ? await signUp(bob) : browser()
    const { status, body } = await signIn(device, wishes, other)
    expect([status, body]).toEqual([400, { code: 'AUTHENTICATION_FAILED', message: 'Authentication failed' }])
    await expect
      .poll(async () => (await events('sign-in.failed')).map(({ details }) => details))
      .toEqual([{ route: 'POST /passkey/verify-authentication', code: 'AUTHENTICATION_FAILED', reason }])
  })

  test('ends with the browser when that is wanted', async () => {
    const { signUp, register, options, verify, browser } = await arrive()
    const { device } = await register(await signUp())
    const guest = browser()
    const { setCookie } = await verify(guest, device.get(await options(guest)), { rememberMe: false })
    expect(setCookie.find((header) => header.startsWith('latchkey.session_token='))).not.toContain('Max-Age')
  })

  test.each([
    ['from a foreign origin', { origin: 'https://evil.example' }],
    ['in a frame, without the name of its page', { crossOrigin: true }],
    ['with the handle of another user', { userHandle: 'A'.repeat(43) }],
    ['with a changed backup eligibility', { backupEligible: false, backedUp: false }],
    ['without user presence', { userPresent: false }],
    ['for another domain', { rpId: 'evil.example' }],
    ['of the other type', { type: 'webauthn.create' }],
    ['for another challenge', { challenge: 'x'.repeat(43) }],
  ])('rejects a response %s, and records the failure of its user', async (_, wishes) => {
    const { signUp, register, signIn, app, settled } = await arrive()
    const { device, passkey } = await register(await signUp())
    expect(outcome(await signIn(device, wishes))).toBe('400 AUTHENTICATION_FAILED')
    await settled()
    expect(passkey.userId).toBe((await app.db.selectFrom('user').select('id').executeTakeFirst())?.id)
    expect(outcome(await signIn(device))).toBe('200')
  })

  test('rejects a signature of another key', async () => {
    const { signUp, register, options, verify, browser } = await arrive()
    const { device } = await register(await signUp())
    const guest = browser()
    const offered = await options(guest)
    const forged = createAuthenticator()
    forged.create({ ...offered, rp: { id: 'localhost' }, user: { id: '' } })
    const response = { ...forged.get(offered, { userHandle: null }), id: device.id, rawId: device.id }
    expect(outcome(await verify(guest, response))).toBe('400 AUTHENTICATION_FAILED')
  })

  test('names an unknown passkey, so that the browser can remove it', async () => {
    const { signUp, register, signIn, list } = await arrive()
    const owner = await signUp()
    const { device, passkey } = await register(owner)
    await owner.call('POST /passkey/delete-passkey', { body: { id: passkey.id } })
    const { status, body } = await signIn(device)
    expect([status, body]).toEqual([
      401,
      { code: 'PASSKEY_NOT_FOUND', message: 'Passkey not found', details: { credentialId: device.id, rpId: 'localhost' } },
    ])
    expect(await list(owner)).toEqual([])
  })

  test('uses a challenge once, in this browser, within five minutes', async () => {
    const { signUp, register, options, verify, browser, clock } = await arrive()
    const { device } = await register(await signUp())
    const guest = browser()
    const offered = await options(guest)
    const cookies = new Map(guest.cookies)
    expect(outcome(await verify(browser(), device.get(offered)))).toBe('400 CHALLENGE_NOT_FOUND')
    expect(outcome(await verify(guest, device.get(offered)))).toBe('200')
    for (const [name, value] of cookies) guest.cookies.set(name, value)
    expect(outcome(await verify(guest, device.get(offered, { counter: 5 })))).toBe('400 CHALLENGE_NOT_FOUND')
    const late = browser()
    const response = device.get(await options(late))
    clock.advance(300)
    expect(outcome(await verify(late, response))).toBe('400 CHALLENGE_NOT_FOUND')
  })

  test('with a session accepts only passkeys of its user, and names them', async () => {
    const { signUp, register, options, verify } = await arrive()
    const owner = await signUp()
    const { device } = await register(owner)
    const other = await signUp(bob)
    const { device: foreign } = await register(other)
    const offered = await options(owner)
    expect(offered.allowCredentials).toEqual([{ id: device.id, transports: ['internal'], type: 'public-key' }])
    expect(outcome(await verify(owner, foreign.get(offered)))).toBe('400 AUTHENTICATION_FAILED')
    expect(outcome(await verify(owner, device.get(offered)))).toBe('200')
  })

  test('ignores an email address, unless byEmail makes it list passkeys, random for unknown ones', async () => {
    const ask = async (kit: Awaited<ReturnType<typeof arrive>>, email: string) =>
      (await kit.browser().call('POST /passkey/generate-authenticate-options', { body: { email } })).body.allowCredentials
    const closed = await arrive()
    await closed.register(await closed.signUp())
    expect(await ask(closed, ann.email)).toBeUndefined()
    const open = await arrive({ byEmail: true })
    const { device } = await open.register(await open.signUp())
    expect(await ask(open, ann.email)).toMatchObject([{ id: device.id }])
    const made = await ask(open, 'unknown@example.com')
    expect(made.length).toBeGreaterThan(0)
    expect(await ask(open, 'UNKNOWN@example.com')).toEqual(made)
  })

  test('with byEmail, offers 1 to 3 stable decoys for unknown addresses, and for users without passkeys', async () => {
    const { signUp, browser } = await arrive({ byEmail: true })
    await signUp(bob)
    const ask = async (email: string): Promise<{ readonly id: string }[]> =>
      (await browser().call('POST /passkey/generate-authenticate-options', { body: { email } })).body.allowCredentials
    const counts = new Set<number>()
    for (const email of [bob.email, ...Array.from({ length: 40 }, (_, count) => `unknown-${count}@example.com`)]) {
      const offered = await ask(email)
      counts.add(offered.length)
      expect(offered.length).toBe(new Set(offered.map(({ id }) => id)).size)
      for (const { id } of offered) expect([16, 20, 32, 48, 64]).toContain(Buffer.from(id, 'base64url').length)
      expect(await ask(email)).toEqual(offered)
    }
    expect([...counts].toSorted()).toEqual([1, 2, 3])
  })

  test('accepts pages of related origins, and of pages that may embed them', async () => {
    const shop = 'https://acme.co.uk'
    const { signUp, register, signIn } = await arrive({ relatedOrigins: [shop], allowedTopOrigins: ['https://partner.example'] })
    const { device } = await register(await signUp(), undefined, { origin: shop })
    expect(outcome(await signIn(device, { origin: shop }))).toBe('200')
    expect(outcome(await signIn(device, { crossOrigin: true, topOrigin: 'https://partner.example' }))).toBe('200')
    expect(outcome(await signIn(device, { crossOrigin: true }))).toBe('200')
    expect(outcome(await signIn(device, { crossOrigin: true, topOrigin: 'https://evil.example' }))).toBe(
      '400 AUTHENTICATION_FAILED',
    )
  })
})

describe('counters', () => {
  test('of a security key must grow: else it is suspended, until its owner has signed in with another method', async () => {
    const { signUp, register, signIn, browser, clock, events, mails, app } = await arrive()
    const owner = await signUp()
    const { device, passkey } = await register(owner, createAuthenticator(securityKey), { counter: 4 })
    expect(outcome(await signIn(device, { counter: 5 }))).toBe('200')
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    expect(outcome(await signIn(device, { counter: 5 }))).toBe('400 AUTHENTICATION_FAILED')
    expect(outcome(await signIn(device, { counter: 6 }))).toBe('400 AUTHENTICATION_FAILED')
    expect(await events('passkey.cloned')).toHaveLength(1)
    expect(await events('passkey.suspended')).toHaveLength(1)
    expect(await mails.next()).toMatchObject({ subject: 'A passkey of your Latchkey account was suspended' })
    const restore = (visitor: Browser) => visitor.call('POST /passkey/restore-passkey', { body: { id: passkey.id } })
    expect(outcome(await restore(owner))).toBe('403 SESSION_IS_NOT_FRESH')
    clock.advance(1)
    const again = browser()
    await again.call('POST /sign-in/email', { body: ann })
    expect((await restore(again)).body.passkey.suspendedAt).toBeNull()
    expect(outcome(await signIn(device, { counter: 7 }))).toBe('200')
    expect(outcome(await restore(again))).toBe('404 PASSKEY_NOT_FOUND')
  })

  test('of a synced passkey may go back, and a key without a counter stays at 0', async () => {
    const { signUp, register, signIn } = await arrive()
    const owner = await signUp()
    const { device } = await register(owner)
    for (const counter of [9, 2, 0]) expect(outcome(await signIn(device, { counter }))).toBe('200')
    const { device: key } = await register(owner, createAuthenticator(securityKey))
    for (const counter of [0, 0]) expect(outcome(await signIn(key, { counter }))).toBe('200')
  })
})

describe('the passkeys of a user', () => {
  test('are renamed by their owner only', async () => {
    const { signUp, register } = await arrive()
    const owner = await signUp()
    const { passkey } = await register(owner)
    const rename = (visitor: Browser, body: object) =>
      visitor.call('POST /passkey/update-passkey', { body: { id: passkey.id, name: ' Work ', ...body } })
    expect((await rename(owner, {})).body).toEqual({ passkey: { ...passkey, name: 'Work' } })
    expect(outcome(await rename(owner, { name: ' ' }))).toBe('400 VALIDATION_ERROR')
    expect(outcome(await rename(owner, { id: 'nope' }))).toBe('404 PASSKEY_NOT_FOUND')
    expect(outcome(await rename(await signUp(bob), {}))).toBe('401 YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY')
  })

  test('are deleted by their owner only, with the sessions that they have signed in', async () => {
    const { signUp, register, signIn, browser, clock } = await arrive()
    const owner = await signUp()
    const { device, passkey } = await register(owner)
    const phone = browser()
    await signIn(device, {}, phone)
    const remove = (visitor: Browser, more: object = {}) =>
      visitor.call('POST /passkey/delete-passkey', { body: { id: passkey.id, ...more } })
    expect(outcome(await remove(await signUp(bob)))).toBe('404 PASSKEY_NOT_FOUND')
    expect((await remove(owner, { revokeSessions: true })).body).toEqual({ status: true })
    expect([await nameOf(owner), await nameOf(phone)]).toEqual(['Ann', null])
    expect(outcome(await remove(owner))).toBe('404 PASSKEY_NOT_FOUND')
    clock.advance(86_400)
    expect(outcome(await remove(owner))).toBe('403 SESSION_IS_NOT_FRESH')
  })

  test('include one by which they can sign in: the last method stays', async () => {
    const { signUp, register, browser, signIn } = await arrive()
    const owner = await signUp()
    const { device, passkey } = await register(owner)
    expect(outcome(await owner.call('POST /remove-password', {}))).toBe('200')
    expect(outcome(await browser().call('POST /sign-in/email', { body: ann }))).toBe('401 INVALID_EMAIL_OR_PASSWORD')
    const remove = () => owner.call('POST /passkey/delete-passkey', { body: { id: passkey.id } })
    expect(outcome(await remove())).toBe('400 YOU_CANT_DELETE_YOUR_LAST_PASSKEY')
    expect(outcome(await signIn(device))).toBe('200')
    await register(owner)
    expect(outcome(await remove())).toBe('200')
  })

  test('count as a method when an account is unlinked only if they are found without an email address', async () => {
    const { signUp, register } = await arrive()
    const owner = await signUp()
    await register(owner, undefined, { clientExtensionResults: { credProps: { rk: false } } })
    expect(outcome(await owner.call('POST /remove-password', {}))).toBe('400 YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT')
    await register(owner)
    expect(outcome(await owner.call('POST /unlink-account', { body: { providerId: 'credential' } }))).toBe('200')
  })

  test('are what the browser gets to know', async () => {
    const { signUp, register } = await arrive()
    const owner = await signUp()
    const { device } = await register(owner)
    const { body } = await owner.call('GET /passkey/signal', {})
    expect(body).toEqual({
      ...{ rpId: 'localhost', userId: expect.stringMatching(/^[\w-]{43}$/), allAcceptedCredentialIds: [device.id] },
      ...{ name: ann.email, displayName: 'Ann' },
    })
  })
})

describe('below /.well-known/', () => {
  const get = async (config: ConfigFile, name: string) => {
    const { status, body, headers } = await (await testApp(config)).browser().request(`//.well-known/${name}`)
    return [status, body, headers.get('content-type'), headers.get('location')]
  }
  const dashboard = { path: '/auth' }

  test('the related origins are served on the domain of the passkeys only', async () => {
    const relatedOrigins = ['https://acme.co.uk']
    const baseURL = 'https://login.acme.com'
    const json = [200, { origins: relatedOrigins }, 'application/json', null]
    const served = { enabled: true, relatedOrigins }
    expect(await get({ passkey: served }, 'webauthn')).toEqual(json)
    expect((await get({ baseURL, passkey: { ...served, rpID: 'acme.com' } }, 'webauthn'))[0]).toBe(404)
    expect((await get({ passkey: true }, 'webauthn'))[0]).toBe(404)
  })

  test('password managers find the pages, if there are any', async () => {
    const manage = 'http://localhost:3000/auth/account/security'
    const endpoints = { enroll: `${manage}?add=passkey`, manage }
    expect(await get({ passkey: true, dashboard }, 'passkey-endpoints')).toEqual([200, endpoints, 'application/json', null])
    expect(await get({ dashboard }, 'change-password')).toEqual([302, '', null, '/auth/account/password'])
    for (const name of ['passkey-endpoints', 'change-password'])
      expect((await get({ passkey: true, dashboard: { enabled: false } }, name))[0]).toBe(404)
  })
})

describe('the configuration', () => {
  const issuesOf = async (passkey: Options, baseURL = 'https://login.acme.com') => {
    const error = await testApp({ baseURL, passkey: { enabled: true, ...passkey } }).then(
      () => null,
      ({ message }: Error) => message,
    )
    return error === null ? [] : JSON.parse(error).map(({ id, path }: { id: string; path: string }) => `${id} ${path}`)
  }

  test.each([
    ['a domain that is not that of baseURL', { rpID: 'example.com' }, 'passkey-rp-id passkey.rpID'],
    ['a public suffix', { rpID: 'com' }, 'passkey-rp-id passkey.rpID'],
    ['an origin of another domain', { origin: 'https://example.com' }, 'passkey-origin passkey.origin'],
    ['an origin without https', { origin: 'http://login.acme.com' }, 'passkey-origin passkey.origin'],
    ['a related origin without https', { relatedOrigins: ['http://a.com'] }, 'passkey-related-origins passkey.relatedOrigins'],
    [
      'more related names than browsers accept',
      { relatedOrigins: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://www.${name}.co.uk`) },
      'passkey-related-origins passkey.relatedOrigins',
    ],
    ['sign-up without mail', { signUp: true }, 'passkey-sign-up-without-mail passkey.signUp'],
  ])('rejects %s', async (_, passkey, issue) => {
    expect(await issuesOf(passkey)).toEqual([issue])
  })

  test('accepts parent domains, Android apps, and related origins of five names', async () => {
    const relatedOrigins = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [`https://${name}.co.uk`, `https://www.${name}.com`])
    expect(
      await issuesOf({ rpID: 'acme.com', origin: ['https://acme.com', 'android:apk-key-hash:abc'], relatedOrigins }),
    ).toEqual([])
  })

  test.each([
    ['https://login.acme.com', { rpId: 'login.acme.com' }],
    ['http://localhost:3000', { rpId: 'localhost' }],
    ['http://login.acme.com', null],
    ['https://192.0.2.1', null],
  ])('on %s shows pages whether passkeys are possible', async (baseURL, expected) => {
    const { body } = await (await testApp({ baseURL, passkey: true })).browser().call('GET /public-settings', {})
    if (expected) expect(body.passkey).toMatchObject(expected)
    else expect(body.passkey).toBeNull()
    expect(body.signIn.methods.includes('passkey')).toBe(expected !== null)
  })
})

describe('signing up with a passkey', () => {
  const carol = { email: 'carol@example.com', name: 'Carol' }

  /** What a browser sends with a call of a page of our own. */
  const page = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }

  async function withSignUp(config: ConfigFile = {}) {
    const kit = await arrive({ signUp: true }, config)
    const requester = kit.browser()
    const request = async (by = requester, body: object = carol, headers: Record<string, string> = page) => {
      const response = await by.call('POST /passkey/sign-up', { body: body as typeof carol }, headers)
      expect([response.status, response.body]).toEqual([200, { status: true }])
      return response
    }
    const requestCode = async (...given: Parameters<typeof request>) => {
      await request(...given)
      const mail = await kit.mails.next()
      return { mail, code: /\b\d{6,8}\b/.exec(mail.text)?.[0] ?? '' }
    }
    const prove = (otp: string, by = requester, headers: Record<string, string> = page, email = carol.email) =>
      by.call('POST /passkey/verify-sign-up', { body: { email, otp } }, headers)
    const begin = async (visitor: Browser) => {
      const { context } = (await prove((await requestCode(visitor)).code, visitor)).body
      const { body } = await visitor.call('GET /passkey/generate-register-options', { query: { context } })
      return body
    }
    const users = () => kit.app.db.selectFrom('user').select(['email', 'emailVerified']).execute()
    return { ...kit, request, requestCode, prove, begin, users }
  }

  test('creates the user, with a verified email address, together with passkey and session', async () => {
    const { begin, verifyRegistration, browser, users, signIn, app } = await withSignUp()
    const visitor = browser()
    const options = await begin(visitor)
    expect(options.user).toMatchObject({ name: carol.email, displayName: 'Carol' })
    expect(await users()).toEqual([])
    const device = createAuthenticator()
    const { status, body } = await verifyRegistration(visitor, device.create(options), { name: 'Phone', createSession: true })
    expect([status, body.name, body.user.email, await nameOf(visitor)]).toEqual([200, 'Phone', carol.email, 'Carol'])
    expect(await users()).toEqual([{ email: carol.email, emailVerified: true }])
    expect(outcome(await signIn(device))).toBe('200')
    const [session] = await app.db.selectFrom('session').selectAll().where('id', '=', body.session.id).execute()
    expect(session).toMatchObject({ acr: 'phr', passkeyId: body.id })
  })

  test('gives no session unless it is asked for', async () => {
    const { begin, verifyRegistration, browser } = await withSignUp()
    const visitor = browser()
    const { body } = await verifyRegistration(visitor, createAuthenticator().create(await begin(visitor)))
    expect([body.session, await nameOf(visitor)]).toEqual([undefined, null])
  })

  test('responds the same for a known email address, whose owner is notified', async () => {
    const { browser, signUp, requestCode, prove } = await withSignUp()
    await signUp()
    const { mail } = await requestCode(browser(), { email: ann.email })
    expect(mail).toMatchObject({ to: ann.email, subject: 'You already have an account at Latchkey' })
    expect(outcome(await prove('000000', browser(), page, ann.email))).toBe('400 INVALID_OTP')
  })

  test('accepts a code once, within ten minutes and three guesses', async () => {
    const { requestCode, prove, clock } = await withSignUp()
    expect(outcome(await prove('123456'))).toBe('400 INVALID_OTP')
    const { code } = await requestCode()
    const wrong = code === '000000' ? '111111' : '000000'
    expect(outcome(await prove(wrong))).toBe('400 INVALID_OTP')
    expect(outcome(await prove(code))).toBe('200')
    expect(outcome(await prove(code))).toBe('400 INVALID_OTP')
    clock.advance(30)
    const next = await requestCode()
    for (let guess = 0; guess < 3; guess += 1) await prove(next.code === wrong ? '222222' : wrong)
    expect(outcome(await prove(next.code))).toBe('403 TOO_MANY_ATTEMPTS')
    clock.advance(30)
    const late = await requestCode()
    clock.advance(600)
    expect(outcome(await prove(late.code))).toBe('400 OTP_EXPIRED')
  })

  const wrong = (code: string) => (code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`)

  test('marks the browser that asks, for as long as the code is valid', async () => {
    const { request, signUp, browser, settled } = await withSignUp()
    await signUp()
    for (const email of [carol.email, ann.email])
      expect((await request(browser(), { email })).setCookie).toEqual([
        expect.stringMatching(/^latchkey\.passkey_sign_up=\w{32}\.[\w%]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
      ])
    await settled()
  })

  test('a stranger who asks for codes neither ends the code of a browser nor uses up its attempts nor can guess it', async () => {
    const { browser, clock, prove, requestCode } = await withSignUp()
    const [owner, stranger, program] = [browser(), browser(), browser()]
    const { code } = await requestCode(owner)
    clock.advance(30)
    const other = await requestCode(stranger)
    clock.advance(30)
    const third = await requestCode(program, carol, {})
    for (const [visitor, own, headers] of [
      [stranger, other.code, page],
      [program, third.code, {}],
      [browser(), '', page],
    ] as const) {
      if (code !== own) expect(outcome(await prove(code, visitor, headers))).toBe('400 INVALID_OTP')
      for (let guess = 0; guess < 4; guess += 1) await prove(wrong(own || code), visitor, headers)
    }
    expect(outcome(await prove(code, owner))).toBe('200')
  })

  test('guesses of a browser that has asked for no code delay no one', async () => {
    const { browser, prove, requestCode } = await withSignUp({ attempts: { enabled: true } })
    const owner = browser()
    const { code } = await requestCode(owner)
    for (let guess = 0; guess < 30; guess += 1) expect(outcome(await prove(wrong(code), browser()))).toBe('400 INVALID_OTP')
    expect(outcome(await prove(code, owner))).toBe('200')
  })

  test('programs without cookies use the code that a program asked for, typed with spaces too', async () => {
    const { browser, prove, requestCode } = await withSignUp()
    const { code } = await requestCode(browser(), carol, {})
    expect(outcome(await prove(`${code.slice(0, 3)} ${code.slice(3)}`, browser(), {}))).toBe('200')
  })

  test('sends one code in 30 seconds and five in an hour to an address, with the same response beyond', async () => {
    const { clock, mails, prove, request, requestCode, settled } = await withSignUp({ mailLimit: { enabled: true, max: 1 } })
    const { code } = await requestCode()
    await request()
    await settled()
    expect(mails.sent).toHaveLength(1)
    expect(outcome(await prove(code))).toBe('200')
    for (let time = 0; time < 8; time += 1) {
      clock.advance(60)
      await request()
      await settled()
    }
    expect(mails.sent).toHaveLength(5)
  })

  test('notifies the owner of a known address within the same limits', async () => {
    const { browser, mails, request, settled, signUp } = await withSignUp({ mailLimit: { enabled: true } })
    await signUp()
    for (let time = 0; time < 3; time += 1) await request(browser(), { email: ann.email })
    await settled()
    expect(mails.sent.map(({ to }) => to)).toEqual([ann.email])
  })

  test('an address with many wrong guesses gets longer codes', async () => {
    const { clock, prove, requestCode } = await withSignUp()
    for (let round = 0; round < 7; round += 1) {
      const { code } = await requestCode()
      expect(code).toHaveLength(6)
      for (let guess = 0; guess < 3; guess += 1) await prove(wrong(code))
      clock.advance(3600)
    }
    expect((await requestCode()).code).toHaveLength(8)
  })

  test('fails when another sign-up was faster, or the context is unknown', async () => {
    const { begin, verifyRegistration, browser, signUp } = await withSignUp()
    const visitor = browser()
    const options = await begin(visitor)
    await signUp({ ...ann, ...carol })
    expect(outcome(await verifyRegistration(visitor, createAuthenticator().create(options)))).toBe('422 USER_ALREADY_EXISTS')
    const response = await visitor.call('GET /passkey/generate-register-options', { query: { context: 'unknown' } })
    expect(outcome(response)).toBe('401 SESSION_REQUIRED')
  })

  test('keeps the fields of the sign-up, and rejects wrong ones before a code is sent', async () => {
    const kit = await arrive({ signUp: true }, { username: true })
    const request = (body: object) => kit.browser().call('POST /passkey/sign-up', { body: { ...carol, ...body } })
    expect(outcome(await request({ username: '!' }))).toBe('422 USERNAME_IS_TOO_SHORT')
    expect(outcome(await request({ username: 'Carol' }))).toBe('200')
    const otp = /\b\d{6}\b/.exec((await kit.mails.next()).text)?.[0] ?? ''
    const visitor = kit.browser()
    const { context } = (await visitor.call('POST /passkey/verify-sign-up', { body: { email: carol.email, otp } })).body
    const options = (await visitor.call('GET /passkey/generate-register-options', { query: { context } })).body
    await kit.verifyRegistration(visitor, createAuthenticator().create(options))
    const users = kit.app.db.selectFrom('user').select(['name', 'username', 'displayUsername'])
    expect(await users.execute()).toEqual([{ name: 'Carol', username: 'carol', displayUsername: 'Carol' }])
  })

  test('is off by default', async () => {
    const { browser } = await arrive()
    expect((await browser().call('POST /passkey/sign-up', { body: carol })).status).toBe(404)
  })
})
