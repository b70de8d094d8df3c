/** X.509 certificates for tests, written in DER (ITU-T X.690): authorities, authenticators, and servers of several names. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'

const encode = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]) => encode(0x30, ...parts)
const octets = (...parts: readonly Uint8Array[]) => encode(0x04, ...parts)
const bits = (bytes: Uint8Array) => encode(0x03, Buffer.from([0]), bytes)
const integer = (bytes: Uint8Array) => encode(0x02, Buffer.from([1]), bytes)
const utcTime = (year: number) => encode(0x17, Buffer.from(`${String(year).slice(2)}0101000000Z`))

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number)
  const base128 = (value: number): number[] => [
    ...(value > 127 ? base128(value >> 7).map((part) => part | 128) : []),
    value & 127,
  ]
  return encode(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]))
}

const attributes = { C: '2.5.4.6', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3' } as const
type Subject = Partial<Record<keyof typeof attributes, string>>
const nameOf = (subject: Subject): Buffer =>
  sequence(
    ...Object.entries(subject).map(([name, value]) =>
      encode(0x31, sequence(oid(attributes[name as keyof Subject]), encode(name === 'C' ? 0x13 : 0x0c, Buffer.from(value)))),
    ),
  )

const extension = (id: string, value: Uint8Array) => sequence(oid(id), octets(value))

export interface Certificate {
  readonly der: Buffer
  readonly pem: string
  readonly base64: string
  readonly key: KeyObject
  readonly subject: Subject
}

interface Wishes {
  /** Absent: it signs itself. */
  readonly issuer?: Pick<Certificate, 'key' | 'subject'>
  readonly isAuthority?: boolean
  /** Names of a server. */
  readonly hosts?: readonly string[]
  /** Of the model that it attests. */
  readonly aaguid?: string
  /** First days of years. */
  readonly valid?: readonly [from: number, until: number]
}

const ecdsaWithSHA256 = sequence(oid('1.2.840.10045.4.3.2'))

export function createCertificate(subject: Subject, wishes: Wishes = {}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { issuer = { key: privateKey, subject }, isAuthority = false, hosts, aaguid, valid = [2020, 2049] } = wishes
  const extensions = [
    extension('2.5.29.19', isAuthority ? sequence(Buffer.from([0x01, 0x01, 0xff])) : sequence()),
    ...(hosts ? [extension('2.5.29.17', sequence(...hosts.map((host) => encode(0x82, Buffer.from(host)))))] : []),
    ...(aaguid ? [extension('1.3.6.1.4.1.45724.1.1.4', octets(Buffer.from(aaguid.replaceAll('-', ''), 'hex')))] : []),
  ]
  const signed = sequence(
    encode(0xa0, encode(0x02, Buffer.from([2]))),
    ...[integer(randomBytes(8)), ecdsaWithSHA256, nameOf(issuer.subject)],
    ...[sequence(utcTime(valid[0]), utcTime(valid[1])), nameOf(subject)],
    publicKey.export({ format: 'der', type: 'spki' }),
    encode(0xa3, sequence(...extensions)),
  )
  const der = sequence(signed, ecdsaWithSHA256, bits(sign('sha256', signed, issuer.key)))
  const base64 = der.toString('base64')
  return { der, base64, pem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`, key: privateKey, subject }
}

/** As `--ignore-certificate-errors-spki-list` of Chromium wants it. */
export const publicKeyHash = ({ key }: Certificate): string =>
  createHash('sha256')
    .update(createPublicKey(key).export({ format: 'der', type: 'spki' }))
    .digest('base64')

export const privatePem = ({ key }: Certificate): string =>
  createPrivateKey({ key: key.export({ format: 'der', type: 'pkcs8' }), format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  }) as string
