/** Passkeys as second factor, as two factors in one, and as a proof for dangerous calls (contract 11 §2, §11; 12 §4). */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { type Authenticator, createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { signUp } from '../../../tests/kit/members.ts'
import { enable, enrol, hasSession, signInAs } from '../../../tests/kit/second-factor.ts'

const register = async (browser: Browser, device = createAuthenticator(), wishes: object = {}) => {
  const { body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  const response = { ...device.create(body, wishes) }
  const added = await browser.call('POST /passkey/verify-registration', { body: { response } })
  expect(added.status).toBe(200)
  return { device, id: String(added.body.id) }
}

const usePasskey = async (browser: Browser, device: Authenticator, wishes: object = {}) => {
  const { body } = await browser.call('POST /passkey/generate-authenticate-options', {})
  const response = { ...device.get(body, wishes) }
  return { options: body, answer: await browser.call('POST /passkey/verify-authentication', { body: { response } }) }
}

const sessionOf = async (browser: Browser) => (await browser.call('GET /two-factor/status', {})).body.session

/** Ann with an authenticator app and a passkey. */
async function withAnn() {
  const kit = await testApp({ twoFactor: true, passkey: true, apiKey: true })
  const { browser: ann } = await signUp(kit, 'Ann')
  const app = await enrol(kit, ann)
  return { ...kit, ann, ...app, ...(await register(ann)) }
}

const isUnverified = { userVerified: false }

test('each second factor has its own times, for its user and for administrators', async () => {
  const sent: string[] = []
  const otpOptions = { channels: ['sms' as const, 'email' as const], sendOTP: ({ otp }: { otp: string }) => void sent.push(otp) }
  const kit = await testApp({ twoFactor: { otpOptions }, passkey: true, phoneNumber: true, admin: true })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  const verified = { emailVerified: true, phoneNumber: '+491701234567', phoneNumberVerified: true }
  await kit.app.db.updateTable('user').set(verified).where('id', '=', userId).execute()
  const later = () => {
    kit.clock.advance(60)
    return kit.clock.now().toISOString()
  }
  const { code } = await enrol(kit, ann)
  for (const channel of ['sms', 'email']) await enable(ann, { method: 'otp', channel })
  const added = later()
  const { device } = await register(ann)
  const used = { totp: later(), sms: '', email: '', passkey: '' }
  await ann.call('POST /two-factor/verify-totp', { body: { code: code() } })
  for (const channel of ['sms', 'email'] as const) {
    used[channel] = later()
    await ann.call('POST /two-factor/send-otp', { body: { channel } })
    await expect.poll(() => sent.length).toBe(1)
    expect((await ann.call('POST /two-factor/verify-otp', { body: { code: String(sent.pop()) } })).status).toBe(200)
  }
  const before = (await ann.call('GET /two-factor/status', {})).body.methods
  used.passkey = later()
  expect((await usePasskey(ann, device)).answer.status).toBe(200)
  const { methods } = (await ann.call('GET /two-factor/status', {})).body
  const times = (all: { type: string; channel?: string; lastUsedAt: string | null }[]) =>
    Object.fromEntries(all.map(({ type, channel, lastUsedAt }) => [channel ?? type, lastUsedAt]))
  expect(times(before)).toEqual({ ...used, passkey: null })
  expect(times(methods)).toEqual(used)
  expect(methods[0]).toMatchObject({ type: 'passkey', createdAt: added })
  const { ada } = await administrate(kit)
  expect((await ada.browser.call('GET /admin/list-user-factors', { query: { userId } })).body.methods).toEqual(methods)
})

describe('a passkey of a user who has a second factor', () => {
  test('answers the challenge after a password, and leads to where the sign-in wanted', async () => {
    const { browser, device } = await withAnn()
    const visitor = browser()
    const first = await signInAs(visitor, 'Ann', { callbackURL: '/dash' })
    expect(first.body.twoFactorMethods).toEqual(['passkey', 'totp'])
    const { options, answer } = await usePasskey(visitor, device, isUnverified)
    expect(options.allowCredentials).toMatchObject([{ id: device.id }])
    expect([answer.status, answer.body.url, await nameOf(visitor)]).toEqual([200, '/dash', 'Ann'])
    expect(await sessionOf(visitor)).toMatchObject({ acr: 'phr', amr: ['pwd', 'swk', 'user', 'mfa'] })
    expect(visitor.cookies.has('latchkey.two_factor')).toBe(false)
  })

  test('that verifies its user signs in alone; one that does not is challenged, and does not answer itself', async () => {
    const { browser, device, code } = await withAnn()
    const visitor = browser()
    expect(hasSession((await usePasskey(visitor, device)).answer)).toBe(true)
    expect(await sessionOf(visitor)).toMatchObject({ acr: 'phr' })
    const other = browser()
    const first = (await usePasskey(other, device, isUnverified)).answer
    expect([first.status, first.body.twoFactorRedirect, hasSession(first)]).toEqual([200, true, false])
    expect((await usePasskey(other, device, isUnverified)).answer.body.code).toBe('AUTHENTICATION_FAILED')
    expect((await other.call('POST /two-factor/verify-totp', { body: { code: code() } })).status).toBe(200)
  })

  test('with which the user signed in unverified makes it fresh, and not stronger, until it verifies them', async () => {
    const { ann, device, browser, clock, code } = await withAnn()
    await ann.call('POST /two-factor/disable', { body: { password: 'correct horse battery' } })
    const visitor = browser()
    expect(hasSession((await usePasskey(visitor, device, isUnverified)).answer)).toBe(true)
    clock.advance(60)
    const before = await sessionOf(visitor)
    expect((await usePasskey(visitor, device, isUnverified)).answer.status).toBe(200)
    const after = await sessionOf(visitor)
    expect(after).toMatchObject({ amr: ['swk', 'user'], acr: before.acr })
    expect(after.authenticatedAt).not.toBe(before.authenticatedAt)
    await usePasskey(visitor, device)
    expect(await sessionOf(visitor)).toMatchObject({ acr: 'phr' })
    expect(code()).toBeTruthy()
  })

  test('of another user does not answer the challenge: one that has verified its user signs that one in', async () => {
    const kit = await withAnn()
    const { browser: bob } = await signUp(kit, 'Bob')
    const { device } = await register(bob)
    const visitor = kit.browser()
    // Options from before the challenge are for any user.
    const { body: open } = await visitor.call('POST /passkey/generate-authenticate-options', {})
    await signInAs(visitor, 'Ann')
    const send = (wishes: object) =>
      visitor.call('POST /passkey/verify-authentication', { body: { response: { ...device.get(open, wishes) } } })
    expect((await send(isUnverified)).body.code).toBe('AUTHENTICATION_FAILED')
    expect((await send({})).status).toBe(200)
    expect([await nameOf(visitor), visitor.cookies.has('latchkey.two_factor')]).toEqual(['Bob', false])
  })

  test('proves its user for a dangerous call, in place, once it is not new any more', async () => {
    const { ann, device, clock } = await withAnn()
    const create = () => ann.call('POST /api-key/create', { body: {} })
    clock.advance(90_000)
    await usePasskey(ann, device)
    const { device: later } = await register(ann)
    clock.advance(901)
    expect((await create()).body).toMatchObject({
      code: 'SESSION_IS_NOT_FRESH',
      details: { methods: [{ type: 'passkey' }, {}, {}] },
    })
    const { id } = (await ann.call('GET /get-session', {})).body.session
    expect((await usePasskey(ann, later)).answer.body.session.id).toBe(id)
    expect((await create()).body.details.availableAt).toEqual(expect.any(String))
    await usePasskey(ann, device)
    expect((await create()).status).toBe(200)
  })

  test('is used once, also when its counter goes back', async () => {
    const kit = await withAnn()
    const securityKey = { backupEligible: false, backedUp: false }
    const { device } = await register(kit.ann, createAuthenticator(), securityKey)
    const visitor = kit.browser()
    await signInAs(visitor, 'Ann')
    await usePasskey(visitor, device, { ...securityKey, counter: 9 })
    const other = kit.browser()
    await signInAs(other, 'Ann')
    const { answer } = await usePasskey(other, device, { ...securityKey, counter: 5 })
    expect([answer.body.code, hasSession(answer)]).toEqual(['AUTHENTICATION_FAILED', false])
    const listed = (await kit.ann.call('GET /passkey/list-user-passkeys', {})).body
    expect(listed.filter(({ suspendedAt }: { suspendedAt: string | null }) => suspendedAt)).toHaveLength(1)
  })
})

describe('a passkey as the only second factor', () => {
  test('is enabled by a user who has one, gives backup codes, and ends with the last passkey', async () => {
    const kit = await testApp({ twoFactor: true, passkey: true })
    const { browser: ann } = await signUp(kit, 'Ann')
    expect((await enable(ann, { method: 'passkey' })).body.code).toBe('PASSKEY_NOT_FOUND')
    const { device, id } = await register(ann)
    const enabled = await enable(ann, { method: 'passkey' })
    expect([enabled.body.method, enabled.body.backupCodes.length]).toEqual(['passkey', 10])
    const visitor = kit.browser()
    expect((await signInAs(visitor, 'Ann')).body.twoFactorMethods).toEqual(['passkey'])
    expect((await usePasskey(visitor, device)).answer.status).toBe(200)
    const deleted = await visitor.call('POST /passkey/delete-passkey', { body: { id } })
    expect([deleted.status, (await visitor.call('GET /two-factor/status', {})).body]).toMatchObject([
      200,
      { enabled: false, methods: [], backupCodesLeft: 0 },
    ])
    expect(hasSession(await signInAs(kit.browser(), 'Ann'))).toBe(true)
  })
})
