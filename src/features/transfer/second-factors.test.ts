// Also on servers: second factors are written in batches, with rows in two tables.
/** Second factors that are imported and exported: of better-auth, of other products, and of another installation. */
import { symmetricEncrypt } from 'better-auth/crypto'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import { nameOf } from '../../../tests/kit/browser.ts'
import { password } from '../../../tests/kit/members.ts'
import { signInAs, verify, withAnn } from '../../../tests/kit/second-factor.ts'
import { base32, hotp, type TOTPAlgorithm, timeStep } from '../../lib/totp.ts'
import type { ConfigFile } from '../index.ts'
import { exportUsers, importUsers } from './index.ts'

const config: ConfigFile = { twoFactor: true }
const formerSecret = 'the secret of better-auth, which is old'
const secret = '0123456789abcdefghijklmnopqrstuv'
const sealed = (data: string, key = formerSecret) => symmetricEncrypt({ key, data })
const codes = ['AbCdE-12345', 'FgHiJ-67890']

const hash = async ({ app }: TestApp) => app.hasher.hash(password)
/** A line of Ann, who can sign in with a password. */
async function lineOf(kit: TestApp, user: object, more: object): Promise<string> {
  const accounts = [{ providerId: 'credential', password: await hash(kit) }]
  return JSON.stringify({ user: { email: 'ann@example.com', name: 'Ann', emailVerified: true, ...user }, accounts, ...more })
}

const run = ({ app }: Pick<TestApp, 'app'>, text: string, formerSecrets: readonly string[] = [formerSecret], dryRun = false) =>
  importUsers(app, { dryRun, formerSecrets })([{ number: 1, text }])

const rowOf = async (more: object = {}) => ({
  secret: await sealed(secret),
  backupCodes: await sealed(JSON.stringify(codes)),
  ...more,
})

interface Settings {
  readonly algorithm: TOTPAlgorithm
  readonly digits: number
  readonly period: number
}
const usual: Settings = { algorithm: 'SHA1', digits: 6, period: 30 }
const codeOf = ({ app }: TestApp, key: Uint8Array, { period, ...settings }: Settings = usual, later = 0) =>
  hotp(key, timeStep(app.now().getTime(), period) + later, settings)

describe('a row of better-auth', () => {
  test.each<[name: string, verified: object]>([
    ['1.2, which has no column verified', {}],
    ['1.2 in a table of 1.7', { verified: null }],
    ['1.7', { verified: 1 }],
  ])('of version %s: the app and the backup codes of the user work, each code once', async (_, verified) => {
    const kit = await testApp(config)
    const text = await lineOf(kit, { twoFactorEnabled: 1 }, { twoFactor: await rowOf(verified) })
    expect(await run(kit, text)).toMatchObject([{ outcome: 'created', message: null }])
    const visitor = kit.browser()
    const challenge = await signInAs(visitor, 'Ann')
    expect(challenge.body).toMatchObject({
      twoFactorMethods: ['totp'],
      challenge: { methods: [{ type: 'totp' }, { type: 'backup-code', left: 2 }] },
    })
    expect((await verify(visitor, codeOf(kit, Buffer.from(secret)))).status).toBe(200)
    expect(await nameOf(visitor)).toBe('Ann')
    const useCode = async (code: string) => {
      const other = kit.browser()
      await signInAs(other, 'Ann')
      return (await other.call('POST /two-factor/verify-backup-code', { body: { code } })).status
    }
    expect([await useCode('AbCdE-12345'), await useCode('AbCdE-12345'), await useCode('FgHiJ67890')]).toEqual([200, 401, 200])
    const stored = JSON.stringify([
      await kit.app.db.selectFrom('twoFactor').selectAll().execute(),
      await kit.app.db.selectFrom('backupCode').selectAll().execute(),
    ])
    for (const text of [secret, ...codes, 'AbCdE12345']) expect(stored).not.toContain(text)
    expect(await run(kit, text)).toMatchObject([{ outcome: 'unchanged' }])
  })

  test('may be encrypted with one of several secrets, and have backup codes in plain text', async () => {
    const kit = await testApp(config)
    const row = { secret: `$ba$2$${await sealed(secret, 'the newest')}`, backupCodes: JSON.stringify(codes) }
    const text = await lineOf(kit, { twoFactorEnabled: true }, { twoFactor: row })
    expect(await run(kit, text, ['another', 'the newest'])).toMatchObject([{ outcome: 'created' }])
    expect((await signInAs(kit.browser(), 'Ann')).body).toMatchObject({ challenge: { methods: [{}, { left: 2 }] } })
  })

  test('whose setup was not finished asks for nothing', async () => {
    const kit = await testApp(config)
    for (const twoFactorEnabled of [null, false, 0]) {
      const text = (await lineOf(kit, { twoFactorEnabled }, { twoFactor: await rowOf() })).replace('ann@', `${twoFactorEnabled}@`)
      expect(await run(kit, text, [])).toMatchObject([{ outcome: 'created' }])
    }
    expect(await kit.app.db.selectFrom('twoFactor').selectAll().execute()).toEqual([])
  })

  test('is not imported without its secret, nor with another one, and the message has neither', async () => {
    const kit = await testApp(config)
    const text = await lineOf(kit, { twoFactorEnabled: true }, { twoFactor: await rowOf() })
    const [missing] = await run(kit, text, [])
    expect(missing).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('--former-secret') })
    const [wrong] = await run(kit, text, ['a wrong secret'])
    expect(wrong).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('twoFactor.secret: was not encrypted') })
    expect(wrong?.message).not.toContain('a wrong secret')
    expect(await kit.app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })
})

const sends: ConfigFile = { twoFactor: true, phoneNumber: true, sms: { send: () => {} } }
const phone = { phoneNumber: '+491701234567', phoneNumberVerified: true }

