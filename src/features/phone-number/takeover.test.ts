/** What an attacker prepares with a phone number, and what is left of it. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { findUserByEmail } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const number = '+491701234567'
const newPassword = 'another horse entirely'

/** `squatter` has signed up with the email address of Ann, and added a phone number and an API key of their own. */
async function withSquatter(config: ConfigFile = {}) {
  const sms = captureMails<{ code: string }>()
  const links = captureMails()
  const resets = captureMails()
  const kit = await testApp({
    phoneNumber: true,
    apiKey: true,
    sms: { send: sms.send },
    emailAndPassword: { enabled: true, sendResetPassword: resets.send },
    ...config,
    emailVerification: { sendVerificationEmail: links.send, sendOnSignUp: true, ...config.emailVerification },
  })
  const squatter = kit.browser()
  await squatter.call('POST /sign-up/email', { body: ann })
  const sendCode = async () => {
    await kit.browser().call('POST /phone-number/send-otp', { body: { phoneNumber: number } })
    return (await sms.next()).code
  }
  const enter = async (browser: Browser, body: object = {}) =>
    browser.call('POST /phone-number/verify', { body: { phoneNumber: number, code: await sendCode(), ...body } })
  expect((await enter(squatter, { updatePhoneNumber: true })).status).toBe(200)
  const { key } = (await squatter.call('POST /api-key/create', { body: {} })).body
  const reset = async () => {
    await kit.browser().call('POST /request-password-reset', { body: { email: ann.email } })
    return (await resets.next()).token
  }
  const isOut = async () => {
    const byNumber = await enter(kit.browser())
    const byKey = await kit.browser().call('GET /get-session', {}, { 'x-api-key': key })
    expect([byNumber.status, byNumber.body, byKey.body.code]).toEqual([200, null, 'INVALID_API_KEY'])
  }
  return { ...kit, squatter, links, reset, enter, isOut }
}

describe('a phone number and an API key that an attacker has added to an account with the email address of another person', () => {
  test('are removed when that person verifies it, and ends everything from before', async () => {
    const { browser, links, isOut } = await withSquatter()
    const { token } = await links.next()
    const taken = await browser().call('POST /verify-email/with-new-password', { body: { token, newPassword } })
    expect(taken.status).toBe(200)
    await isOut()
  })

  test('are removed when a call alone verifies it, with revokeEarlierAccess', async () => {
    const { browser, links, isOut } = await withSquatter({ emailVerification: { revokeEarlierAccess: true } })
    expect((await browser().call('GET /verify-email', { query: await links.next() })).status).toBe(200)
    await isOut()
  })

  test.each(['POST /reset-password', 'POST /set-up'] as const)(
    'are removed when that person sets a password by %s',
    async (path) => {
      const { browser, reset, isOut } = await withSquatter()
      expect((await browser().call(path, { body: { token: await reset(), newPassword } })).status).toBe(200)
      await isOut()
    },
  )

  test('stay when the attacker cannot be another person: in the browser of the user', async () => {
    const { squatter, browser, reset, enter } = await withSquatter()
    expect((await squatter.call('POST /reset-password', { body: { token: await reset(), newPassword } })).status).toBe(200)
    expect((await enter(browser())).body.user.email).toBe(ann.email)
  })
})

test('a number is not added when the password is replaced at that moment', async () => {
  let interrupt = async () => {}
  const before = async () => {
    await interrupt()
    return undefined
  }
  const sms = captureMails<{ code: string }>()
  const { app, browser } = await testApp({
    ...{ phoneNumber: true, sms: { send: sms.send } },
    databaseHooks: { user: { update: { before } } },
  })
  const thief = browser()
  await thief.call('POST /sign-up/email', { body: ann })
  const user = async () => (await findUserByEmail(app, ann.email)) ?? expect.fail('no user')
  await thief.call('POST /phone-number/send-otp', { body: { phoneNumber: number } })
  const { code } = await sms.next()
  interrupt = async () => {
    interrupt = async () => {}
    await setPasswordForUser(app, await user(), newPassword)
  }
  const body = { phoneNumber: number, code, updatePhoneNumber: true }
  const { status, body: rejected } = await thief.call('POST /phone-number/verify', { body })
  expect([status, rejected.code, (await user()).phoneNumber]).toEqual([422, 'FAILED_TO_UPDATE_USER', null])
})
