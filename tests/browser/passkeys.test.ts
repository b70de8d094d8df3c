/** The calls of passkeys from a page, with the virtual authenticator of Chromium. */
import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Answer } from '../kit/browser.ts'
import { browsers, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const options = browsers[0]?.[1] ?? {}

interface Made {
  toJSON(): object
}
/** What the page has. */
interface WebAuthn {
  readonly PublicKeyCredential: {
    parseCreationOptionsFromJSON(json: unknown): object
    parseRequestOptionsFromJSON(json: unknown): object
    signalUnknownCredential(details: unknown): Promise<void>
  }
  readonly navigator: { readonly credentials: { create(options: object): Promise<Made>; get(options: object): Promise<Made> } }
}

/** Sends a call from the page. */
const call = (page: Page, path: string, body?: object): Promise<Pick<Answer, 'status' | 'body'>> =>
  page.evaluate(
    async ([path, body]) => {
      const init = body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}
      const response = await fetch(`/api/auth${path}`, init)
      return { status: response.status, body: await response.json() }
    },
    [path, body] as const,
  )

/** What a page does: options, the browser's own dialog, and the verification. */
async function register(page: Page) {
  const { body: options } = await call(page, '/passkey/generate-register-options')
  const response = await page.evaluate(async (json) => {
    const { PublicKeyCredential, navigator } = globalThis as unknown as WebAuthn
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
    return (await navigator.credentials.create({ publicKey })).toJSON()
  }, options)
  return call(page, '/passkey/verify-registration', { response })
}

async function signIn(page: Page, mediation: 'optional' | 'conditional' = 'optional') {
  const { body: options } = await call(page, '/passkey/generate-authenticate-options')
  const response = await page.evaluate(
    async ([json, mediation]) => {
      const { PublicKeyCredential, navigator } = globalThis as unknown as WebAuthn
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json)
      return (await navigator.credentials.get({ publicKey, mediation })).toJSON()
    },
    [options, mediation] as const,
  )
  return call(page, '/passkey/verify-authentication', { response })
}

async function plugIn(page: Page, more: object = {}): Promise<{ readonly cdp: CDPSession; readonly authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const platform = {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  }
  const options = { ...platform, isUserVerified: true, automaticPresenceSimulation: true, ...more }
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: options as never })
  return { cdp, authenticatorId }
}

/** A page with a browser in which Ann is signed in. */
async function withAnn(more: object = {}) {
  const site = await hostedPages({ passkey: true })
  const page = await site.open('/sign-in', options)
  const plugged = await plugIn(page, more)
  expect((await call(page, '/sign-up/email', ann)).status).toBe(200)
  return { ...site, ...plugged, page }
}

test.each(['optional', 'conditional'] as const)('Chromium adds a passkey, and signs in with it: %s', async (mediation) => {
  const { page } = await withAnn({ defaultBackupEligibility: true, defaultBackupState: true })
  const added = await register(page)
  expect([added.status, added.body.deviceType, added.body.backedUp]).toEqual([200, 'multiDevice', true])
  await call(page, '/sign-out', {})
  const { status, body } = await signIn(page, mediation)
  expect([status, body.user?.email]).toEqual([200, ann.email])
})

test('a security key without user verification signs in, and a lower counter suspends it', async () => {
  const { page, cdp, authenticatorId } = await withAnn({
    hasUserVerification: false,
    isUserVerified: false,
    transport: 'usb',
    ctap2Version: 'ctap2_0',
  })
  const added = await register(page)
  expect([added.status, added.body.deviceType]).toEqual([200, 'singleDevice'])
  expect((await signIn(page)).status).toBe(200)
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  const [copied] = credentials
  if (!copied) throw new Error('The authenticator has no passkey')
  await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copied.credentialId })
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...copied, signCount: 0 } })
  expect(await signIn(page)).toMatchObject({ status: 400, body: { code: 'AUTHENTICATION_FAILED' } })
  expect((await call(page, '/passkey/list-user-passkeys')).body).toMatchObject([{ suspendedAt: expect.any(String) }])
})

test('a deleted passkey is removed from the browser by what the error says', async () => {
  const { page, cdp, authenticatorId } = await withAnn()
  const { body } = await register(page)
  expect((await call(page, '/passkey/delete-passkey', { id: body.id })).status).toBe(200)
  await call(page, '/sign-out', {})
  const failed = await signIn(page)
  expect(failed).toMatchObject({ status: 401, body: { details: { credentialId: body.credentialID, rpId: 'localhost' } } })
  await page.evaluate(async (details) => {
    const { PublicKeyCredential } = globalThis as unknown as WebAuthn
    await PublicKeyCredential.signalUnknownCredential(details)
  }, failed.body.details)
  await expect.poll(async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length).toBe(0)
})
