/** The calls of passkeys from a page, with the virtual authenticator of Chromium (contract 12 §13). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { browsers, withChromium } from '../kit/hosted-pages.ts'
import {
  callFrom,
  create,
  credentialsOf,
  plugIn,
  register,
  replaceCredential,
  securityKeys,
  signIn,
  type WebAuthn,
  withoutPIN,
} from '../kit/virtual-authenticator.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const options = browsers[0]?.[1] ?? {}

/** A page with a browser in which Ann is signed in. */
async function withAnn(more: object = {}, config: object = {}) {
  const site = await hostedPages({ passkey: true, ...config })
  const page = await site.open('/sign-in', options)
  const plugged = await plugIn(page, more)
  expect((await callFrom(page, '/sign-up/email', ann)).status).toBe(200)
  return { ...site, ...plugged, page }
}

test.each([undefined, 'conditional'] as const)('Chromium adds a passkey, and signs in with it: %s', async (mediation) => {
  const { page } = await withAnn({ defaultBackupEligibility: true, defaultBackupState: true })
  const added = await register(page)
  expect([added.status, added.body.deviceType, added.body.backedUp]).toEqual([200, 'multiDevice', true])
  await callFrom(page, '/sign-out', {})
  const { status, body } = await signIn(page, {}, mediation)
  expect([status, body.user?.email]).toEqual([200, ann.email])
})

test('Chromium reports what it can do, as the pages expect it', async () => {
  const { page } = await withAnn()
  const capabilities = await page.evaluate(() => (globalThis as unknown as WebAuthn).PublicKeyCredential.getClientCapabilities())
  expect(capabilities).toMatchObject({
    ...{ conditionalCreate: true, conditionalGet: true, relatedOrigins: true },
    ...{ signalAllAcceptedCredentials: true, signalCurrentUserDetails: true, signalUnknownCredential: true },
  })
})

test('a passkey of this device is not added twice', async () => {
  const { page } = await withAnn()
  expect((await register(page)).status).toBe(200)
  expect((await register(page)).error).toBe('InvalidStateError')
})

test('without user verification the browser gives a passkey only where it is discouraged, and it is one factor', async () => {
  const { page, cdp, authenticatorId, kit } = await withAnn()
  expect((await register(page)).status).toBe(200)
  await callFrom(page, '/sign-out', {})
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  for (const userVerification of ['required', 'preferred'])
    expect((await signIn(page, { userVerification })).error).toBe('NotAllowedError')
  expect((await signIn(page, { userVerification: 'discouraged' })).status).toBe(200)
  const sessions = kit.app.db.selectFrom('session').select('acr').where('passkeyId', 'is not', null)
  expect(await sessions.executeTakeFirst()).toEqual({ acr: null })
})

describe.each(Object.entries(securityKeys))('a security key without a PIN (%s)', (_, kind) => {
  const key = { ...kind, ...withoutPIN }

  test('is added without being stored on it, and cannot sign in alone', async () => {
    const { page, kit } = await withAnn(key)
    expect((await register(page, { residentKey: 'required', requireResidentKey: true })).error).toBe('NotAllowedError')
    const added = await register(page, { residentKey: 'discouraged' })
    expect([added.status, added.body.deviceType]).toEqual([200, 'singleDevice'])
    const stored = await kit.app.db.selectFrom('passkey').select('isDiscoverable').executeTakeFirst()
    expect(stored).toEqual({ isDiscoverable: false })
    await callFrom(page, '/sign-out', {})
    expect((await signIn(page)).error).toBe('NotAllowedError')
  })
})

test('the lower counter of a security key suspends it', async () => {
  const plugged = await withAnn({ ...withoutPIN, ctap2Version: 'ctap2_0' })
  const { page } = plugged
  const added = await register(page)
  expect([added.status, added.body.deviceType]).toEqual([200, 'singleDevice'])
  expect((await signIn(page)).status).toBe(200)
  await replaceCredential(plugged, { signCount: 0 })
  expect(await signIn(page)).toMatchObject({ status: 400, body: { code: 'AUTHENTICATION_FAILED' } })
  expect((await callFrom(page, '/passkey/list-user-passkeys')).body).toMatchObject([{ suspendedAt: expect.any(String) }])
})

