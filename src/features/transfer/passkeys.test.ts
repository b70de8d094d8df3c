// Also on servers: passkeys are written in batches, with rows in two tables.
/** Passkeys that are imported and exported: of better-auth, of other products, and of another installation. */
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import { type Authenticator, createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { signUp } from '../../../tests/kit/members.ts'
import { enable, signInAs } from '../../../tests/kit/second-factor.ts'
import type { ConfigFile } from '../index.ts'
import { exportUsers, importUsers } from './index.ts'

const config: ConfigFile = { passkey: true, twoFactor: true }

const run = ({ app }: TestApp, line: object) => importUsers(app, { dryRun: false })([{ number: 1, text: JSON.stringify(line) }])

async function exported({ app }: TestApp): Promise<object[]> {
  const lines: object[] = []
  const options = { withPasswordHashes: true, withSecondFactors: true }
  for await (const page of exportUsers(app, options)) lines.push(...(JSON.parse(JSON.stringify(page)) as object[]))
  return lines
}

async function register(browser: Browser) {
  const device = createAuthenticator()
  const { body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  const response = { ...device.create(body) }
  const added = await browser.call('POST /passkey/verify-registration', { body: { response, name: 'Laptop' } })
  expect(added.status).toBe(200)
  return { device, row: added.body }
}

const usePasskey = async (browser: Browser, device: Authenticator) => {
  const { body } = await browser.call('POST /passkey/generate-authenticate-options', {})
  return browser.call('POST /passkey/verify-authentication', { body: { response: { ...device.get(body) } } })
}

/** A row as better-auth stores it, from one that was registered here. */
async function referenceRow() {
  const kit = await testApp(config)
  const { browser } = await signUp(kit, 'Ann')
  const { device, row } = await register(browser)
  const { id, name, publicKey, credentialID, counter, deviceType, transports, aaguid } = row
  const passkey = { id, name, publicKey, credentialID, counter, deviceType, backedUp: 1, transports, aaguid }
  return { device, passkey: { ...passkey, createdAt: '2024-01-31 12:00:00.000' } }
}

const ann = { email: 'ann@example.com', name: 'Ann', emailVerified: true }

test('passkeys of another domain are counted, in the outcome and in the event', async () => {
  const { passkey } = await referenceRow()
  const kit = await testApp(config)
  const foreign = { ...passkey, rpID: 'former.example' }
  expect(await run(kit, { user: ann, passkeys: [foreign] })).toEqual([
    { line: 1, outcome: 'created', email: ann.email, message: null, passkeysOfOtherDomains: 1 },
  ])
  const events = await kit.app.db.selectFrom('auditEvent').select('details').where('action', '=', 'users.imported').execute()
  expect(events.map(({ details }) => details)).toMatchObject([{ passkeys: 1, passkeysOfOtherDomains: 1 }])
})

describe('a passkey of better-auth', () => {
  test('signs in after the import, and the line can be imported again', async () => {
    const { device, passkey } = await referenceRow()
    const kit = await testApp(config)
    const line = { user: ann, passkeys: [passkey] }
    expect(await run(kit, line)).toMatchObject([{ outcome: 'created', message: null }])
    const visitor = kit.browser()
    expect((await usePasskey(visitor, device)).status).toBe(200)
    expect(await nameOf(visitor)).toBe('Ann')
    expect((await visitor.call('GET /passkey/list-user-passkeys', {})).body).toMatchObject([
      { name: 'Laptop', rpID: 'localhost', createdAt: '2024-01-31T12:00:00.000Z', backedUp: true, deviceType: 'multiDevice' },
    ])
    expect(await run(kit, line)).toMatchObject([{ outcome: 'unchanged' }])
    const another = { ...passkey, credentialID: createAuthenticator().id }
    expect(await run(kit, { user: ann, passkeys: [another] })).toMatchObject([
      { outcome: 'conflict', message: expect.stringContaining('passkeys') },
    ])
  })

  test('of another user is a conflict', async () => {
    const { passkey } = await referenceRow()
    const kit = await testApp(config)
    await run(kit, { user: ann, passkeys: [passkey] })
    const bob = { ...ann, email: 'bob@example.com' }
    expect(await run(kit, { user: bob, passkeys: [passkey] })).toMatchObject([
      { outcome: 'conflict', message: expect.stringContaining('a passkey') },
    ])
  })

  test('is rejected as an unknown member while passkeys are disabled', async () => {
    const { passkey } = await referenceRow()
    const kit = await testApp({})
    expect(await run(kit, { user: ann, passkeys: [passkey] })).toMatchObject([
      { outcome: 'invalid', message: expect.stringContaining('Unknown member "passkeys"') },
    ])
  })
})

test.each<[change: object, message: string]>([
  [{ publicKey: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE6N3' }, 'passkeys.0.publicKey: expected a COSE key'],
  [{ publicKey: '-----BEGIN PUBLIC KEY-----' }, 'passkeys.0.publicKey: expected base64'],
  [{ credentialID: 'a b' }, 'passkeys.0.credentialID: expected base64'],
  [{ deviceType: 'phone' }, 'passkeys.0.deviceType'],
  [{ counter: -1 }, 'passkeys.0.counter'],
  [{ kind: 'x' }, 'Unknown member "kind"'],
])('a passkey with %j is invalid', async (change, message) => {
  const { passkey } = await referenceRow()
  const kit = await testApp(config)
  const [outcome] = await run(kit, { user: ann, passkeys: [{ ...passkey, ...change }] })
  expect(outcome).toMatchObject({ outcome: 'invalid', message: expect.stringContaining(message) })
})

test('a key in base64url, with a list of transports, is imported from another product', async () => {
  const { device, passkey } = await referenceRow()
  const kit = await testApp(config)
  const publicKey = Buffer.from(passkey.publicKey, 'base64').toString('base64url')
  expect(await run(kit, { user: ann, passkeys: [{ ...passkey, publicKey, transports: ['usb', 'nfc'] }] })).toMatchObject([
    { outcome: 'created' },
  ])
  expect((await usePasskey(kit.browser(), device)).status).toBe(200)
})

describe('an export', () => {
  test('has the passkeys of users, with which they sign in at the new place, also as second factor', async () => {
    const first = await testApp(config)
    const { browser } = await signUp(first, 'Ann')
    const { device } = await register(browser)
    await enable(browser, { method: 'passkey' })
    const [line = {}] = await exported(first)
    expect(line).toMatchObject({ secondFactor: { passkey: true }, passkeys: [{ name: 'Laptop', rpID: 'localhost' }] })
    const second = await testApp(config)
    expect(await run(second, line)).toMatchObject([{ outcome: 'created', message: null }])
    const visitor = second.browser()
    expect((await signInAs(visitor, 'Ann')).body.twoFactorMethods).toEqual(['passkey'])
    expect((await usePasskey(visitor, device)).status).toBe(200)
    expect((await visitor.call('GET /two-factor/status', {})).body).toMatchObject({ enabled: true, enabledMethods: ['passkey'] })
    // The handle came with it: the next passkey is one of the same account.
    const { body: options } = await visitor.call('GET /passkey/generate-register-options', { query: {} })
    const { body: former } = await browser.call('GET /passkey/signal', {})
    expect(options.user.id).toBe(former.userId)
    expect(await exported(second)).toMatchObject([{ passkeys: [{ name: 'Laptop' }] }])
  })

  test('is not imported for a user who could not sign in: a passkey of another domain is not a second factor', async () => {
    const { passkey } = await referenceRow()
    const kit = await testApp(config)
    const line = { user: { ...ann, twoFactorEnabled: true }, passkeys: [{ ...passkey, rpID: 'former.example' }] }
    expect(await run(kit, line)).toMatchObject([
      { outcome: 'invalid', message: expect.stringContaining('user.twoFactorEnabled: is true') },
    ])
  })
})
