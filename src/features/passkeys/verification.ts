/** Verifies what authenticators respond: the library checks formats and signatures, and this file what it leaves to its callers. */
import type { VerifiedAuthenticationResponse, VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { fitsAsJSONBytes } from '../../lib/objects.ts'
import { errorReason, printable } from '../../lib/redact.ts'
import { type AttestationProblem, checkFormat, findAttestationProblem } from './attestation.ts'
import { expectedOrigins, rpIDOf } from './config.ts'
import type { PasskeyRow } from './store.ts'

const maxBytes = 65_536
const maxLevels = 16

/** A response of a browser. Parsing a large attestation would take seconds, so that its size is checked first. */
export const browserResponse = z
  .record(z.string(), z.unknown())
  .refine((response) => fitsAsJSONBytes(response, maxBytes, maxLevels))
  .meta({
    description: 'What the browser returned, as JSON (WebAuthn Level 3 §5.1)',
    examples: [{ id: '2uHd8fGa4eKp6iOqYxT0Ak3J0mQy7vZ1bXcR5tL9wNs', type: 'public-key', response: {} }],
  })
export type BrowserResponse = z.output<typeof browserResponse>

const clientData = z.object({
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
  challenge: z.string().optional(),
})
const inner = z.object({
  clientDataJSON: z.string(),
  userHandle: z.string().nullish(),
  transports: z.array(z.string()).optional().catch(undefined),
  attestationObject: z.string().default(''),
})

const innerOf = ({ response }: BrowserResponse) => inner.parse(response)

/** A page in a frame of another site could let its visitor sign in without knowing. Safari does not name the other site. */
function checkFrame({ config }: App, response: BrowserResponse): z.output<typeof clientData> {
  const text = Buffer.from(innerOf(response).clientDataJSON, 'base64url').toString('utf8')
  const data = clientData.parse(JSON.parse(text))
  const { crossOrigin = false, topOrigin } = data
  const { allowedTopOrigins } = config.passkey
  if (!crossOrigin) return data
  if (allowedTopOrigins.length === 0) throw new Error('The page is in a frame of another site')
  if (topOrigin !== undefined && !allowedTopOrigins.includes(topOrigin))
    throw new Error('The page is in a frame of an unknown site')
  return data
}

/** Why a response was rejected, for the log and the audit log. */
export interface Rejection {
  /** A short word, such as `origin`. */
  readonly rejected: string
}

/** The words for the audit log by the texts of the library, and of this file. The texts themselves contain what strangers sent. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/response type/i, 'type'],
  [/challenge/i, 'challenge'],
  [/frame|cross-origin|top origin/i, 'frame'],
  [/origin/i, 'origin'],
  [/RP ?ID/i, 'domain'],
  [/user not present/i, 'user-not-present'],
  [/user verification/i, 'user-not-verified'],
  [/user handle/i, 'user-handle'],
  [/backup eligibility/i, 'backup-eligibility'],
  [/signature is not valid/i, 'signature'],
]

/** Notes why a response of an authenticator was rejected; its user learns no more than that it was. */
export function logRejection({ log }: App, ceremony: string, reason: string): Rejection {
  log.info({ ceremony, reason }, 'A response of an authenticator was rejected')
  return { rejected: reason }
}

/** Responses of browsers are untrusted: whatever they make the library throw is a failed verification. */
async function reasonLogged<T>(app: App, ceremony: string, verify: () => Promise<T>): Promise<T | Rejection> {
  return verify().catch((error: unknown) => {
    const reason = printable(error instanceof z.ZodError ? 'malformed response' : errorReason(error)).slice(0, 300)
    logRejection(app, ceremony, reason)
    return { rejected: reasons.find(([text]) => text.test(reason))?.[1] ?? 'malformed' }
  })
}

/** The names that browsers use; anything else would be kept as it was sent. */
const knownTransports = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

export interface NewCredential {
  /** The one of the expected challenges that was signed. */
  readonly challenge: string
  readonly credentialID: string
  /** COSE, base64. */
  readonly publicKey: string
  readonly counter: number
  readonly deviceType: 'singleDevice' | 'multiDevice'
  readonly backedUp: boolean
  readonly aaguid: string
  readonly transports: string
  readonly isUserVerified: boolean
  readonly isUserPresent: boolean
  /** Whether the authenticator stored it; null: it did not say. */
  readonly isResident: boolean | null
  /** Of the page that has created it. */
  readonly origin: string
  /** Why it is not a passkey of an authenticator that is allowed; null: it is one, or each is. */
  readonly attestationProblem: AttestationProblem | null
  /** For a function of the configuration. */
  readonly verification: VerifiedRegistrationResponse
}

const transportsOf = (response: BrowserResponse): string =>
  [...new Set(innerOf(response).transports?.filter((name) => knownTransports.has(name)))].join(',')

const extensions = z.object({ credProps: z.object({ rk: z.boolean() }) })

const userPresent = 1

/**
 * @param expected challenges of which one must be signed
 * @param options.isPresenceOptional accept a passkey that the browser created without a dialog (Level 3 §7.1)
 */
export function verifyNewCredential(
  app: App,
  response: BrowserResponse,
  expected: readonly string[],
  { isPresenceOptional }: { readonly isPresenceOptional: boolean },
): Promise<NewCredential | Rejection> {
  return reasonLogged(app, 'registration', async () => {
    const { challenge = '' } = checkFrame(app, response)
    // Loaded with the first passkey: it takes a tenth of a second.
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(innerOf(response).attestationObject))
    checkFormat(app, attestation.get('fmt'))
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      response: response as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: (one) => expected.includes(one),
      expectedOrigin: [...expectedOrigins(app)],
      expectedRPID: rpIDOf(app.config),
      requireUserPresence: !isPresenceOptional,
      requireUserVerification: app.config.passkey.requireUserVerification,
      supportedAlgorithmIDs: [...app.config.passkey.algorithms],
    })
    if (!verified) throw new Error('The attestation is not valid')
    const properties = extensions.safeParse(response.clientExtensionResults)
    return {
      ...{ challenge, credentialID: info.credential.id, counter: info.credential.counter },
      publicKey: Buffer.from(info.credential.publicKey).toString('base64'),
      deviceType: info.credentialDeviceType,
      backedUp: info.credentialBackedUp,
      aaguid: info.aaguid,
      transports: transportsOf(response),
      isUserVerified: info.userVerified,
      isUserPresent: ((attestation.get('authData')[32] ?? 0) & userPresent) !== 0,
      isResident: properties.success ? properties.data.credProps.rk : null,
      origin: info.origin,
      attestationProblem: findAttestationProblem(app, info.aaguid, attestation.get('attStmt').get('x5c')),
      verification: { verified, registrationInfo: info },
    }
  })
}

