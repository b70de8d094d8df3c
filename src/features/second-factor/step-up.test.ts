/** Dangerous calls of users who have a second factor (contract 11 §11). */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { outcome, password, signUp } from '../../../tests/kit/members.ts'
import { enable, enrol, signInAs, verify, withAnn } from '../../../tests/kit/second-factor.ts'
import type { Route } from '../../core/route.ts'
import { type ConfigFile, featureList } from '../index.ts'
import { syncVerifiedNumber } from '../phone-number/verification.ts'

const config: ConfigFile = { apiKey: true, admin: true, user: { deleteUser: { enabled: true } } }
const createKey = (browser: Parameters<typeof enable>[0], headers = {}) =>
  browser.call('POST /api-key/create', { body: {} }, headers)
const stale = { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' }

describe('a dangerous call of a user who has a second factor', () => {
  test('needs a proof of it within 15 minutes, and says so; a proof in place replaces the token', async () => {
    const { ann, code, clock, browser } = await withAnn(config)
    expect((await createKey(ann)).status).toBe(200)
    clock.advance(901)
    const refused = await createKey(ann)
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        ...stale,
        details: {
          acr: 'urn:latchkey:acr:2',
          maxAge: 900,
          methods: [{ type: 'totp' }, { type: 'backup-code', left: 10 }],
        },
      },
    ])
    const before = (await ann.call('GET /get-session', {})).body.session
    const copy = browser()
    for (const [name, value] of ann.cookies) copy.cookies.set(name, value)
    const proven = await verify(ann, code())
    expect(proven.body.token).not.toBe(before.token)
    const after = (await ann.call('GET /get-session', {})).body.session
    expect([after.id, after.token]).toEqual([before.id, proven.body.token])
    expect((await copy.call('GET /get-session', {})).body).toBeNull()
    expect((await createKey(ann)).status).toBe(200)
  })

  test('with a bearer token names what is missing in a header (RFC 9470)', async () => {
    const { browser, code, clock } = await withAnn({ ...config, bearer: true })
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    const { body } = await verify(visitor, code())
    clock.advance(901)
    const refused = await createKey(browser(), { authorization: `Bearer ${body.token}` })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_user_authentication", acr_values="urn:latchkey:acr:2", max_age="900"',
    ])
  })

  test('is not permitted by the password, nor by a trusted browser', async () => {
    const { browser, code, clock } = await withAnn(config)
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    await verify(visitor, code(), { trustDevice: true })
    clock.advance(901)
    await visitor.call('POST /verify-password', { body: { password } })
    expect((await createKey(visitor)).body).toMatchObject(stale)
    await signInAs(visitor, 'Ann')
    expect((await createKey(visitor)).body).toMatchObject(stale)
    expect((await visitor.call('POST /delete-user', { body: { password } })).body).toMatchObject(stale)
  })

  test('has the age of the configuration, and none when it is off the list', async () => {
    const calls = { '/api-key/create': 60, '/change-password': false } as const
    const { ann, clock } = await withAnn({ ...config, twoFactor: { stepUp: { calls } } })
    clock.advance(61)
    expect((await createKey(ann)).body).toMatchObject({ details: { maxAge: 60 } })
    const change = { currentPassword: password, newPassword: 'another horse entirely' }
    expect((await ann.call('POST /change-password', { body: change })).status).toBe(200)
  })

  test('of an administrator needs it too', async () => {
    const kit = await testApp({ ...config, twoFactor: true })
    const { browser: root, userId } = await signUp(kit, 'Root')
    await kit.app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', userId).execute()
    const { userId: bob } = await signUp(kit, 'Bob')
    const { code } = await enrol(kit, root)
    kit.clock.advance(901)
    const ban = () => root.call('POST /admin/ban-user', { body: { userId: bob } })
    expect((await ban()).body).toMatchObject(stale)
    await verify(root, code())
    expect((await ban()).status).toBe(200)
  })
})