describe('a user of better-auth who is asked for a second factor and has no app', () => {
  test('gets codes by text message, if they are sent and the number is verified', async () => {
    const kit = await testApp(sends)
    expect(await run(kit, await lineOf(kit, { twoFactorEnabled: true, ...phone }, { twoFactor: null }))).toMatchObject([
      { outcome: 'created' },
    ])
    expect((await signInAs(kit.browser(), 'Ann')).body).toMatchObject({ twoFactorMethods: ['otp'] })
  })
  test.each<[config: ConfigFile, user: object]>([
    [config, {}],
    [sends, {}],
    [sends, { ...phone, phoneNumberVerified: false }],
  ])('is not imported when no code could be sent: %j %j', async (given, user) => {
    const kit = await testApp(given)
    const unverified = { twoFactor: await rowOf({ verified: false }) }
    for (const more of [{}, unverified]) {
      const [outcome] = await run(kit, await lineOf(kit, { twoFactorEnabled: true, ...user }, more))
      expect(outcome).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('user.twoFactorEnabled: is true') })
    }
  })
})

describe('a secret of another product', () => {
  const key = Buffer.from('a secret of twenty b')
  const totp = { secret: base32(key) }
  test.each<[totp: object, settings: Settings]>([
    [{}, usual],
    [
      { algorithm: 'HmacSHA256', digits: 8, period: 60 },
      { algorithm: 'SHA256', digits: 8, period: 60 },
    ],
    [
      { algorithm: 'SHA-512', digits: 6 },
      { ...usual, algorithm: 'SHA512' },
    ],
  ])('with %j makes the codes that the app shows', async (settings, shown) => {
    const kit = await testApp(config)
    const more = { secondFactor: { totp: { ...totp, ...settings, createdAt: '2024-01-31T12:00:00Z' }, backupCodes: codes } }
    expect(await run(kit, await lineOf(kit, {}, more), [])).toMatchObject([{ outcome: 'created' }])
    const visitor = kit.browser()
    expect((await signInAs(visitor, 'Ann')).body).toMatchObject({ challenge: { methods: [{ type: 'totp' }, { left: 2 }] } })
    expect((await verify(visitor, codeOf(kit, key, shown))).status).toBe(200)
    expect((await visitor.call('GET /two-factor/status', {})).body).toMatchObject({
      methods: [{ type: 'totp', createdAt: '2024-01-31T12:00:00.000Z' }],
    })
  })
  test.each<[secondFactor: object, message: string]>([
    [{ totp: { secret: 'ABC' } }, 'secondFactor.totp.secret: expected 10 to 128 bytes in Base32'],
    [{ totp: { secret: 'not base 32!' } }, 'expected 10 to 128 bytes in Base32'],
    [{ totp: { ...totp, algorithm: 'MD5' } }, 'secondFactor.totp.algorithm'],
    [{ totp: { ...totp, digits: 7 } }, 'secondFactor.totp.digits'],
    [{ totp: { ...totp, period: 1 } }, 'secondFactor.totp.period'],
    [{ totp, backupCodes: ['short'] }, 'secondFactor.backupCodes: expected different codes'],
    [{ topt: totp }, 'Unknown member "topt"'],
    [{ otp: ['sms'] }, 'user.twoFactorEnabled: is true'],
  ])('that is wrong makes the line invalid: %j', async (secondFactor, message) => {
    const kit = await testApp(config)
    const [outcome] = await run(kit, await lineOf(kit, {}, { secondFactor }))
    expect(outcome).toMatchObject({ outcome: 'invalid', message: expect.stringContaining(message) })
  })
  test('is an unknown member while second factors are disabled', async () => {
    const kit = await testApp()
    const [outcome] = await run(kit, await lineOf(kit, {}, { secondFactor: { totp } }))
    expect(outcome).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('Unknown member "secondFactor"') })
  })
  test('is checked and not written in a dry run', async () => {
    const kit = await testApp(config)
    const text = await lineOf(kit, {}, { secondFactor: { totp, backupCodes: codes } })
    expect(await run(kit, text, [], true)).toMatchObject([{ outcome: 'created' }])
    expect(await kit.app.db.selectFrom('twoFactor').selectAll().execute()).toEqual([])
  })
})

describe('an export', () => {
  const linesOf = async ({ app }: Pick<TestApp, 'app'>, withSecondFactors: boolean) => {
    const lines: string[] = []
    for await (const batch of exportUsers(app, { withPasswordHashes: true, withSecondFactors }))
      lines.push(...batch.map((line) => JSON.stringify(line)))
    return lines
  }
  test('moves the app of a user to an installation with another secret', async () => {
    const { app, code } = await withAnn()
    const [line = ''] = await linesOf({ app }, true)
    expect(JSON.parse(line).secondFactor).toEqual({
      totp: { secret: expect.stringMatching(/^[A-Z2-7]{52}$/), ...usual, createdAt: expect.any(String) },
    })
    const kit = await testApp({ ...config, secret: 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c' })
    expect(await run(kit, line, [])).toMatchObject([{ outcome: 'created' }])
    const visitor = kit.browser()
    await signInAs(visitor, 'Ann')
    kit.clock.advance((app.now().getTime() - kit.app.now().getTime()) / 1000)
    expect((await verify(visitor, code())).status).toBe(200)
  })
  test('has no secret unless it is asked for, and is then not imported without a second factor', async () => {
    const { app } = await withAnn()
    const [line = ''] = await linesOf({ app }, false)
    expect(JSON.parse(line)).not.toHaveProperty('secondFactor')
    expect(await run(await testApp(config), line)).toMatchObject([{ outcome: 'invalid' }])
  })
})
