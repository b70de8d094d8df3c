/** Every call of the published client's plugins for usernames and phone numbers, errors included, over a real socket. */
import { describe, expect, test } from 'vitest'
import { captureMails } from '../kit/mails.ts'
import { type Client, createClient, createCookieFetch, namePlugins, type Outcome, type Version, versions } from './published.ts'
import { serve } from './served.ts'

const password = 'correct horse battery'
const number = '+251911121314'

const ok = (data: unknown) => ({ data, error: null })
const refused = (status: number, message: string) => ({ data: null, error: expect.objectContaining({ status, message }) })

describe.each(versions)('with better-auth %s', (version) => {
  async function arrive(more: object = {}) {
    const sms = captureMails<{ phoneNumber: string; code: string }>()
    const functions = { sendOTP: sms.send, sendPasswordResetOTP: sms.send }
    const signUpOnVerification = {
      getTempEmail: (to: string) => `${to.slice(1)}@phone.example.com`,
      getTempName: (to: string) => to,
    }
    const served = await serve({ username: true, phoneNumber: { ...functions, signUpOnVerification, ...more } })
    const visitor = () =>
      createClient(version as Version, served.origin, { customFetchImpl: createCookieFetch() }, namePlugins(version as Version))
    return { ...served, sms, visitor }
  }
  const call = (client: Client, group: string, name: string, input: object) =>
    client[group]?.[name]?.({ ...input }) as Promise<Outcome>
  const sessionOf = async (client: Client) => (await client.getSession?.())?.data

  test('usernames: sign up, sign in, check, change', async () => {
    const { visitor } = await arrive()
    const ann = visitor()
    const user = { name: 'Ann', email: 'ann@example.com', password, username: 'Ann.Smith' }
    expect((await call(ann, 'signUp', 'email', user)).error).toBeNull()
    expect((await sessionOf(ann)).user).toMatchObject({ username: 'ann.smith', displayUsername: 'Ann.Smith' })
    const other = visitor()
    const signedIn = await call(other, 'signIn', 'username', { username: 'ANN.smith', password, rememberMe: false })
    expect(signedIn.data).toMatchObject({ token: expect.any(String), user: { email: 'ann@example.com', username: 'ann.smith' } })
    const attempt = (username: string, given = password) => call(visitor(), 'signIn', 'username', { username, password: given })
    expect(await attempt('ann.smith', 'wrong password')).toEqual(refused(401, 'invalid username or password'))
    expect(await attempt('a')).toEqual(refused(422, 'username is too short'))
    expect(await attempt('a'.repeat(31))).toEqual(refused(422, 'username is too long'))
    expect(await attempt('a-b')).toEqual(refused(422, 'username is invalid'))
    const bob = visitor()
    const taken = refused(422, 'username is already taken. please try another.')
    expect(await call(bob, 'signUp', 'email', { ...user, email: 'bob@example.com' })).toEqual(taken)
    expect((await ann.updateUser?.({ username: 'anna' }))?.error).toBeNull()
    expect((await sessionOf(ann)).user).toMatchObject({ username: 'anna', displayUsername: 'anna' })
    const isAvailable = await ann.isUsernameAvailable?.({ username: 'Anna' }, { method: 'POST' })
    expect(isAvailable).toEqual(ok({ available: false }))
  })

  test('phone numbers: sign up by a code, sign in by a code and by the password', async () => {
    const { visitor, sms } = await arrive()
    const ann = visitor()
    const send = () => call(ann, 'phoneNumber', 'sendOtp', { phoneNumber: number })
    expect(await send()).toEqual(ok({ message: 'code sent' }))
    const { code } = await sms.next()
    const verify = (given: string, more: object = {}, client = ann) =>
      call(client, 'phoneNumber', 'verify', { phoneNumber: number, code: given, ...more })
    expect(await verify(code === '000000' ? '111111' : '000000')).toEqual(refused(400, 'Invalid OTP'))
    expect((await verify(code)).data).toMatchObject({ status: true, user: { phoneNumber: number, phoneNumberVerified: true } })
    expect((await sessionOf(ann)).user).toMatchObject({ phoneNumber: number, name: number })
    expect(await verify(code)).toEqual(refused(400, 'OTP not found'))
    await send()
    const again = await verify((await sms.next()).code, { disableSession: true }, visitor())
    expect(again.data).toMatchObject({ status: true, token: null })
  })

  test('phone numbers: add one to an account, and reset its password', async () => {
    const { visitor, sms } = await arrive()
    const ann = visitor()
    await call(ann, 'signUp', 'email', { name: 'Ann', email: 'ann@example.com', password })
    await call(ann, 'phoneNumber', 'sendOtp', { phoneNumber: number })
    const added = await call(ann, 'phoneNumber', 'verify', {
      phoneNumber: number,
      code: (await sms.next()).code,
      updatePhoneNumber: true,
    })
    expect(added.data).toMatchObject({ status: true, user: { email: 'ann@example.com', phoneNumber: number } })
    const signIn = (given: string) => call(visitor(), 'signIn', 'phoneNumber', { phoneNumber: number, password: given })
    expect((await signIn(password)).data).toMatchObject({ user: { phoneNumberVerified: true } })
    expect(await signIn('wrong password')).toEqual(refused(401, 'Invalid phone number or password'))
    const request = version === 'newest' ? 'requestPasswordReset' : 'forgetPassword'
    expect(await call(visitor(), 'phoneNumber', request, { phoneNumber: '+251900000000' })).toEqual(
      refused(400, "phone number isn't registered"),
    )
    for (const name of version === 'newest' ? ['requestPasswordReset'] : ['requestPasswordReset', 'forgetPassword']) {
      expect(await call(visitor(), 'phoneNumber', name, { phoneNumber: number })).toEqual(ok({ status: true }))
      const { code: otp } = await sms.next()
      const newPassword = `another horse of ${name}`
      const reset = { phoneNumber: number, otp, newPassword }
      expect(await call(visitor(), 'phoneNumber', 'resetPassword', reset)).toEqual(ok({ status: true }))
      expect((await signIn(newPassword)).error).toBeNull()
    }
  })

  test('phone numbers: without a function that sends codes', async () => {
    const { visitor } = await arrive({ sendOTP: undefined })
    expect(await call(visitor(), 'phoneNumber', 'sendOtp', { phoneNumber: number })).toEqual(
      refused(501, 'sendOTP not implemented'),
    )
  })
})