test('the user handle of another user is rejected', async () => {
  const plugged = await withAnn()
  const { page } = plugged
  expect((await register(page)).status).toBe(200)
  await callFrom(page, '/sign-out', {})
  await replaceCredential(plugged, { userHandle: Buffer.alloc(32, 7).toString('base64') })
  expect(await signIn(page)).toMatchObject({ status: 400, body: { code: 'AUTHENTICATION_FAILED' } })
})

test.each([
  ['a wrong signature', { isBogusSignature: true }],
  ['no presence of the user', { isBadUP: true }],
  ['no user verification, where it is required', { isBadUV: true }],
])('an authenticator with %s does not sign in', async (_, bits) => {
  const { page, cdp, authenticatorId } = await withAnn({}, { passkey: { requireUserVerification: true } })
  expect((await register(page)).status).toBe(200)
  await callFrom(page, '/sign-out', {})
  await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, ...bits })
  expect(await signIn(page)).toMatchObject({ status: 400, body: { code: 'AUTHENTICATION_FAILED' } })
  await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBogusSignature: false, isBadUP: false, isBadUV: false })
  expect((await signIn(page)).status).toBe(200)
})

test('a page whose origin is not configured adds nothing', async () => {
  const { page } = await withAnn({}, { passkey: { origin: 'http://localhost:1' } })
  expect(await register(page)).toMatchObject({ status: 400, body: { code: 'FAILED_TO_VERIFY_REGISTRATION' } })
})

test('a deleted passkey is removed from the browser by what the error says', async () => {
  const plugged = await withAnn()
  const { page } = plugged
  const { body } = await register(page)
  expect((await callFrom(page, '/passkey/delete-passkey', { id: body.id })).status).toBe(200)
  await callFrom(page, '/sign-out', {})
  const failed = await signIn(page)
  expect(failed).toMatchObject({ status: 401, body: { details: { credentialId: body.credentialID, rpId: 'localhost' } } })
  await page.evaluate(async (details) => {
    const { PublicKeyCredential } = globalThis as unknown as WebAuthn
    await PublicKeyCredential.signalUnknownCredential(details)
  }, failed.body.details)
  await expect.poll(async () => (await credentialsOf(plugged)).length).toBe(0)
})

describe('where authenticators prove their model', () => {
  /** Of the virtual authenticator: its maker signs with one key. */
  async function readModel() {
    const { page } = await withAnn(withoutPIN)
    const { body } = await callFrom(page, '/passkey/generate-register-options')
    const made = await create(page, { ...body, attestation: 'direct' })
    if ('error' in made) throw new Error(made.error)
    const { response } = made.response as { readonly response: { readonly attestationObject: string } }
    const { decodeAttestationObject, isoBase64URL, parseAuthenticatorData, convertAAGUIDToString } = await import(
      '@simplewebauthn/server/helpers'
    )
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
    const { aaguid = new Uint8Array(16) } = parseAuthenticatorData(attestation.get('authData'))
    const roots = (attestation.get('attStmt').get('x5c') ?? []).map((der) => Buffer.from(der).toString('base64'))
    return { aaguid: convertAAGUIDToString(aaguid), attestationRootCertificates: roots }
  }

  test('one of an allowed model is added from a page, and one of another model is not', async () => {
    const model = await readModel()
    const folder = mkdtempSync(join(tmpdir(), 'metadata-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const metadataFile = join(folder, 'metadata.json')
    writeFileSync(metadataFile, JSON.stringify([model, { ...model, aaguid: 'a25342c0-3cdc-4414-8e46-f4807fca511c' }]))
    const added = async (allow: string) => {
      const { page } = await withAnn(withoutPIN, {
        passkey: { attestation: { conveyance: 'direct', allow: [allow], metadataFile } },
      })
      return register(page, { residentKey: 'discouraged' })
    }
    expect(await added('a25342c0-3cdc-4414-8e46-f4807fca511c')).toMatchObject({ status: 400 })
    expect(await added(model.aaguid)).toMatchObject({ status: 200, body: { aaguid: model.aaguid } })
  })
})
