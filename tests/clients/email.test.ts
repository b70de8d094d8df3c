/** Every call of the published client's plugins for magic links, codes by email and the last sign-in method, over a real socket. */
import { describe, expect, test } from 'vitest'
import type { CodeMail } from '../../src/features/email-codes/mails.ts'
import type { LinkMail } from '../../src/features/magic-link/mails.ts'
import { captureMails } from '../kit/mails.ts'
import { type Client, createClient, createCookieFetch, emailPlugins, type Outcome, type Version, versions } from './published.ts'
import { serve } from './served.ts'

const email = 'ann@example.com'
const password = 'correct horse battery'

const ok = (data: unknown) => ({ data, error: null })
const refused = (status: number, message: string) => ({ data: null, error: expect.objectContaining({ status, message }) })
const wrong = (otp: string) => (otp === '000000' ? '111111' : '000000')

describe.each(versions)('with better-auth %s', (version) => {
  /** What a page of the origin sends, and what a program must say that opens links. */
  const pageOf = (origin: string) => ({ origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })
  const program = { accept: 'application/json' }

  async function arrive(fetchOf: () => typeof fetch = createCookieFetch) {
    const codes = captureMails<CodeMail>()
    const links = captureMails<LinkMail>()
    const served = await serve({
      emailOTP: { sendVerificationOTP: codes.send, changeEmail: { enabled: true, verifyCurrentEmail: false } },
      magicLink: { sendMagicLink: links.send },
      lastLoginMethod: true,
    })
    const visitor = () =>
      createClient(
        version as Version,
        served.origin,
        { customFetchImpl: fetchOf(), headers: fetchOf === createCookieFetch ? pageOf(served.origin) : program },
        emailPlugins(version as Version),
      )
    return { ...served, codes, links, visitor }
  }
  const call = (client: Client, group: string, name: string, input: object) =>
    client[group]?.[name]?.({ ...input }) as Promise<Outcome>
  const sessionOf = async (client: Client) => (await client.getSession?.())?.data

  test('magic links: request and verify', async () => {
    const { visitor, links } = await arrive()
    const ann = visitor()
    expect(await call(ann, 'signIn', 'magicLink', { email, name: 'Ann', callbackURL: '/dash' })).toEqual(ok({ status: true }))
    const { token } = await links.next()
    const verified = await call(ann, 'magicLink', 'verify', { query: { token } })
    expect(verified.data).toMatchObject({ token: expect.any(String), user: { email, name: 'Ann', emailVerified: true } })
    expect((await sessionOf(ann)).user.email).toBe(email)
    expect((await call(ann, 'signIn', 'magicLink', { email: 'nope' })).error?.status).toBe(400)
  })

  test('a program without cookies signs in with a link that it asked for', async () => {
    const { visitor, links } = await arrive(() => fetch)
    await call(visitor(), 'signIn', 'magicLink', { email })
    const verified = await call(visitor(), 'magicLink', 'verify', { query: { token: (await links.next()).token } })
    expect(verified.data).toMatchObject({ token: expect.any(String), user: { email } })
  })

  test.each([
    ['a browser', createCookieFetch],
    ['a program without cookies', () => fetch],
  ])('codes: %s signs up, signs in and verifies', async (_, fetchOf) => {
    const { visitor, codes } = await arrive(fetchOf)
    const ann = visitor()
    const send = async (type: string) => {
      expect(await call(ann, 'emailOtp', 'sendVerificationOtp', { email, type })).toEqual(ok({ success: true }))
      return (await codes.next()).otp
    }
    const otp = await send('sign-in')
    expect(await call(ann, 'signIn', 'emailOtp', { email, otp: wrong(otp) })).toEqual(refused(400, 'Invalid OTP'))
    expect((await call(ann, 'signIn', 'emailOtp', { email, otp })).data).toMatchObject({
      token: expect.any(String),
      user: { email, emailVerified: true },
    })
    const bob = { name: 'Bob', email: 'bob@example.com', password }
    await call(ann, 'signUp', 'email', bob)
    await call(ann, 'emailOtp', 'sendVerificationOtp', { email: bob.email, type: 'email-verification' })
    const verified = await call(ann, 'emailOtp', 'verifyEmail', { email: bob.email, otp: (await codes.next()).otp })
    expect(verified.data).toMatchObject({ status: true, token: null, user: { email: bob.email, emailVerified: true } })
  })

  test('codes: reset a password', async () => {
    const { visitor, codes } = await arrive()
    const ann = visitor()
    await call(ann, 'signUp', 'email', { name: 'Ann', email, password })
    expect(await call(ann, 'forgetPassword', 'emailOtp', { email })).toEqual(ok({ success: true }))
    const { otp } = await codes.next()
    const reset = (given: string, chosen: string) =>
      call(ann, 'emailOtp', 'resetPassword', { email, otp: given, password: chosen })
    expect(await reset(otp, 'x')).toEqual(refused(400, 'Password too short'))
    expect(await reset(otp, 'another horse entirely')).toEqual(ok({ success: true }))
    expect((await call(visitor(), 'signIn', 'email', { email, password: 'another horse entirely' })).error).toBeNull()
  })

  test('calls of 1.7: check a code, request a reset, change the address', async () => {
    const { visitor, codes } = await arrive()
    const ann = visitor()
    await call(ann, 'signUp', 'email', { name: 'Ann', email, password })
    expect(await call(ann, 'emailOtp', 'requestPasswordReset', { email })).toEqual(ok({ success: true }))
    const { otp } = await codes.next()
    const check = { email, type: 'forget-password', otp }
    expect(await call(ann, 'emailOtp', 'checkVerificationOtp', check)).toEqual(ok({ success: true }))
    const newEmail = 'new@example.com'
    expect(await call(ann, 'emailOtp', 'requestEmailChange', { newEmail })).toEqual(ok({ success: true }))
    const changed = await call(ann, 'emailOtp', 'changeEmail', { newEmail, otp: (await codes.next()).otp })
    expect(changed).toEqual(ok({ success: true }))
    expect((await sessionOf(ann)).user).toMatchObject({ email: newEmail, emailVerified: true })
  })
})
