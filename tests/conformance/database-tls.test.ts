/** TLS connections to a database server, verified and not. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DatabaseOptions } from '../../src/adapters/database/dialect.ts'
import { type OpenDatabase, openDatabase } from '../../src/adapters/database/open.ts'
import { freshDatabase, type Server, startDatabase } from '../kit/servers/index.ts'
import { addressCertificate, addressKey, certificate, certificateKey } from './localhost-certificate.ts'
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

test('verifies an IP address that the certificate has, and rejects one that it does not have', async () => {
  const address = join(folder, 'address.pem')
  await writeFile(address, addressCertificate)
  await writeFile(join(folder, 'address-key.pem'), addressKey)
  const other = await startDatabase([
    `--ssl-ca=${address}`,
    `--ssl-cert=${address}`,
    `--ssl-key=${join(folder, 'address-key.pem')}`,
  ])
  onTestFinished(other.stop)
  const openOther = (host: string) => {
    const { href } = Object.assign(new URL(other.url), { hostname: host, pathname: '/mysql' })
    const database = openDatabase({
      url: href,
      poolSize: 2,
      connectTimeout: 5000,
      queryTimeout: 5000,
      tls: 'verify',
      ca: address,
    })
    onTestFinished(database.close)
    return database
  }
  expect(await cipherOf(openOther('127.0.0.1'))).not.toBe('')
  for (const host of ['0.0.0.0', 'localhost', '[::ffff:127.0.0.1]'])
    await expect(openOther(host).ping()).rejects.toThrow(/does not match certificate's altnames/)
  await expect(open('127.0.0.1', { tls: 'verify', ca }).ping()).rejects.toThrow(/does not match certificate's altnames/)
})

test('verifies every host but loopback by default, and uses plain text only when configured', async () => {
  await expect(open('0.0.0.0', { ca }).ping()).rejects.toThrow(/does not match certificate's altnames/)
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
