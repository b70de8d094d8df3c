/** TLS connections to a database server, verified and not. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DatabaseOptions } from '../../src/adapters/database/dialect.ts'
import { type OpenDatabase, openDatabase } from '../../src/adapters/database/open.ts'
import { freshDatabase, type Server, startDatabase } from '../kit/servers/index.ts'
import { certificate, certificateKey } from './localhost-certificate.ts'
import { startProxy } from './proxy.ts'

let server: Server
let folder: string
let ca: string
let url: URL
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-tls-'))
  ca = join(folder, 'certificate.pem')
  await writeFile(ca, certificate)
  await writeFile(join(folder, 'key.pem'), certificateKey)
  server = await startDatabase([`--ssl-ca=${ca}`, `--ssl-cert=${ca}`, `--ssl-key=${join(folder, 'key.pem')}`])
  url = new URL((await freshDatabase(server.url)).url)
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true })
})

function open(host: string, options: Pick<DatabaseOptions, 'tls' | 'ca'> = {}, port = url.port): OpenDatabase {
  const address = new URL(url)
  address.hostname = host
  address.port = port
  const database = openDatabase({ url: address.href, poolSize: 2, connectTimeout: 5000, queryTimeout: 5000, ...options })
  onTestFinished(database.close)
  return database
}

async function cipherOf({ db }: OpenDatabase): Promise<string | undefined> {
  const { rows } = await sql<{ Value: string }>`show session status like 'Ssl_cipher'`.execute(db)
  return rows[0]?.Value
}

test('uses plain text for a loopback connection by default', async () => {
  expect(await cipherOf(open('127.0.0.1'))).toBe('')
})

test('encrypts a verified connection', async () => {
  expect(await cipherOf(open('localhost', { tls: 'verify', ca }))).not.toBe('')
})

test('rejects a certificate of an unknown authority', async () => {
  const database = open('localhost', { tls: 'verify' })
  const failure: unknown = await database.ping().catch((error: unknown) => error)
  expect(String(failure)).toMatch(/self.signed|unable to verify/i)
  expect(database.errors.isUnreachable(failure)).toBe(false)
})

test('rejects an IP address, which cannot be verified, before sending anything', () => {
  expect(() => open('127.0.0.1', { tls: 'verify', ca })).toThrow(/host name/)
})

test('verifies every host but loopback by default, and uses plain text only when configured', async () => {
  expect(() => open('0.0.0.0')).toThrow(/host name/)
  expect(await cipherOf(open('0.0.0.0', { tls: 'off' }))).toBe('')
})

test('sends no password to a server without encryption when verification is required', async () => {
  const plain = await startDatabase(['--skip-ssl']).catch(() => startDatabase(['--tls-version=']))
  onTestFinished(plain.stop)
  const database = open('localhost', { tls: 'verify', ca }, String(plain.port))
  await expect(database.ping()).rejects.toThrow(/ssl|secure/i)
})

test('verifies the name through a relay', async () => {
  const proxy = await startProxy(Number(url.port))
  onTestFinished(proxy.close)
  expect(await cipherOf(open('localhost', { tls: 'verify', ca }, String(proxy.port)))).not.toBe('')
})
