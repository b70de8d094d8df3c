import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from './load-config.ts'

function load(options: string, needs?: readonly string[], env: Record<string, string> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'latchkey-stand-ins-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  writeFileSync(join(cwd, 'auth.config.ts'), `export default ${options}\n`)
  return loadConfig({ cwd, env: { ...env }, ...(needs && { needs }) })
}

const pathsOf = async (loading: Promise<unknown>): Promise<unknown> =>
  loading.then(
    () => [],
    ({ details }) => details.map(({ path }: { path: string }) => path),
  )

test.each([
  ['the environment sets none of them', '{}'],
  ['the file reads variables', '{ secret: process.env.A, baseURL: process.env.B, database: { url: process.env.C } }'],
  ['the secret is a list', '{ secret: [process.env.A, process.env.B] }'],
])('secret and URLs may be missing when the command does not need them: %s', async (_, options) => {
  const { config, origins } = await load(options, [])
  expect(config.secret).toBeDefined()
  expect(origins.get('database.url')).toBe('not set')
  expect(origins.get('baseURL')).toBe('not set')
  expect(await pathsOf(load(options))).not.toEqual([])
})

test.each([
  ['redis: true'],
  [`rateLimit: { storage: 'secondary-storage' }`],
  ['mail: { from: process.env.FROM }'],
  ['socialProviders: { google: { clientId: process.env.ID, clientSecret: process.env.SECRET } }'],
  [
    `genericOAuth: { config: [{ providerId: 'x', clientId: process.env.ID, clientSecret: process.env.SECRET, discoveryUrl: process.env.URL }] }`,
  ],
  [`captcha: { provider: 'cloudflare-turnstile', siteKey: process.env.KEY, secretKey: process.env.SECRET }`],
  [`server: { private: { port: 9, host: '0.0.0.0', token: process.env.ONE, api: { port: 8, token: process.env.TWO } } }`],
  ['advanced: { crossSubDomainCookies: { enabled: true } }'],
])('a variable that is not set may be missing in %s', async (options) => {
  expect(await pathsOf(load(`{ ${options} }`, []))).toEqual([])
})

test('an empty variable counts as not set', async () => {
  const options = '{ socialProviders: { google: { clientId: process.env.ID, clientSecret: process.env.SECRET } } }'
  expect(await pathsOf(load(options, [], { ID: 'an-id', SECRET: '' }))).toEqual([])
})

test('an option that the command needs is reported, and no other', async () => {
  expect(await pathsOf(load('{ secret: process.env.A }', ['baseURL']))).toEqual(['baseURL'])
})

test.each([
  ['an unknown option', '{ usernam: true }', ['usernam']],
  [
    'an absent client ID',
    `{ socialProviders: { google: { clientSecret: process.env.SECRET } } }`,
    ['socialProviders.google.clientId'],
  ],
  ['a weak secret', `{ secret: 'short' }`, ['secret']],
  ['a rule between options', '{ username: true }', ['username']],
  ['a variable that is not a text', '{ log: { level: process.env.LEVEL || null } }', ['log.level']],
])('other errors are still reported: %s', async (_, options, paths) => {
  expect(await pathsOf(load(options, []))).toEqual(paths)
})

test('values that are set are used', async () => {
  const { config, origins } = await load('{}', [], { DATABASE_URL: 'mysql://me@host/name' })
  expect(config.database.url).toBe('mysql://me@host/name')
  expect(origins.get('database.url')).toBe('environment DATABASE_URL')
})
