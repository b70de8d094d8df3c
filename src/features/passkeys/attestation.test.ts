/** Passkeys of certain authenticators only: what an authenticator proves of its model, and the file of the operator (contract 12 §1). */
import { sign, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { type Certificate, createCertificate } from '../../../tests/kit/certificates.ts'
import { signUp } from '../../../tests/kit/members.ts'
import { configParser } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList } from '../index.ts'
import { readSignedList } from './metadata.ts'

const key = 'a25342c0-3cdc-4414-8e46-f4807fca511c'
const other = 'ee882879-721c-4913-9775-3dfcce97072a'

const maker = createCertificate({ CN: 'Keys Root' }, { isAuthority: true })
const between = createCertificate({ CN: 'Keys Issuing' }, { issuer: maker, isAuthority: true })
const device = { C: 'SE', O: 'Keys', OU: 'Authenticator Attestation', CN: 'Keys Batch 1' }
const leaf = createCertificate(device, { issuer: maker, aaguid: key })
const deepLeaf = createCertificate(device, { issuer: between, aaguid: key })
const forgedMaker = createCertificate({ CN: 'Keys Root' }, { isAuthority: true })

const statement = (aaguid: string, roots: readonly Certificate[] = [maker]) => ({
  ...{ aaguid, description: 'Key', attestationRootCertificates: roots.map(({ base64 }) => base64) },
})

function fileWith(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'metadata-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'metadata'), typeof content === 'string' ? content : JSON.stringify(content))
  return join(folder, 'metadata')
}

type Options = Exclude<NonNullable<ConfigFile['passkey']>, boolean>
type AttestationOptions = NonNullable<Options['attestation']>

async function arrive(attestation: AttestationOptions) {
  const kit = await testApp({ passkey: { attestation } })
  const { browser } = await signUp(kit, 'Ann')
  const options = async () => (await browser.call('GET /passkey/generate-register-options', { query: {} })).body
  type Wishes = Parameters<ReturnType<typeof createAuthenticator>['create']>[1]
  const register = async (wishes: Wishes, visitor: Browser = browser) => {
    const response = createAuthenticator({ backupEligible: false, backedUp: false }).create(await options(), {
      aaguid: key,
      ...wishes,
    })
    const { status, body } = await visitor.call('POST /passkey/verify-registration', { body: { response: { ...response } } })
    return status === 200 ? 'added' : `${status} ${body.message}`
  }
  const rejected = async () =>
    (await kit.app.db.selectFrom('auditEvent').select('details').where('action', '=', 'passkey.rejected').execute()).map(
      ({ details }) => (typeof details === 'string' ? JSON.parse(details) : details).reason,
    )
  return { ...kit, options, register, rejected }
}

const packed = (...certificates: readonly Certificate[]) => ({ attestation: { format: 'packed', certificates } })
const failed = '400 Failed to verify registration'

