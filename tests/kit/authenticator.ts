/** An authenticator in software: it makes ES256 passkeys and signs with them as WebAuthn Level 3 §6 says, and as wrongly as a test wants. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Certificate } from './certificates.ts'

interface Flags {
  readonly userPresent?: boolean
  readonly userVerified?: boolean
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
}
interface Wishes extends Flags {
  readonly origin?: string
  readonly type?: string
  readonly challenge?: string
  readonly rpId?: string
  readonly counter?: number
  readonly userHandle?: string | null
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  readonly aaguid?: string
  readonly clientExtensionResults?: object
  readonly transports?: readonly string[] | null
  /** The statement of the attestation; default: none. */
  readonly attestation?: Attestation
}
interface Attestation {
  readonly format: string
  /** Signs in place of the passkey itself. */
  readonly certificates?: readonly Pick<Certificate, 'der' | 'key'>[]
}
interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')

/** The head of a CBOR item (RFC 8949 §3). */
function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytesOf = (value: Uint8Array) => Buffer.concat([head(2, value.length), value])
const list = (...items: readonly Buffer[]) => Buffer.concat([head(4, items.length), ...items])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...pairs: readonly Buffer[]) => Buffer.concat([head(5, pairs.length / 2), ...pairs])

/** A COSE key (RFC 9053 §7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const curve = [integer(1), integer(2), integer(3), integer(-7), integer(-1), integer(1)]
  return map(...curve, integer(-2), bytesOf(Buffer.from(x, 'base64url')), integer(-3), bytesOf(Buffer.from(y, 'base64url')))
}

const clientDataOf = (
  type: string,
  challenge: string,
  { origin = 'http://localhost:3000', crossOrigin = false, topOrigin, ...wishes }: Wishes,
) =>
  Buffer.from(
    JSON.stringify({
      ...{ type: wishes.type ?? type, challenge: wishes.challenge ?? challenge, origin, crossOrigin },
      ...(topOrigin !== undefined && { topOrigin }),
    }),
  )

function authenticatorData(rpId: string, counter: number, flags: Flags, attested = Buffer.alloc(0)): Buffer {
  const { userPresent = true, userVerified = true, backupEligible = true, backedUp = true } = flags
  const bits = [userPresent, false, userVerified, backupEligible, backedUp, false, attested.length > 0]
  const flagByte = bits.reduce((sum, bit, at) => sum | (Number(bit) << at), 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flagByte]), count, attested])
}

/** The statement of the format `packed` (WebAuthn Level 3 §8.2), whatever its name; of `none` it is empty. */
function statementOf({ format, certificates = [] }: Attestation, signed: Buffer, ownKey: KeyObject): Buffer {
  if (format === 'none') return map()
  const signature = sign('sha256', signed, certificates[0]?.key ?? ownKey)
  const chain = certificates.length > 0 ? [text('x5c'), list(...certificates.map(({ der }) => bytesOf(der)))] : []
  return map(text('alg'), integer(-7), text('sig'), bytesOf(signature), ...chain)
}

/** @param kind flags that it always sets; a synced passkey by default */
export function createAuthenticator(kind: Flags = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const made = { handle: '', rpId: '' }
  return {
    id: base64url(id),
    /** As `navigator.credentials.create` responds, in JSON. */
    create({ challenge, rp, user }: CreationOptions, wishes: Wishes = {}) {
      Object.assign(made, { handle: user.id, rpId: rp.id })
      const { aaguid = '00000000-0000-0000-0000-000000000000', transports = ['internal'], clientExtensionResults } = wishes
      const length = Buffer.from([id.length >> 8, id.length & 255])
      const attested = Buffer.concat([Buffer.from(aaguid.replaceAll('-', ''), 'hex'), length, id, coseKey(publicKey)])
      const data = authenticatorData(wishes.rpId ?? rp.id, wishes.counter ?? 0, { ...kind, ...wishes }, attested)
      const { attestation: wanted = { format: 'none' } } = wishes
      const clientData = clientDataOf('webauthn.create', challenge, wishes)
      const statement = statementOf(wanted, Buffer.concat([data, sha256(clientData)]), privateKey)
      const attestation = map(text('fmt'), text(wanted.format), text('attStmt'), statement, text('authData'), bytesOf(data))
      return {
        ...{ id: base64url(id), rawId: base64url(id), type: 'public-key', authenticatorAttachment: 'platform' },
        response: {
          clientDataJSON: base64url(clientData),
          attestationObject: base64url(attestation),
          ...(transports && { transports }),
        },
        clientExtensionResults: clientExtensionResults ?? { credProps: { rk: true } },
      }
    },
    /** As `navigator.credentials.get` responds, in JSON. */
    get({ challenge }: { readonly challenge: string }, wishes: Wishes = {}) {
      const data = authenticatorData(wishes.rpId ?? made.rpId, wishes.counter ?? 0, { ...kind, ...wishes })
      const clientData = clientDataOf('webauthn.get', challenge, wishes)
      const { userHandle = made.handle } = wishes
      return {
        ...{ id: base64url(id), rawId: base64url(id), type: 'public-key', authenticatorAttachment: 'platform' },
        response: {
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)),
          ...(userHandle !== null && { userHandle }),
        },
        clientExtensionResults: {},
      }
    },
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>
