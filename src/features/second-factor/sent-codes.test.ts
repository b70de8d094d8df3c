/** Codes by text message and email as second factor (contract 11 §5). */
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { signUp } from '../../../tests/kit/members.ts'
import { enable, signInAs } from '../../../tests/kit/second-factor.ts'
import type { Channel } from './config.ts'

const phoneNumber = '+491701234567'

/** Ann, who gets codes by text message and by email. */
async function withAnn() {
  const sent: string[] = []
  const kit = await testApp({
    twoFactor: { otpOptions: { channels: ['sms', 'email'], sendOTP: ({ otp }) => void sent.push(otp) } },
    phoneNumber: true,
    apiKey: true,
  })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  const verified = { emailVerified: true, phoneNumber, phoneNumberVerified: true }
  await kit.app.db.updateTable('user').set(verified).where('id', '=', userId).execute()
  await enable(ann, { method: 'otp', channel: 'sms' })
  const receive = async (browser: Browser, channel: Channel) => {
    sent.length = 0
    await browser.call('POST /two-factor/send-otp', { body: { channel } })
    await expect.poll(() => sent.length).toBe(1)
    return String(sent[0])
  }
  // A further factor needs a proof of the first one.
  expect((await enable(ann, { method: 'otp', channel: 'email' })).body.code).toBe('SESSION_IS_NOT_FRESH')
  await verify(ann, await receive(ann, 'sms'))
  expect((await enable(ann, { method: 'otp', channel: 'email' })).status).toBe(200)
  return { ...kit, ann, receive }
}

const verify = (browser: Browser, code: string) => browser.call('POST /two-factor/verify-otp', { body: { code } })

test.each([
  ['sms', 'urn:latchkey:acr:2', ['pwd', 'otp', 'sms', 'mfa']],
  ['email', 'urn:latchkey:acr:1', ['pwd', 'otp', 'email']],
] as const)('by %s, the session has the strength %s', async (channel, acr, amr) => {
  const { browser, receive } = await withAnn()
  const visitor = browser()
  const first = await signInAs(visitor, 'Ann')
  expect(first.body.challenge.methods.slice(0, 2)).toEqual([
    { type: 'otp', channel: 'sms', to: '•••• ••67' },
    { type: 'otp', channel: 'email', to: 'a…@example.com' },
  ])
  const code = await receive(visitor, channel)
  expect((await verify(visitor, code)).status).toBe(200)
  expect((await visitor.call('GET /two-factor/status', {})).body.session).toMatchObject({ acr, amr })
  const key = await visitor.call('POST /api-key/create', { body: {} })
  expect(key.status).toBe(channel === 'sms' ? 200 : 403)
})

test('a code by another channel ends the former one', async () => {
  const { browser, receive } = await withAnn()
  const visitor = browser()
  await signInAs(visitor, 'Ann')
  const former = await receive(visitor, 'sms')
  const latest = await receive(visitor, 'email')
  expect((await verify(visitor, former)).body.code).toBe('INVALID_CODE')
  expect((await verify(visitor, latest)).status).toBe(200)
})

test('a user whose only factor are codes by email proves it for dangerous calls, without a stronger session', async () => {
  const sent: string[] = []
  const kit = await testApp({
    twoFactor: { otpOptions: { channels: ['email'], sendOTP: ({ otp }) => void sent.push(otp) } },
    apiKey: true,
  })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  await kit.app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', userId).execute()
  await enable(ann, { method: 'otp' })
  const create = () => ann.call('POST /api-key/create', { body: {} })
  expect((await create()).body.code).toBe('SESSION_IS_NOT_FRESH')
  await ann.call('POST /two-factor/send-otp', {})
  await expect.poll(() => sent.length).toBe(1)
  await verify(ann, String(sent[0]))
  expect((await create()).status).toBe(200)
  expect((await ann.call('GET /two-factor/status', {})).body.session.acr).toBe('urn:latchkey:acr:1')
})

test('a code by email is sent as an email, also where text messages can be sent', async () => {
  const mails = captureMails<{ to: string; subject: string }>()
  const kit = await testApp({
    twoFactor: { otpOptions: { channels: ['sms', 'email'] } },
    phoneNumber: true,
    sms: { catch: false, send: () => Promise.reject(new Error('an email was sent as a text message')) },
    mail: { from: 'acme@example.com', catch: false, send: mails.send },
  })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  await kit.app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', userId).execute()
  await enable(ann, { method: 'otp', channel: 'email' })
  await mails.next()
  await signInAs(ann, 'Ann')
  await ann.call('POST /two-factor/send-otp', { body: {} })
  expect(await mails.next()).toMatchObject({ to: 'ann@example.com', subject: expect.stringMatching(/^\d{6} is your/) })
})

test('pages know after how many seconds another code is sent', async () => {
  const resendAfter = async (smsLimit: object) => {
    const kit = await testApp({ twoFactor: true, phoneNumber: true, sms: { catch: true }, smsLimit })
    return (await kit.browser().call('GET /public-settings', {})).body.twoFactor.resendAfter
  }
  expect(await resendAfter({ enabled: true, interval: 90 })).toEqual({ sms: 90, email: 30 })
  expect(await resendAfter({ enabled: false })).toEqual({ sms: 30, email: 30 })
})