describe('with models that are allowed', () => {
  const allowed = () => arrive({ conveyance: 'direct', allow: [key], metadataFile: fileWith([statement(key), statement(other)]) })

  test('the options ask for an attestation', async () => {
    const { options } = await allowed()
    expect((await options()).attestation).toBe('direct')
    const enterprise = await arrive({ conveyance: 'enterprise', metadataFile: fileWith(statement(key)) })
    expect((await enterprise.options()).attestation).toBe('enterprise')
  })

  test('adds a passkey whose model a certificate of its maker proves, directly or through another one', async () => {
    const { register, app } = await allowed()
    expect(await register(packed(leaf))).toBe('added')
    expect(await register(packed(deepLeaf, between))).toBe('added')
    expect(await app.db.selectFrom('passkey').select('aaguid').execute()).toEqual([{ aaguid: key }, { aaguid: key }])
  })

  test.each([
    [
      'of another model, which is attested',
      'model-not-allowed',
      { aaguid: other, ...packed(createCertificate(device, { issuer: maker, aaguid: other })) },
    ],
    [
      'of a model that is in no file',
      'model-not-allowed',
      { aaguid: '0'.repeat(8) + key.slice(8), ...packed(createCertificate(device, { issuer: maker })) },
    ],
    ['without an attestation, though one was asked for', 'not-attested', {}],
    ['that attests itself', 'not-attested', packed()],
    ['with a certificate that signs itself', 'not-trusted', packed(createCertificate(device, { aaguid: key }))],
    [
      'of an authority with the name of the maker',
      'not-trusted',
      packed(createCertificate(device, { issuer: forgedMaker, aaguid: key })),
    ],
    ['whose chain has a gap', 'not-trusted', packed(deepLeaf)],
    [
      'of a certificate that may not issue others',
      'not-trusted',
      packed(createCertificate(device, { issuer: leaf, aaguid: key }), leaf),
    ],
    [
      'of an authority that has expired',
      'not-trusted',
      (() => {
        const old = createCertificate({ CN: 'Old' }, { issuer: maker, isAuthority: true, valid: [2015, 2016] })
        return packed(createCertificate(device, { issuer: old, aaguid: key }), old)
      })(),
    ],
  ])('rejects one %s', async (_, reason, wishes) => {
    const { register, rejected, app } = await allowed()
    expect(await register(wishes)).toBe(failed)
    expect(await rejected()).toEqual([reason])
    expect(await app.db.selectFrom('passkey').selectAll().execute()).toEqual([])
  })

  test.each([
    ['whose certificate names another model', packed(createCertificate(device, { issuer: maker, aaguid: other }))],
    ['whose signature is of another key', packed({ ...leaf, key: maker.key })],
    ['of an unknown format', { attestation: { format: 'compound', certificates: [leaf] } }],
    ['of a format that names lists to fetch', { attestation: { format: 'android-key', certificates: [leaf] } }],
  ])('rejects one %s', async (_, wishes) => {
    const { register, rejected } = await allowed()
    expect(await register(wishes)).toBe(failed)
    expect(await rejected()).toEqual([])
  })

  test('rejects a response that is too large before it is parsed', async () => {
    const { register } = await allowed()
    const chain = [leaf, ...Array.from({ length: 220 }, () => between)]
    expect(await register(packed(...chain))).toMatch(/^400 /)
    expect(await register({ ...packed(leaf), clientExtensionResults: { text: 'x'.repeat(70_000) } })).toMatch(/^400 /)
  })

  test('is not offered where the browser creates a passkey without a dialog, which has no attestation', async () => {
    const { browser } = await allowed()
    expect((await browser().call('GET /public-settings', {})).body.passkey.autoRegister).toBe(false)
  })
})

test('without a list, each model of the file may be added', async () => {
  const { register } = await arrive({ conveyance: 'direct', metadataFile: fileWith([statement(key), statement(other)]) })
  expect(await register(packed(leaf))).toBe('added')
  expect(await register({ aaguid: other, ...packed(createCertificate(device, { issuer: maker, aaguid: other })) })).toBe('added')
})

test('an attestation never lets the daemon fetch what it names', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => fetched.mockRestore())
  const { register } = await arrive({ conveyance: 'none' })
  for (const format of ['android-key', 'apple', 'android-safetynet'])
    expect(await register({ attestation: { format, certificates: [leaf, maker] } })).toBe(failed)
  expect(await register(packed(deepLeaf, between))).toBe('added')
  expect(fetched).not.toHaveBeenCalled()
})

