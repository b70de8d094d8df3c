/** Every call of the published client's plugin for second factors, errors included, over a real socket. An independent library makes the codes. */
import { TOTP, URI } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { captureCodes } from '../kit/mails.ts'
import {
  type Client,
  createClient,
  createCookieFetch,
  type Outcome,
  twoFactorPlugin,
  type Version,
  versions,
} from './published.ts'
import { serve } from './served.ts'

const password = 'correct horse battery'
const email = 'ann@example.com'
const phoneNumber = '+491701234567'

const ok = (data: unknown) => ({ data, error: null })
const refused = (status: number, code: string) => ({ data: null, error: expect.objectContaining({ status, code }) })

describe.each(versions)('with better-auth %s', (version) => {
  async function arrive() {
    const texts = captureCodes<{ code: string }>()
    const served = await serve({ twoFactor: true, phoneNumber: true, sms: { send: texts.send }, appName: 'Acme' })
    const redirects: unknown[] = []
    const visitor = () => {
      const plugin = twoFactorPlugin(version as Version, (context) => void redirects.push(context))
      return createClient(version as Version, served.origin, { customFetchImpl: createCookieFetch() }, [plugin])
    }
    const ann = visitor()
    await ann.signUp?.email?.({ name: 'Ann', email, password })
    const verified = { phoneNumber, phoneNumberVerified: true }
    await served.app.db.updateTable('user').set(verified).execute()
    const call = (client: Client, name: string, input: object = {}) =>
      client.twoFactor?.[name]?.({ ...input }) as Promise<Outcome>
    const signIn = (client: Client) => client.signIn?.email?.({ email, password }) as Promise<Outcome>
    const nameOf = async (client: Client) => (await client.getSession?.({}))?.data?.user.name ?? null
    /** The code that another implementation shows for a URI now. */
    const codeOf = (totpURI: string, later = 0) => {
      const app = URI.parse(totpURI) as TOTP
      return app.generate({ timestamp: served.app.now().getTime() + later * 1000 })
    }
    const enrol = async () => {
      const { data } = await call(ann, 'enable', { password })
      expect((await call(ann, 'verifyTotp', { code: codeOf(data.totpURI) })).error).toBeNull()
      served.clock.advance(30)
      return data as { totpURI: string; backupCodes: string[] }
    }
    return { ...served, texts, redirects, visitor, ann, call, signIn, nameOf, codeOf, enrol }
  }

  test('enables an app, which other implementations read as it is', async () => {
    const { ann, call, codeOf, nameOf } = await arrive()
    const { data } = await call(ann, 'enable', { password, issuer: 'Acme&Co' })
    expect(data.backupCodes).toHaveLength(10)
    const app = URI.parse(data.totpURI) as TOTP
    expect(app).toBeInstanceOf(TOTP)
    expect(app).toMatchObject({ issuer: 'Acme&Co', label: email, digits: 6, period: 30, algorithm: 'SHA1' })
    expect(await call(ann, 'verifyTotp', { code: '000000' })).toEqual(refused(401, 'INVALID_CODE'))
    const verified = await call(ann, 'verifyTotp', { code: codeOf(data.totpURI) })
    expect(verified.data).toMatchObject({ token: expect.any(String), user: { email } })
    expect(await nameOf(ann)).toBe('Ann')
    expect((await ann.getSession?.({}))?.data.user.twoFactorEnabled).toBe(true)
    expect(await call(ann, 'getTotpUri', { password })).toEqual(ok({ totpURI: data.totpURI }))
    expect(await call(ann, 'getTotpUri', { password: 'wrong wrong wrong' })).toEqual(refused(400, 'INVALID_PASSWORD'))
  })

  test('signs in with a code of the app, and learns that it must ask for it', async () => {
    const { visitor, signIn, redirects, call, codeOf, enrol, nameOf } = await arrive()
    const { totpURI } = await enrol()
    const client = visitor()
    const first = await signIn(client)
    expect(first.data).toMatchObject({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
    expect(redirects).toEqual(version === 'newest' ? [{ twoFactorMethods: ['totp'] }] : [undefined])
    expect(await nameOf(client)).toBeNull()
    const done = await call(client, 'verifyTotp', { code: codeOf(totpURI), trustDevice: true })
    expect([done.data.user.email, await nameOf(client)]).toEqual([email, 'Ann'])
    await client.signOut?.({})
    // In a browser that is trusted.
    expect((await signIn(client)).data).toMatchObject({ token: expect.any(String) })
    expect(redirects).toHaveLength(1)
  })

  test('signs in with a code by text message', async () => {
    const { ann, visitor, signIn, call, texts, enrol, nameOf } = await arrive()
    await enrol()
    expect((await call(ann, 'enable', { password, method: 'otp' })).data).toMatchObject({ method: 'otp' })
    const client = visitor()
    expect((await signIn(client)).data.twoFactorMethods).toEqual(['totp', 'otp'])
    expect(await call(client, 'sendOtp')).toEqual(ok({ status: true }))
    expect(await call(client, 'verifyOtp', { code: '000000' })).toEqual(refused(401, 'INVALID_CODE'))
    expect((await call(client, 'verifyOtp', { code: (await texts.next()).code })).error).toBeNull()
    expect(await nameOf(client)).toBe('Ann')
  })

  test('enables codes by text message as with the reference: enable, send, verify', async () => {
    const { ann, visitor, signIn, call, texts } = await arrive()
    await call(ann, 'enable', { password })
    expect(await call(ann, 'sendOtp')).toEqual(ok({ status: true }))
    expect((await call(ann, 'verifyOtp', { code: (await texts.next()).code })).error).toBeNull()
    expect((await signIn(visitor())).data.twoFactorMethods).toEqual(['otp'])
  })

  test('signs in with a backup code, replaces them, and removes the second factor', async () => {
    const { ann, visitor, signIn, call, enrol, nameOf } = await arrive()
    expect(await call(ann, 'generateBackupCodes', { password })).toEqual(refused(400, 'TWO_FACTOR_ISNT_ENABLED'))
    const { backupCodes } = await enrol()
    const client = visitor()
    await signIn(client)
    expect(await call(client, 'verifyBackupCode', { code: 'aaaaa-aaaaa' })).toEqual(refused(401, 'INVALID_BACKUP_CODE'))
    expect((await call(client, 'verifyBackupCode', { code: backupCodes[0] })).data).toMatchObject({ backupCodesLeft: 9 })
    expect(await nameOf(client)).toBe('Ann')
    const made = await call(client, 'generateBackupCodes', { password })
    expect(made.data).toMatchObject({ status: true, backupCodes: expect.any(Array) })
    expect(await call(client, 'disable', { password: 'wrong wrong wrong' })).toEqual(refused(400, 'INVALID_PASSWORD'))
    expect(await call(client, 'disable', { password })).toEqual(ok({ status: true }))
    expect((await signIn(visitor())).data).toMatchObject({ token: expect.any(String) })
  })

  test('needs a challenge or a session', async () => {
    const { visitor, call } = await arrive()
    const gone = refused(401, 'INVALID_TWO_FACTOR_COOKIE')
    expect(await call(visitor(), 'verifyTotp', { code: '123456' })).toEqual(gone)
    expect(await call(visitor(), 'verifyOtp', { code: '123456' })).toEqual(gone)
    expect(await call(visitor(), 'verifyBackupCode', { code: '123456' })).toEqual(gone)
    expect(await call(visitor(), 'sendOtp')).toEqual(gone)
    expect(await call(visitor(), 'enable', { password })).toEqual(refused(401, 'UNAUTHORIZED'))
  })
})

/** Seconds that the clock of the app differs from that of the server, which stands at the beginning of a time step. */
test.each([
  [-61, false],
  [-60, false],
  [-31, false],
  [-30, true],
  [-1, true],
  [0, true],
  [29, true],
  [30, true],
  [59, true],
  [60, false],
  [61, false],
])('a code of an app whose clock differs by %i s is accepted: %s', async (seconds, isAccepted) => {
  const served = await serve({ twoFactor: true })
  const client = createClient('1.2.12', served.origin, { customFetchImpl: createCookieFetch() }, [
    twoFactorPlugin('1.2.12', () => {}),
  ])
  await client.signUp?.email?.({ name: 'Ann', email, password })
  const enabled = await client.twoFactor?.enable?.({ password })
  const now = served.app.now().getTime()
  expect(now % 30_000).toBe(0)
  const code = (URI.parse(enabled?.data.totpURI) as TOTP).generate({ timestamp: now + seconds * 1000 })
  const verified = await client.twoFactor?.verifyTotp?.({ code })
  expect(verified?.error === null).toBe(isAccepted)
})
