/** What a second factor on probation must not do: push out older ones, or end its own probation (contract 11 §11). */
import { describe, expect, test } from 'vitest'
import { type Authenticator, createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { captureCodes } from '../../../tests/kit/mails.ts'
import { outcome, password, signUp } from '../../../tests/kit/members.ts'
import { withStaff } from '../../../tests/kit/required-factor.ts'
import { authenticator, enable, enrol, signInAs, verify, withAnn } from '../../../tests/kit/second-factor.ts'
import { socialApp } from '../../../tests/kit/social.ts'
import type { ConfigFile } from '../index.ts'

const daySeconds = 86_400
const phoneNumber = '+491701234567'
const tooNew = { code: 'SESSION_IS_NOT_FRESH', details: { availableAt: expect.any(String) } }

async function register(browser: Browser): Promise<Authenticator> {
  const device = createAuthenticator()
  const { body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  const added = await browser.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
  expect(added.status).toBe(200)
  return device
}

async function answer(browser: Browser, device: Authenticator): Promise<Answer> {
  const { body } = await browser.call('POST /passkey/generate-authenticate-options', {})
  return browser.call('POST /passkey/verify-authentication', { body: { response: { ...device.get(body) } } })
}

async function usePasskey(browser: Browser, device: Authenticator): Promise<void> {
  expect((await answer(browser, device)).status).toBe(200)
}

const useBackup = (browser: Browser, code: string) => browser.call('POST /two-factor/verify-backup-code', { body: { code } })
const generate = (browser: Browser) => browser.call('POST /two-factor/generate-backup-codes', { body: { password } })
const disable = (browser: Browser, more: object = {}) => browser.call('POST /two-factor/disable', { body: { password, ...more } })
const createKey = (browser: Browser) => browser.call('POST /api-key/create', { body: {} })
const uri = (browser: Browser) => browser.call('POST /two-factor/get-totp-uri', { body: { password } })
const status = async (browser: Browser) => (await browser.call('GET /two-factor/status', {})).body

/** Ann with what is sent to her, and a thief of her session who also knows her password. */
async function open(config: ConfigFile = {}) {
  const texts = captureCodes<{ code: string }>()
  const sms = { send: texts.send }
  const kit = await withAnn({ passkey: true, apiKey: true, phoneNumber: true, sms, smsLimit: { enabled: false }, ...config })
  await kit.app.db.updateTable('user').set({ phoneNumber, phoneNumberVerified: true }).where('id', '=', kit.userId).execute()
  return { ...kit, texts }
}

/** The thief has added a passkey to Ann's app, and proves it once Ann's own proof is too old. */
async function withThief(config: ConfigFile = {}) {
  const kit = await open(config)
  const { ann: thief, clock, code } = kit
  clock.advance(2 * daySeconds)
  await verify(thief, code())
  const device = await register(thief)
  clock.advance(3600)
  await usePasskey(thief, device)
  return { ...kit, thief, device }
}

/** Ann with a passkey as her only second factor, which signs in, and no app. */
async function withPasskeyOnly() {
  const kit = await open()
  const { ann, clock } = kit
  await disable(ann)
  const own = await register(ann)
  await enable(ann, { method: 'passkey' })
  clock.advance(2 * daySeconds)
  await usePasskey(ann, own)
  return { ...kit, own }
}

describe('a passkey on probation', () => {
  test('creates no backup codes, which would end its probation and the codes of the owner', async () => {
    const { thief, browser, backupCodes, clock, device } = await withThief()
    expect(await generate(thief)).toMatchObject({ status: 403, body: tooNew })
    const owner = browser()
    await signInAs(owner, 'Ann')
    expect(outcome(await useBackup(owner, backupCodes[0] ?? ''))).toBe('200')
    expect(outcome(await generate(owner))).toBe('200')
    clock.advance(daySeconds)
    await usePasskey(thief, device)
    expect(outcome(await generate(thief))).toBe('200')
  })

  test('does not replace the app, nor the backup codes with it', async () => {
    const { thief, browser, backupCodes, code } = await withThief()
    expect(await enable(thief)).toMatchObject({ status: 403, body: tooNew })
    const owner = browser()
    await signInAs(owner, 'Ann')
    expect(outcome(await verify(owner, code()))).toBe('200')
    expect(outcome(await useBackup(owner, backupCodes[0] ?? ''))).toBe('200')
  })

  test('is not shown the secret of the app, with which it could prove the app', async () => {
    const { thief } = await withThief()
    expect(await uri(thief)).toMatchObject({ status: 403, body: tooNew })
  })

  test('does not remove the app, also when that is all that the user has enabled', async () => {
    const { thief } = await withThief()
    expect(await disable(thief, { method: 'totp' })).toMatchObject({ status: 403, body: tooNew })
    expect(await disable(thief)).toMatchObject({ status: 403, body: tooNew })
  })

  test('adds codes by text message only if there are none, so that older ones stay on no probation', async () => {
    const kit = await withThief()
    expect(outcome(await enable(kit.thief, { method: 'otp', channel: 'sms' }))).toBe('200')
    expect(await enable(kit.thief, { method: 'otp', channel: 'sms' })).toMatchObject({ status: 403, body: tooNew })
  })

  test('does not get the first backup codes of a user who has none', async () => {
    const { thief, app } = await withThief()
    await app.db.deleteFrom('backupCode').execute()
    for (const body of [{ method: 'otp', channel: 'sms' }, { method: 'passkey' }])
      expect(await enable(thief, body)).toMatchObject({ status: 403, body: tooNew })
  })

  test('does not change the phone number to which codes are sent', async () => {
    const { thief, texts } = await withThief()
    const other = '+491709999999'
    await thief.call('POST /phone-number/send-otp', { body: { phoneNumber: other } })
    const { code } = await texts.next()
    const verifyNumber = { phoneNumber: other, code, updatePhoneNumber: true }
    expect(await thief.call('POST /phone-number/verify', { body: verifyNumber })).toMatchObject({ status: 403, body: tooNew })
  })
})

test.each([
  ['trusted to ask for two factors', ['google'], '403 SESSION_IS_NOT_FRESH'],
  ['trusted on a condition', [{ id: 'google', when: { amr: 'mfa' } }], '403 SESSION_IS_NOT_FRESH'],
  ['not trusted', [], '200'],
] as const)('a passkey on probation links a social account, whose provider is %s: %s', async (_, trustProviders, expected) => {
  const kit = await socialApp({ twoFactor: { trustProviders: [...trustProviders] }, passkey: true })
  const { browser: thief } = await signUp(kit, 'Ann')
  await enrol(kit, thief)
  const device = await register(thief)
  kit.clock.advance(3600)
  await usePasskey(thief, device)
  const link = () => thief.call('POST /link-social', { body: { provider: 'google', callbackURL: '/' } })
  expect(outcome(await link())).toBe(expected)
  kit.clock.advance(daySeconds)
  await usePasskey(thief, device)
  expect(outcome(await link())).toBe('200')
})

test('a passkey on probation does not restore one that was suspended', async () => {
  const { thief, app } = await withThief()
  const { id } = await app.db.selectFrom('passkey').select('id').executeTakeFirstOrThrow()
  expect(await thief.call('POST /passkey/restore-passkey', { body: { id } })).toMatchObject({ status: 403, body: tooNew })
})

describe('an app that is added to another factor', () => {
  test('is on probation, and leaves the session what the other one has proven', async () => {
    const { ann, app, clock, own } = await withPasskeyOnly()
    const code = authenticator((await enable(ann)).body.totpURI ?? '', app)
    clock.advance(890)
    expect(outcome(await verify(ann, code()))).toBe('200')
    expect(outcome(await createKey(ann))).toBe('200')
    clock.advance(30)
    expect(outcome(await createKey(ann))).toBe('403 SESSION_IS_NOT_FRESH')
    await verify(ann, code())
    expect(await createKey(ann)).toMatchObject({ status: 403, body: tooNew })
    await usePasskey(ann, own)
    expect(outcome(await createKey(ann))).toBe('200')
    clock.advance(daySeconds)
    await verify(ann, code())
    expect(outcome(await createKey(ann))).toBe('200')
  })

  test('in place of a former one is as old as that one', async () => {
    const { ann, app, code, clock } = await open()
    clock.advance(2 * daySeconds)
    await verify(ann, code())
    const newCode = authenticator((await enable(ann)).body.totpURI ?? '', app)
    expect(outcome(await verify(ann, newCode()))).toBe('200')
    expect(outcome(await createKey(ann))).toBe('200')
    clock.advance(901)
    await verify(ann, newCode())
    expect(outcome(await createKey(ann))).toBe('200')
  })

  test('is not enabled by a session that has not proven the other one, such as by a secret from before it', async () => {
    const kit = await open()
    const { ann, browser, app } = kit
    await disable(ann)
    const thief = browser()
    await signInAs(thief, 'Ann')
    const begun = await enable(thief)
    const code = authenticator(begun.body.totpURI ?? '', app)
    const { body: first } = await enable(ann, { method: 'otp', channel: 'sms' })
    expect(outcome(await verify(thief, code()))).toBe('403 SESSION_IS_NOT_FRESH')
    const owner = browser()
    await signInAs(owner, 'Ann')
    expect(outcome(await useBackup(owner, first.backupCodes[0] ?? ''))).toBe('200')
    expect((await status(owner)).methods.map(({ type }: { type: string }) => type)).toEqual(['otp'])
  })

  test('may be verified later than a proof permits dangerous calls', async () => {
    const { ann, app, clock } = await withPasskeyOnly()
    const code = authenticator((await enable(ann)).body.totpURI ?? '', app)
    clock.advance(3000)
    expect(outcome(await verify(ann, code()))).toBe('200')
  })
})

test('a set-up that a rule demands keeps the backup codes of a user who has proven a factor on probation only', async () => {
  const kit = await withStaff([{ roles: ['staff'], methods: ['totp'], graceDays: 1 }], { passkey: true, apiKey: true })
  const ann = kit.browser()
  await signInAs(ann, 'Ann')
  const own = await register(ann)
  const { body } = await enable(ann, { method: 'passkey' })
  kit.clock.advance(2 * daySeconds)
  await kit.app.db.updateTable('user').set({ role: 'user' }).execute()
  const session = kit.browser()
  await usePasskey(session, own)
  const device = await register(session)
  await kit.app.db.updateTable('user').set({ role: 'staff' }).execute()
  kit.clock.advance(3600)
  const thief = kit.browser()
  await signInAs(thief, 'Ann')
  const stopped = await answer(thief, device)
  expect(outcome(stopped)).toBe('403 SECOND_FACTOR_SETUP_REQUIRED')
  const begun = await thief.call('POST /two-factor/enable', { body: {} })
  expect([begun.status, begun.body.backupCodes]).toEqual([200, []])
  expect(outcome(await verify(thief, authenticator(begun.body.totpURI ?? '', kit.app)()))).toBe('200')
  expect(await createKey(thief)).toMatchObject({ status: 403, body: tooNew })
  const owner = kit.browser()
  await signInAs(owner, 'Ann')
  expect(outcome(await useBackup(owner, body.backupCodes[0] ?? ''))).toBe('200')
  expect(outcome(await createKey(owner))).toBe('200')
})

test('a set-up that a rule demands gives no backup codes to a user who has proven a factor on probation only', async () => {
  const kit = await withStaff([{ roles: ['staff'], methods: ['sms'] }], { passkey: true })
  await kit.app.db.updateTable('user').set({ role: 'user', phoneNumber, phoneNumberVerified: true }).execute()
  const ann = kit.browser()
  await signInAs(ann, 'Ann')
  const own = await register(ann)
  await enable(ann, { method: 'passkey' })
  kit.clock.advance(2 * daySeconds)
  const session = kit.browser()
  await usePasskey(session, own)
  const device = await register(session)
  await kit.app.db.deleteFrom('backupCode').execute()
  await kit.app.db.updateTable('user').set({ role: 'staff' }).execute()
  kit.clock.advance(3600)
  const finish = async (passkey: Authenticator) => {
    const browser = kit.browser()
    await signInAs(browser, 'Ann')
    expect(outcome(await answer(browser, passkey))).toBe('403 SECOND_FACTOR_SETUP_REQUIRED')
    await browser.call('POST /two-factor/send-otp', { body: {} })
    const done = await browser.call('POST /two-factor/verify-otp', { body: { code: (await kit.codes.next()).otp } })
    return [outcome(done), done.body.backupCodes]
  }
  expect(await finish(device)).toEqual(['200', undefined])
})

test('the first code that is sent after enable is on probation too, when the user has another factor', async () => {
  const { ann, clock, texts } = await withPasskeyOnly()
  await enable(ann)
  await ann.call('POST /two-factor/send-otp', { body: { channel: 'sms' } })
  const prove = async () => ann.call('POST /two-factor/verify-otp', { body: { code: (await texts.next()).code } })
  expect(outcome(await prove())).toBe('200')
  clock.advance(901)
  await ann.call('POST /two-factor/send-otp', { body: { channel: 'sms' } })
  expect(outcome(await prove())).toBe('200')
  expect(await createKey(ann)).toMatchObject({ status: 403, body: tooNew })
})

test('the first factor of a user is on no probation, nor are the codes that come with it', async () => {
  const { ann, app, backupCodes, code, browser } = await open()
  expect(outcome(await createKey(ann))).toBe('200')
  expect(outcome(await generate(ann))).toBe('200')
  await disable(ann)
  const again = await enable(ann)
  await verify(ann, authenticator(again.body.totpURI ?? '', app)())
  const visitor = browser()
  await signInAs(visitor, 'Ann')
  expect(outcome(await useBackup(visitor, backupCodes[0] ?? ''))).toBe('401 INVALID_BACKUP_CODE')
  expect(outcome(await verify(visitor, code()))).toBe('401 INVALID_CODE')
  expect(outcome(await useBackup(visitor, again.body.backupCodes[0] ?? ''))).toBe('200')
  expect(outcome(await createKey(visitor))).toBe('200')
  expect(outcome(await generate(visitor))).toBe('200')
})