export interface Assertion {
  readonly counter: number
  readonly backedUp: boolean
  readonly isUserVerified: boolean
  /** Of the page that has used it. */
  readonly origin: string
  /** For a function of the configuration. */
  readonly verification: VerifiedAuthenticationResponse
}

/**
 * Verifies everything but the counter, about which the row decides.
 * @param expected challenges of which one must be signed
 */
export function verifySignature(
  app: App,
  passkey: PasskeyRow,
  response: BrowserResponse,
  expected: readonly string[],
): Promise<Assertion | Rejection> {
  return reasonLogged(app, 'authentication', async () => {
    checkFrame(app, response)
    const { userHandle } = innerOf(response)
    if (userHandle && passkey.userHandle !== null && userHandle !== passkey.userHandle)
      throw new Error('The user handle belongs to another user')
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { allowedTopOrigins, requireUserVerification } = app.config.passkey
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: response as unknown as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: (challenge) => expected.includes(challenge),
      expectedOrigin: [...expectedOrigins(app)],
      expectedRPID: passkey.rpID,
      credential: { id: passkey.credentialID, publicKey: Buffer.from(passkey.publicKey, 'base64'), counter: 0 },
      requireUserVerification,
      ...(allowedTopOrigins.length > 0 && { expectedTopOrigin: [...allowedTopOrigins] }),
    })
    if (!verified) throw new Error('The signature is not valid')
    // It cannot change for a passkey (Level 3 §7.2).
    if (info.credentialDeviceType !== passkey.deviceType) throw new Error('The backup eligibility has changed')
    return {
      ...{ counter: info.newCounter, backedUp: info.credentialBackedUp, isUserVerified: info.userVerified, origin: info.origin },
      verification: { verified, authenticationInfo: info },
    }
  })
}
