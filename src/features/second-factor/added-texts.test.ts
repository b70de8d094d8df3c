/** What is added to an account is announced to each channel that was verified before: to the phone number too. */
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { outcome, password, signUp } from '../../../tests/kit/members.ts'
import { proveMailbox, staff, withStaff } from '../../../tests/kit/required-factor.ts'
import { enable, enrol, hasSession, signInAs } from '../../../tests/kit/second-factor.ts'
import type { ConfigFile } from '../index.ts'

const phoneNumber = '+491701234567'
const verified = { emailVerified: false, phoneNumber, phoneNumberVerified: true }

interface Text {
  readonly kind: string
  readonly to: string
  readonly text: string
  readonly code: string
}

const register = async (browser: Browser, device = createAuthenticator()) => {
  const { body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  return browser.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
}

async function open(columns: object, config: ConfigFile = {}) {
  const texts = captureMails<Text>()
  const kit = await testApp({
    ...{ twoFactor: true, appName: 'Acme', phoneNumber: true, passkey: true, mail: { catch: true } },
    sms: { send: texts.send },
    ...config,
  })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  await kit.app.db.updateTable('user').set(columns).where('id', '=', userId).execute()
  const kinds = async () => {
    await kit.settled()
    const mails = await kit.app.db.selectFrom('outbox').select(['kind', 'expiresAt']).execute()
    return { texts: texts.sent.map(({ kind }) => kind), mails: mails.filter((row) => !row.expiresAt).map(({ kind }) => kind) }
  }
  return { ...kit, ann, userId, texts, kinds }
}

test('a user who has verified a number only gets one text message for each addition', async () => {
  const kit = await open(verified)
  await enrol(kit, kit.ann)
  expect(await kit.kinds()).toEqual({ texts: ['two-factor-enabled'], mails: [] })
  expect(kit.texts.sent[0]).toMatchObject({
    ...{ to: phoneNumber, code: '' },
    text: expect.stringMatching(
      /^Acme: a second factor was added to your account\. Not you\? Change your password now and review your account security\.\n\n/,
    ),
  })
  await kit.ann.call('POST /two-factor/generate-backup-codes', { body: { password } })
  await kit.settled()
  expect(outcome(await register(kit.ann))).toBe('200')
  // It is on the account already.
  expect(outcome(await enable(kit.ann, { method: 'passkey' }))).toBe('200')
  const all = ['two-factor-enabled', 'backup-codes-created', 'passkey-added']
  expect((await kit.kinds()).texts).toEqual(all)
  // What ends signs no one in.
  await kit.ann.call('POST /two-factor/disable', { body: { password } })
  expect((await kit.kinds()).texts).toEqual(all)
})

test('a user who has verified both gets both, and none goes to a number that is not verified', async () => {
  const both = await open({ ...verified, emailVerified: true })
  await enrol(both, both.ann)
  expect(await both.kinds()).toEqual({ texts: ['two-factor-enabled'], mails: ['two-factor-enabled'] })
  const email = await open({ ...verified, emailVerified: true, phoneNumberVerified: false })
  await enrol(email, email.ann)
  expect(await email.kinds()).toEqual({ texts: [], mails: ['two-factor-enabled'] })
})

test('a passkey that is set up in a sign-in is one addition', async () => {
  const texts = captureMails<Text>()
  const kit = await withStaff([staff], { passkey: true, sms: { send: texts.send } })
  await kit.app.db
    .updateTable('user')
    .set({ ...verified, emailVerified: true })
    .where('id', '=', kit.userId)
    .execute()
  const ann = kit.browser()
  await proveMailbox(ann, kit.codes)
  expect(hasSession(await register(ann))).toBe(true)
  await kit.settled()
  expect(texts.sent.map(({ kind }) => kind)).toEqual(['passkey-added'])
})

test('the limits of codes stop no notice, and a notice stops no code', async () => {
  const kit = await open(verified, { smsLimit: { enabled: true, perNumber: { max: 2 } } })
  await enable(kit.ann, { method: 'otp', channel: 'sms' })
  const visitor = kit.browser()
  expect((await signInAs(visitor, 'Ann')).body.twoFactorRedirect).toBe(true)
  const send = () => visitor.call('POST /two-factor/send-otp', { body: {} })
  await send()
  const { code } = await kit.texts.next()
  expect(outcome(await visitor.call('POST /two-factor/verify-otp', { body: { code } }))).toBe('200')
  // A code has just gone to the number.
  await visitor.call('POST /two-factor/generate-backup-codes', { body: { password } })
  kit.clock.advance(60)
  await send()
  await visitor.call('POST /two-factor/generate-backup-codes', { body: { password } })
  // Two of each are all that a number gets in an hour.
  await visitor.call('POST /two-factor/generate-backup-codes', { body: { password } })
  kit.clock.advance(60)
  await send()
  const [text, notice] = ['two-factor-code', 'backup-codes-created']
  expect((await kit.kinds()).texts.toSorted()).toEqual([notice, notice, text, text])
})
