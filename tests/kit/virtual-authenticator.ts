/** The virtual authenticator of Chromium, and the calls of passkeys from a page. */
import type { CDPSession, Page } from 'playwright-core'
import type { Answer } from './browser.ts'

interface Made {
  toJSON(): object
}
/** What the page has. */
export interface WebAuthn {
  readonly PublicKeyCredential: {
    parseCreationOptionsFromJSON(json: unknown): object
    parseRequestOptionsFromJSON(json: unknown): object
    signalUnknownCredential(details: unknown): Promise<void>
    getClientCapabilities(): Promise<Readonly<Record<string, boolean>>>
  }
  readonly navigator: { readonly credentials: { create(options: object): Promise<Made>; get(options: object): Promise<Made> } }
}

export interface PluggedIn {
  readonly cdp: CDPSession
  readonly authenticatorId: string
}

/** A device with a fingerprint reader, which its user touches without being asked. @param more other properties of it */
export async function plugIn(page: Page, more: object = {}): Promise<PluggedIn> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const platform = { protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasResidentKey: true }
  const verifying = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
  const options = { ...platform, ...verifying, ...more }
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: options as never })
  return { cdp, authenticatorId }
}

/** Security keys without a PIN: by the protocol, and whether they have room for passkeys. */
export const securityKeys = {
  'CTAP 2.1': { protocol: 'ctap2', ctap2Version: 'ctap2_1', hasResidentKey: true },
  'CTAP 2.0': { protocol: 'ctap2', ctap2Version: 'ctap2_0', hasResidentKey: false },
  U2F: { protocol: 'u2f', hasResidentKey: false },
} as const

export const withoutPIN = { transport: 'usb', hasUserVerification: false, isUserVerified: false } as const

/** Binary members are base64. */
interface Credential {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly privateKey: string
  readonly signCount: number
  readonly rpId?: string
  readonly userName?: string
  readonly userDisplayName?: string
}

export const credentialsOf = async ({ cdp, authenticatorId }: PluggedIn): Promise<readonly Credential[]> =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials

/** Stores the only passkey again, with other properties. */
export async function replaceCredential({ cdp, authenticatorId }: PluggedIn, other: object): Promise<void> {
  const [credential] = await credentialsOf({ cdp, authenticatorId })
  if (!credential) throw new Error('The authenticator has no passkey')
  await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId })
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, ...other } })
}

type Result = Pick<Answer, 'status' | 'body'>

/** Sends a call from the page. */
export const callFrom = (page: Page, path: string, body?: object): Promise<Result> =>
  page.evaluate(
    async ([path, body]) => {
      const init = body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}
      const response = await fetch(`/api/auth${path}`, init)
      return { status: response.status, body: await response.json() }
    },
    [path, body] as const,
  )

/** @returns the response of the authenticator, or the name of the error of the browser */
export const create = (page: Page, options: object): Promise<{ response: object } | { error: string }> =>
  page.evaluate(async (json) => {
    const { PublicKeyCredential, navigator } = globalThis as unknown as WebAuthn
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
    return navigator.credentials.create({ publicKey }).then(
      (made) => ({ response: made.toJSON() }),
      (error: Error) => ({ error: error.name }),
    )
  }, options)

/** @returns the response of the authenticator, or the name of the error of the browser */
const get = (page: Page, options: object, mediation = 'optional'): Promise<{ response: object } | { error: string }> =>
  page.evaluate(
    async ([json, mediation]) => {
      const { PublicKeyCredential, navigator } = globalThis as unknown as WebAuthn
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json)
      return navigator.credentials.get({ publicKey, mediation }).then(
        (made) => ({ response: made.toJSON() }),
        (error: Error) => ({ error: error.name }),
      )
    },
    [options, mediation] as const,
  )

type Outcome = Result & { readonly error?: string }
const browserError = (error: string): Outcome => ({ status: 0, body: null as never, error })

/** What a page does: options, the browser's own dialog, and the verification. @param wishes members of `authenticatorSelection` */
export async function register(page: Page, wishes: object = {}): Promise<Outcome> {
  const { body } = await callFrom(page, '/passkey/generate-register-options')
  const made = await create(page, { ...body, authenticatorSelection: { ...body.authenticatorSelection, ...wishes } })
  if ('error' in made) return browserError(made.error)
  return callFrom(page, '/passkey/verify-registration', { response: made.response })
}

/** @param wishes members of the options */
export async function signIn(page: Page, wishes: object = {}, mediation?: 'conditional'): Promise<Outcome> {
  const { body } = await callFrom(page, '/passkey/generate-authenticate-options')
  const made = await get(page, { ...body, ...wishes }, mediation)
  if ('error' in made) return browserError(made.error)
  return callFrom(page, '/passkey/verify-authentication', { response: made.response })
}