describe('a session that a text message began', () => {
  const phoneNumber = '+491701234567'

  /** Ann with an app, signed in by a text message and the app. */
  async function byText() {
    const texts = captureMails<{ code: string }>()
    const kit = await withAnn({ ...config, phoneNumber: true, sms: { send: texts.send } })
    await kit.app.db.updateTable('user').set({ phoneNumber, phoneNumberVerified: true }).where('id', '=', kit.userId).execute()
    const visitor = kit.browser()
    const sendText = () => visitor.call('POST /two-factor/send-otp', { body: { channel: 'sms' } })
    const signIn = async () => {
      await visitor.call('POST /phone-number/send-otp', { body: { phoneNumber } })
      const body = { phoneNumber, code: (await texts.next()).code }
      return visitor.call('POST /phone-number/verify', { body })
    }
    return { ...kit, visitor, sendText, signIn, texts }
  }

  test('is not made stronger by another one, which is neither offered nor accepted', async () => {
    const { ann, visitor, clock, code, sendText, signIn } = await byText()
    expect((await enable(ann, { method: 'otp', channel: 'sms' })).status).toBe(200)
    clock.advance(60)
    expect((await signIn()).body.twoFactorMethods).toEqual(['totp'])
    expect((await verify(visitor, code())).status).toBe(200)
    clock.advance(901)
    const { body } = await createKey(visitor)
    expect(body.details.methods.map(({ type }: { type: string }) => type)).toEqual(['totp', 'backup-code'])
    expect((await sendText()).body.code).toBe('OTP_NOT_ENABLED')
    const answer = await visitor.call('POST /two-factor/verify-otp', { body: { code: '123456' } })
    expect(answer.body.code).toBe('OTP_NOT_ENABLED')
    expect((await verify(visitor, code())).status).toBe(200)
    expect((await createKey(visitor)).status).toBe(200)
  })

  test('enables text messages as second factor, and has one factor', async () => {
    const { ann, visitor, clock, sendText, signIn, texts } = await byText()
    await ann.call('POST /two-factor/disable', { body: { password } })
    clock.advance(60)
    expect((await signIn()).body.token).toBeTruthy()
    clock.advance(60)
    expect((await enable(visitor)).status).toBe(200)
    await sendText()
    const first = { code: (await texts.next()).code }
    expect((await visitor.call('POST /two-factor/verify-otp', { body: first })).status).toBe(200)
    const { body } = await visitor.call('GET /two-factor/status', {})
    expect([body.enabled, body.session.acr]).toEqual([true, 'urn:latchkey:acr:1'])
    expect((await createKey(visitor)).body).toMatchObject(stale)
  })
})

test('an API key of a user who has a second factor makes no dangerous call without a permission of an operator', async () => {
  const kit = await testApp({ ...config, twoFactor: true, organization: true })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  await kit.app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', userId).execute()
  const { userId: bob } = await signUp(kit, 'Bob')
  const keyWith = async (permissions?: object) =>
    (await kit.privileged().call('POST /api-key/create', { body: { userId, ...(permissions && { permissions }) } as never })).body
      .key
  const createOrganization = async (slug: string) =>
    (await ann.call('POST /organization/create', { body: { name: 'Acme', slug } })).body.id
  const remove = async (key: string, organizationId: string) =>
    outcome(await kit.browser().call('POST /organization/delete', { body: { organizationId } }, { 'x-api-key': key }))
  const [plain, permitted] = [await keyWith(), await keyWith({ user: ['ban'], organization: ['delete'] })]
  expect(await remove(plain, await createOrganization('first'))).toBe('200')
  await enrol(kit, ann)
  const id = await createOrganization('second')
  expect(await remove(plain, id)).toBe('403 NOT_ALLOWED_WITH_AN_API_KEY')
  expect(await remove(permitted, id)).toBe('403 NOT_ALLOWED_WITH_AN_API_KEY')
  const ban = async (key: string) =>
    outcome(await kit.browser().call('POST /admin/ban-user', { body: { userId: bob } }, { 'x-api-key': key }))
  expect([await ban(plain), await ban(permitted)]).toEqual([expect.stringMatching(/^403/), '200'])
})

test('a user without a second factor needs what they needed before', async () => {
  const kit = await testApp({ ...config, twoFactor: true })
  const { browser: bob } = await signUp(kit, 'Bob')
  kit.clock.advance(901)
  expect((await createKey(bob)).status).toBe(200)
})

describe('a second factor that was added to another one', () => {
  const phoneNumber = '+491701234567'

  test('does not permit for 24 hours what could push out its owner', async () => {
    const texts: string[] = []
    const sms = { send: ({ code }: { code: string }) => void texts.push(code) }
    const { ann, app, code, clock, userId } = await withAnn({ ...config, phoneNumber: true, sms })
    await app.db.updateTable('user').set({ phoneNumber, phoneNumberVerified: true }).where('id', '=', userId).execute()
    clock.advance(3600)
    await verify(ann, code())
    expect((await enable(ann, { method: 'otp' })).body).toEqual({ method: 'otp', backupCodes: [] })
    clock.advance(901)
    const proveByText = async () => {
      texts.length = 0
      await ann.call('POST /two-factor/send-otp', { body: { channel: 'sms' } })
      await expect.poll(() => texts.length).toBe(1)
      expect((await ann.call('POST /two-factor/verify-otp', { body: { code: String(texts[0]) } })).status).toBe(200)
    }
    await proveByText()
    const refused = await createKey(ann)
    expect([refused.status, refused.body]).toMatchObject([403, { ...stale, details: { availableAt: expect.any(String) } }])
    const change = { currentPassword: password, newPassword: 'another horse entirely' }
    expect((await ann.call('POST /change-password', { body: change })).status).toBe(200)
    const removal = await ann.call('POST /two-factor/disable', { body: { password: change.newPassword, method: 'totp' } })
    expect(removal.body).toMatchObject(stale)
    clock.advance(86_400)
    await proveByText()
    expect((await createKey(ann)).status).toBe(200)
  })
})

