import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'

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

test('without the feature there is no cookie', async () => {
  const visitor = (await testApp()).browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  expect(visitor.cookies.has(name)).toBe(false)
})
