import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { startFlow } from '../../../tests/kit/provider-stand-in.ts'
import { signInAs, verify, withAnn } from '../../../tests/kit/second-factor.ts'
import { socialApp } from '../../../tests/kit/social.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const name = 'better-auth.last_used_login_method'

test('a sign-in sets a cookie that scripts can read, with the values of better-auth 1.7', async () => {
  const codes = captureMails<{ otp: string }>()
  const links = captureMails<{ token: string }>()
  const kit = await testApp({
    lastLoginMethod: true,
    emailOTP: { sendVerificationOTP: codes.send },
    magicLink: { sendMagicLink: links.send },
  })
  const visitor = kit.browser()
  const { setCookie } = await visitor.call('POST /sign-up/email', { body: ann })
  expect(setCookie).toContain(`${name}=email; Max-Age=2592000; Path=/; SameSite=Lax`)
  await visitor.call('POST /email-otp/send-verification-otp', { body: { email: ann.email, type: 'sign-in' } })
  await visitor.call('POST /sign-in/email-otp', { body: { email: ann.email, otp: (await codes.next()).otp } })
  expect(visitor.cookies.get(name)).toBe('email-otp')
  await visitor.call('POST /sign-in/magic-link', { body: { email: ann.email } })
  await visitor.call('POST /magic-link/verify', { body: { token: (await links.next()).token } })
  expect(visitor.cookies.get(name)).toBe('magic-link')
})

test('it has the configured name and lifetime; other ways and failures set none', async () => {
  const kit = await testApp({ lastLoginMethod: { cookieName: 'last', maxAge: 60 }, anonymous: true })
  const visitor = kit.browser()
  await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: 'a wrong password' } })
  await visitor.call('POST /sign-in/anonymous', {})
  expect(visitor.cookies.has('last')).toBe(false)
  const { setCookie } = await visitor.call('POST /sign-up/email', { body: ann })
  expect(setCookie).toContain('last=email; Max-Age=60; Path=/; SameSite=Lax')
})

test.each([
  ['github', '/callback/github'],
  ['acme', '/callback/acme'],
  ['acme', '/oauth2/callback/acme'],
])('a sign-in with the provider %s by %s sets its ID', async (provider, path) => {
  const kit = await socialApp({ lastLoginMethod: true })
  const visitor = kit.browser()
  const state = (await startFlow(visitor, provider)).searchParams.get('state') ?? ''
  const { setCookie } = await visitor.request(`${path}?${new URLSearchParams({ code: 'a-code', state })}`)
  expect(setCookie).toContain(`${name}=${provider}; Max-Age=2592000; Path=/; SameSite=Lax`)
})

describe('a sign-in with a second factor', () => {
  async function withDevice() {
    const kit = await withAnn({ lastLoginMethod: true, passkey: true, username: true })
    const device = createAuthenticator()
    const { body } = await kit.ann.call('GET /passkey/generate-register-options', { query: {} })
    await kit.ann.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
    const usePasskey = async (visitor: Browser, wishes: object = {}) => {
      const options = (await visitor.call('POST /passkey/generate-authenticate-options', {})).body
      const response = { ...device.get(options, wishes) }
      expect((await visitor.call('POST /passkey/verify-authentication', { body: { response } })).status).toBe(200)
    }
    return { ...kit, usePasskey }
  }

  test('sets the method of the first factor, once there is a session', async () => {
    const { browser, code } = await withDevice()
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    expect(visitor.cookies.has(name)).toBe(false)
    const { setCookie } = await verify(visitor, code())
    expect(setCookie).toContain(`${name}=email; Max-Age=2592000; Path=/; SameSite=Lax`)
  })

  test('sets the method of the first factor also when the second one was a passkey', async () => {
    const { browser, usePasskey } = await withDevice()
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    await usePasskey(visitor, { userVerified: false })
    expect(visitor.cookies.get(name)).toBe('email')
  })

  test('sets passkey when a passkey was the first factor, or both', async () => {
    const { browser, code, usePasskey } = await withDevice()
    const [visitor, other] = [browser(), browser()]
    await usePasskey(visitor)
    await usePasskey(other, { userVerified: false })
    expect(other.cookies.has(name)).toBe(false)
    await verify(other, code())
    expect([visitor, other].map(({ cookies }) => cookies.get(name))).toEqual(['passkey', 'passkey'])
  })

  test('sets nothing after a username, which better-auth does not name either', async () => {
    const { ann, browser, code } = await withDevice()
    await ann.call('POST /update-user', { body: { username: 'annie' } as never })
    const visitor = browser()
    const body = { username: 'annie', password: 'correct horse battery' }
    expect((await visitor.call('POST /sign-in/username', { body })).body.twoFactorRedirect).toBe(true)
    expect((await verify(visitor, code())).status).toBe(200)
    expect(visitor.cookies.has(name)).toBe(false)
  })

  test('a proof in a session leaves the method as it is', async () => {
    const { ann, browser, code, usePasskey } = await withDevice()
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    await verify(visitor, code())
    await usePasskey(visitor)
    expect([visitor.cookies.get(name), ann.cookies.get(name)]).toEqual(['email', 'email'])
  })
})

test('without the feature there is no cookie', async () => {
  const visitor = (await testApp()).browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  expect(visitor.cookies.has(name)).toBe(false)
})