test('text messages to another number are a new factor, and a factor on probation does not move them there', async () => {
  const texts = captureMails<{ code: string }>()
  const { ann, app, clock, userId } = await withAnn({ ...config, phoneNumber: true, sms: { send: texts.send } })
  const verified = { phoneNumber: '+491701234567', phoneNumberVerified: true }
  await app.db.updateTable('user').set(verified).where('id', '=', userId).execute()
  await syncVerifiedNumber(app, userId)
  expect((await enable(ann, { method: 'otp' })).status).toBe(200)
  const prove = async () => {
    clock.advance(901)
    await ann.call('POST /two-factor/send-otp', { body: { channel: 'sms' } })
    const body = { code: (await texts.next()).code }
    expect((await ann.call('POST /two-factor/verify-otp', { body })).status).toBe(200)
  }
  const move = async (phoneNumber: string) => {
    await ann.call('POST /phone-number/send-otp', { body: { phoneNumber } })
    const body = { phoneNumber, code: (await texts.next()).code, updatePhoneNumber: true }
    return outcome(await ann.call('POST /phone-number/verify', { body }))
  }
  await prove()
  expect(await move('+491701234568')).toBe('403 SESSION_IS_NOT_FRESH')
  const removal = await ann.call('POST /update-user', { body: { phoneNumber: null } as never })
  expect(outcome(removal)).toBe('403 SESSION_IS_NOT_FRESH')
  clock.advance(86_400)
  await prove()
  expect([(await createKey(ann)).status, await move('+491701234568')]).toEqual([200, '200'])
  await prove()
  expect((await createKey(ann)).body).toMatchObject({ ...stale, details: { availableAt: expect.any(String) } })
})

test('the dangerous calls', () => {
  const demands = Object.values(featureList)
    .flatMap(({ routes = {} }) => Object.entries(routes as Readonly<Record<string, Route>>))
    .flatMap(([key, { declaration }]) => (declaration.stepUp ? [`${key}: ${declaration.stepUp}`] : []))
  expect(demands.sort()).toEqual([
    'GET /admin/export-user: recent',
    'GET /passkey/generate-register-options: recent',
    'POST /admin/ban-user: recent',
    'POST /admin/create-bulk-action: recent',
    'POST /admin/create-invite-link: recent',
    'POST /admin/create-user: recent',
    'POST /admin/delete-organization: recent',
    'POST /admin/erase-user: recent',
    'POST /admin/impersonate-user: recent',
    'POST /admin/incident/freeze: recent',
    'POST /admin/incident/revoke: recent',
    'POST /admin/incident/unfreeze: recent',
    'POST /admin/lock-user: recent',
    'POST /admin/remove-user: recent',
    'POST /admin/reset-two-factor: established',
    'POST /admin/retire-signing-key: recent',
    'POST /admin/revoke-user-sessions: recent',
    'POST /admin/rotate-signing-key: recent',
    'POST /admin/set-role: recent',
    'POST /admin/set-user-password: recent',
    'POST /admin/unlink-user-account: recent',
    'POST /admin/unlock-user: recent',
    'POST /admin/update-user: recent',
    'POST /api-key/create: established',
    'POST /api-key/update: recent',
    'POST /change-email: established',
    'POST /change-password: recent',
    'POST /delete-anonymous-user: established',
    'POST /delete-user: established',
    'POST /email-otp/change-email: established',
    'POST /email-otp/request-email-change: established',
    'POST /link-social: recent',
    'POST /oauth2/link: recent',
    'POST /organization/create-role: recent',
    'POST /organization/delete-role: recent',
    'POST /organization/delete: recent',
    'POST /organization/set-two-factor-policy: recent',
    'POST /organization/update-member-role: recent',
    'POST /organization/update-role: recent',
    'POST /passkey/delete-passkey: established',
    'POST /passkey/restore-passkey: established',
    'POST /passkey/verify-registration: recent',
    'POST /phone-number/verify: by-input',
    'POST /remove-password: established',
    'POST /two-factor/disable: after-password',
    'POST /two-factor/enable: after-password',
    'POST /two-factor/generate-backup-codes: after-password',
    'POST /two-factor/get-totp-uri: after-password',
    'POST /unlink-account: established',
    'POST /update-user: by-input',
  ])
})
