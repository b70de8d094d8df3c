/** Random responses of authenticators: malformed CBOR and changed bytes are rejected, and cost little (contract 12 §11). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { createCertificate } from '../../../tests/kit/certificates.ts'
import { signUp } from '../../../tests/kit/members.ts'

const runs = 150
/** Milliseconds: a response of the largest size takes some. */
const slow = 2000

/** Starts of items that name more bytes, elements or levels than there are (RFC 8949 §3). */
const bombs = [
  '5bffffffffffffffff',
  '9bffffffffffffffff',
  'bbffffffffffffffff',
  '9f',
  'bf',
  '5f',
  'c0',
  'd9ffff',
  'ff',
  'f97e00',
].map((hex) => Buffer.from(hex, 'hex'))

type Change = (bytes: Buffer) => Buffer

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })).map(
    ([at, bits]): Change =>
      (bytes) => {
        const changed = Buffer.from(bytes)
        const position = at % bytes.length
        changed[position] = (changed[position] ?? 0) ^ bits
        return changed
      },
  ),
  fc.nat().map(
    (at): Change =>
      (bytes) =>
        bytes.subarray(0, at % bytes.length),
  ),
  fc.tuple(fc.nat(), fc.constantFrom(...bombs), fc.boolean()).map(
    ([at, bomb, isCut]): Change =>
      (bytes) => {
        const position = at % bytes.length
        return Buffer.concat([bytes.subarray(0, position), bomb, ...(isCut ? [] : [bytes.subarray(position)])])
      },
  ),
  fc.tuple(fc.constantFrom(0x81, 0xa1, 0xc1, 0x9f), fc.integer({ min: 1, max: 40_000 })).map(
    ([byte, length]): Change =>
      () =>
        Buffer.alloc(length, byte),
  ),
  fc.uint8Array({ maxLength: 300 }).map(
    (random): Change =>
      () =>
        Buffer.from(random),
  ),
)

const changed = (text: string, by: Change): string => by(Buffer.from(text, 'base64url')).toString('base64url')

/** The two numbers of an ECDSA signature (RFC 3279 §2.2.3), without the zeros before them. */
function numbersOf(signature: Buffer): readonly [Buffer, Buffer] {
  const second = 4 + (signature[3] ?? 0)
  const withoutZeros = (number: Buffer) => number.subarray(number.findIndex((byte) => byte !== 0))
  return [withoutZeros(signature.subarray(4, second)), withoutZeros(signature.subarray(second + 2))]
}

/** Whether a changed signature still contains both numbers, one after the other. */
function hasSameNumbers(one: string, other: string): boolean {
  const [first, second] = numbersOf(Buffer.from(one, 'base64url'))
  const changed = Buffer.from(other, 'base64url')
  const at = changed.indexOf(first)
  return at >= 0 && changed.includes(second, at + first.length)
}

/**
 * Whether two attestations differ at most in the tag and the length around the numbers of their signature, and in the length of the data
 * at their end, which may be too large.
 */
function isSameAttestation(one: string, other: string): boolean {
  const [from, to] = [one, other].map((text) => Buffer.from(text, 'base64url'))
  if (!from || from.length !== to?.length) return false
  // After the name of the member, and the head of its bytes.
  const [signature, length] = [from.indexOf('sig') + 5, from.indexOf('authData') + 9]
  for (const bytes of [from, to]) bytes.fill(0, signature, signature + 2).fill(0, length, length + 1)
  return from.equals(to)
}

const rejected = [400, 401]
const aaguid = '00000000-0000-0000-0000-000000000000'

test.each(['none', 'packed'])('a registration with a changed attestation (%s) is rejected', async (format) => {
  const certificate = createCertificate({ C: 'SE', O: 'Keys', OU: 'Authenticator Attestation', CN: 'Keys' })
  const certificates = [certificate]
  const folder = mkdtempSync(join(tmpdir(), 'metadata-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const metadataFile = join(folder, 'metadata.json')
  writeFileSync(metadataFile, JSON.stringify({ aaguid, attestationRootCertificates: [certificate.base64] }))
  const asked = { conveyance: 'direct', metadataFile } as const
  const kit = await testApp({ passkey: format === 'none' ? true : { attestation: asked } })
  const { browser } = await signUp(kit, 'Ann')
  const member = fc.constantFrom('attestationObject' as const, 'clientDataJSON' as const)
  await fc.assert(
    fc.asyncProperty(member, change, async (name, by) => {
      const { body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
      const made = createAuthenticator().create(body, { attestation: { format, certificates } })
      const response = { ...made, response: { ...made.response, [name]: changed(made.response[name], by) } }
      const startedAt = performance.now()
      const { status } = await browser.call('POST /passkey/verify-registration', { body: { response } })
      expect(performance.now() - startedAt).toBeLessThan(slow)
      const isSame = name === 'attestationObject' && isSameAttestation(made.response[name], response.response[name])
      // Without a signature, a changed AAGUID or key is another valid passkey.
      expect(format === 'none' || isSame ? [200, ...rejected] : rejected).toContain(status)
      await kit.app.db.deleteFrom('passkey').execute()
    }),
    { numRuns: runs },
  )
})

test('a sign-in with a changed response is rejected', async () => {
  const kit = await testApp({ passkey: true })
  const { browser: ann } = await signUp(kit, 'Ann')
  const device = createAuthenticator()
  const { body: created } = await ann.call('GET /passkey/generate-register-options', { query: {} })
  await ann.call('POST /passkey/verify-registration', { body: { response: { ...device.create(created) } } })
  const member = fc.constantFrom(
    'authenticatorData' as const,
    'clientDataJSON' as const,
    'signature' as const,
    'userHandle' as const,
  )
  await fc.assert(
    fc.asyncProperty(member, change, async (name, by) => {
      const browser = kit.browser()
      const { body } = await browser.call('POST /passkey/generate-authenticate-options', {})
      const made = device.get(body)
      const given = made.response[name] ?? ''
      const response = { ...made, response: { ...made.response, [name]: changed(given, by) } }
      const startedAt = performance.now()
      const { status } = await browser.call('POST /passkey/verify-authentication', { body: { response } })
      expect(performance.now() - startedAt).toBeLessThan(slow)
      // An empty handle is none, as of a security key.
      const isNone = name === 'userHandle' && response.response[name] === ''
      // The numbers are also read when what is around them is wrong: the same proof.
      const isSame = name === 'signature' && hasSameNumbers(given, response.response[name])
      expect(isNone ? [200] : isSame ? [200, ...rejected] : rejected).toContain(status)
    }),
    { numRuns: runs },
  )
})
