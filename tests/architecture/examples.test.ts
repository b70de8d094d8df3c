/** Examples in the documents are run: configurations by the program that loads them, requests by a daemon, imports by their command. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { startLatchkey } from '../../src/testing/index.ts'
import { createCertificate } from '../kit/certificates.ts'
import { projectPrefix, runHere } from '../kit/run-here.ts'
import { codeBlocks, isConfiguration, wholeConfiguration } from './code-blocks.ts'

const blocks = codeBlocks(['README.md', 'docs/**/*.md'])

/** Removed with the test. @param files path → text */
function createFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(projectPrefix)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** What the environment of a reader has; other variables that a configuration names get a long value too. */
const environment = {
  LATCHKEY_SECRET: 'Zk3vT9qLw2Rr8Yp5Xn1Bc7Md4Gh6Js0FaE',
  LATCHKEY_BASE_URL: 'https://accounts.example.com',
  DATABASE_URL: 'sqlite:./test.db',
  REDIS_URL: 'redis://127.0.0.1:6379',
  SMTP_URL: 'smtp://127.0.0.1:1025',
  FIREBASE_SIGNER_KEY: Buffer.alloc(64, 1).toString('base64'),
}
const anyValue = (name: string): string => `value-of-${name}-`.padEnd(48, 'x')

/** Files that configurations name. */
function readersFiles(): Record<string, string> {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
  const aaguid = 'a25342c0-3cdc-4414-8e46-f4807fca511c'
  const { base64 } = createCertificate({ CN: 'Maker' }, { isAuthority: true })
  const texts = blocks.find(({ place, language }) => place.startsWith('docs/languages.md') && language === 'json')
  return {
    ...{ 'brand/icon.svg': picture, 'brand/logo.svg': picture, 'brand/logo-dark.svg': picture, 'brand/acme.woff2': 'wOF2' },
    'fido-metadata.jwt': JSON.stringify([{ aaguid, attestationRootCertificates: [base64] }]),
    'secrets/github-client-secret': 'a-client-secret',
    'legal/terms.md': '# Terms of service\n\nBe kind.\n',
    'texts/de.json': texts?.text ?? '',
    'blocked.txt': 'example.org\n',
  }
}

test('each configuration in the documents is accepted, with the files that it names', async () => {
  const cwd = createFolder(readersFiles())
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const APPLE_PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const configurations = blocks.filter(isConfiguration)
  const rejected: string[] = []
  for (const block of configurations) {
    const text = wholeConfiguration(block).replace('/run/secrets', join(cwd, 'secrets'))
    writeFileSync(join(cwd, 'auth.config.ts'), text)
    const named = [...text.matchAll(/process\.env\.(\w+)/g)].map(([, name = '']) => [name, anyValue(name)])
    const env = { ...Object.fromEntries(named), ...environment, APPLE_PRIVATE_KEY }
    const { exitCode, stderr } = await runHere({ args: ['config', 'check', '--no-input'], cwd, env })
    if (exitCode !== 0) rejected.push(`${block.place}: ${stderr}`)
  }
  expect(configurations.length).toBeGreaterThan(60)
  expect(rejected).toEqual([])
}, 60_000)

/** Where requests are that this test does not send. */
const sentElsewhere: Readonly<Record<string, string>> = {
  'docs/quickstart.md': 'tests/quickstart/any-language.test.ts compares what they print with the page',
  'docs/operations.md': 'the private listener is in tests/daemon; a daemon within a test has none',
}

test('each request in the documents succeeds', async () => {
  const config = { emailAndPassword: { enabled: true }, bearer: true, apiKey: true, organization: true }
  const latchkey = await startLatchkey({ config })
  onTestFinished(() => latchkey.close())
  const user = await latchkey.createUser({ email: 'ann@example.com', password: 'correct horse battery' })
  const { cookie, token } = await latchkey.signIn(user)
  const organization = await latchkey.createOrganization(user)
  const { key } = await latchkey.createAPIKey(user)
  const requests = blocks
    .filter(({ place, language }) => language === 'sh' && !Object.hasOwn(sentElsewhere, place.split(':')[0] ?? ''))
    .flatMap(({ place, text }) =>
      text
        .replaceAll(/\\\n */g, '')
        .split('\n')
        .map((line) => [place, line.trim()] as const),
    )
    .filter(([, line]) => line.startsWith('curl ') && line.includes('/api/auth/'))
  expect(requests.length).toBeGreaterThanOrEqual(5)
  for (const [place, line] of requests) {
    const command = line
      .replaceAll(/https:\/\/accounts\.example\.com|http:\/\/localhost:4000/g, latchkey.origin)
      .replace('"password": "…"', '"password": "correct horse battery"')
      .replace('Bearer …', `Bearer ${token}`)
      .replace('cookie: …', `cookie: ${cookie}`)
      .replace('<id>', organization.id)
      .replace('curl ', String.raw`curl --silent --write-out '\n%{http_code}' `)
    const { stdout } = await execa('bash', ['-c', command], { env: { KEY: key } })
    expect([stdout.split('\n').at(-1), stdout.split('\n').at(-2)], `${place}: ${stdout}`).toEqual([
      '200',
      expect.not.stringMatching(/^null$/),
    ])
  }
}, 30_000)

test('each user to import in the documents is accepted', async () => {
  const cwd = createFolder({})
  const lines = blocks
    .filter(({ place, language }) => place.startsWith('docs/importing.md') && language === 'json')
    .flatMap(({ text }) => text.replace('$2b$12$…', `$2b$12$${'a'.repeat(53)}`).split('\n'))
    // Other values are shortened too. Imports of such rows are tested in tests/cli.
    .filter((line) => line !== '' && !line.includes('…'))
  expect(lines.length).toBeGreaterThanOrEqual(2)
  const config = '{ emailAndPassword: { enabled: true }, passkey: true, twoFactor: true }'
  writeFileSync(join(cwd, 'auth.config.ts'), `export default ${config}\n`)
  for (const line of lines) {
    writeFileSync(join(cwd, 'users.ndjson'), `${line}\n`)
    const { exitCode, stderr } = await runHere({ args: ['import', 'users', 'users.ndjson', '--dry-run'], cwd, env: environment })
    expect(exitCode, `${line}\n${stderr}`).toBe(0)
  }
}, 30_000)