const base = {
  secret: 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c',
  database: { url: 'sqlite::memory:' },
  baseURL: 'https://auth.acme.test',
}
const parse = configParser(featureList)
function issuesOf(attestation: AttestationOptions): string[] {
  const parsed = parse({ ...base, passkey: { attestation } })
  return 'issues' in parsed ? parsed.issues.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('the configuration', () => {
  test('has no list of models without an attestation, because a model is a claim then', () => {
    expect(issuesOf({ allow: [key] })).toEqual([expect.stringContaining('Without attestation the model')])
    expect(issuesOf({ conveyance: 'none', metadataFile: 'file' })).toEqual([expect.stringContaining('Without attestation')])
  })

  test('needs the certificates of the makers', () => {
    expect(issuesOf({ conveyance: 'direct' })).toEqual([expect.stringContaining('No attestation can be verified')])
  })

  test.each([
    ['that does not exist', () => '/nowhere/metadata', 'it does not exist'],
    ['that is a folder', () => tmpdir(), 'it cannot be read (EISDIR)'],
    ['with anything else', () => fileWith('{"a"'), 'neither a list'],
    ['with an unsigned list', () => fileWith('e30.e30.'), 'neither a list'],
    ['with a list of another signer', () => fileWith(signedList({ roots: [maker] }).text), 'its signer is not the FIDO Alliance'],
  ])('rejects a file %s', (_, file, reason) => {
    expect(issuesOf({ conveyance: 'direct', metadataFile: file() })).toEqual([expect.stringContaining(reason)])
  })

  test('names a model of the list that the file has no certificate for', () => {
    const metadataFile = fileWith([statement(key), statement(other, [])])
    expect(issuesOf({ conveyance: 'direct', metadataFile, allow: [key] })).toEqual([])
    expect(issuesOf({ conveyance: 'direct', metadataFile, allow: [key, other] })).toEqual([expect.stringContaining(other)])
  })
})

interface ListWishes {
  readonly roots?: readonly Certificate[]
  readonly signer?: Certificate
  readonly chain?: readonly Certificate[]
  readonly nextUpdate?: string
  readonly status?: string
}

const root = createCertificate({ CN: 'Web Root' }, { isAuthority: true })
const hosts = ['mds.fidoalliance.org']
const fido = createCertificate({ CN: 'mds.fidoalliance.org' }, { issuer: root, hosts })

function signedList({ roots = [maker], signer = fido, chain = [signer], nextUpdate = '2026-02-15', status }: ListWishes = {}) {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const entries = [
    {
      aaguid: key,
      metadataStatement: statement(key, roots),
      statusReports: status ? [{ status }] : [],
      timeOfLastStatusChange: '2026-01-01',
    },
    { attestationCertificateKeyIdentifiers: ['00'], metadataStatement: { attestationRootCertificates: [] }, statusReports: [] },
  ]
  const signed = `${part({ alg: 'ES256', typ: 'JWT', x5c: chain.map(({ base64 }) => base64) })}.${part({ no: 7, nextUpdate, entries })}`
  const signature = sign('sha256', Buffer.from(signed), { key: signer.key, dsaEncoding: 'ieee-p1363' })
  return { text: `${signed}.${signature.toString('base64url')}`, anchors: [root] }
}

describe('the list of the FIDO Alliance', () => {
  const read = (wishes: ListWishes = {}) => {
    const { text, anchors } = signedList(wishes)
    return readSignedList(
      text,
      anchors.map(({ der }) => new X509Certificate(der)),
    )
  }

  test('has the certificates of a model, its problem, and when the next one is published', () => {
    expect(read().models.get(key)).toEqual({ roots: [maker.base64], problem: null })
    expect(read().nextUpdate).toEqual(new Date('2026-02-15'))
    expect(read({ status: 'FIDO_CERTIFIED' }).models.get(key)?.problem).toBeNull()
    expect(read({ status: 'REVOKED' }).models.get(key)?.problem).toBe('REVOKED')
  })

  test('is read when it is old, and its signer has expired since', () => {
    const signer = createCertificate({ CN: 'mds.fidoalliance.org' }, { issuer: root, valid: [2020, 2021] })
    expect(read({ signer, nextUpdate: '2022-01-01' }).models.size).toBe(1)
  })

  test.each([
    ['of another domain', { signer: createCertificate({ CN: 'example.com' }, { issuer: root, hosts: ['example.com'] }) }],
    ['of another authority', { signer: createCertificate({ CN: 'mds.fidoalliance.org' }, { issuer: forgedMaker, hosts }) }],
    ['whose name only ends like it', { signer: createCertificate({ CN: 'notfidoalliance.org' }, { issuer: root }) }],
    [
      'who was not valid yet',
      { signer: createCertificate({ CN: 'mds.fidoalliance.org' }, { issuer: root, valid: [2030, 2031] }) },
    ],
  ])('is rejected when its signer is one %s', (_, wishes: ListWishes) => {
    expect(() => read(wishes)).toThrow('its signer is not the FIDO Alliance')
  })

  test('is rejected when another key has signed it, or it was changed', () => {
    expect(() => read({ signer: { ...fido, key: maker.key } })).toThrow('its signature is not valid')
  })
})
