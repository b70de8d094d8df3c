import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { complete, configFile, folder, latchkey, latchkeyJSON, latchkeyProcess, secret } from './kit.ts'

const shown = async (cwd: string, env = complete, args: readonly string[] = []) => {
  const { document } = await latchkeyJSON(cwd, ['config', 'show', '--origin', ...args], env)
  return document as { config: Record<string, Record<string, unknown>>; origins: Record<string, string> }
}

describe('the configuration is found', () => {
  test('in the working directory, before config/', async () => {
    const cwd = folder({
      'auth.config.ts': configFile(`{ appName: 'here' }`),
      'config/auth.config.ts': configFile(`{ appName: 'there' }`),
    })
    expect((await shown(cwd)).config.appName).toBe('here')
  })
  test('in config/', async () => {
    expect((await shown(folder({ 'config/auth.config.ts': configFile(`{ appName: 'there' }`) }))).config.appName).toBe('there')
  })
  test('in the nearest parent, to which relative paths belong', async () => {
    const cwd = folder({ 'auth.config.ts': configFile(), 'a/b/x': '' })
    expect((await shown(join(cwd, 'a/b'))).config.database?.url).toBe(`sqlite:${join(cwd, 'test.db')}`)
  })
  test('where --config points, before and after the command', async () => {
    const cwd = folder({ 'auth.config.ts': configFile(), 'other.ts': configFile(`{ appName: 'other' }`) })
    expect((await shown(cwd, complete, ['--config', 'other.ts'])).config.appName).toBe('other')
    const { stdout } = await latchkey(cwd, ['--config', 'other.ts', '--json', 'config', 'show'], complete)
    expect(JSON.parse(stdout).config.appName).toBe('other')
  })
  test('or its absence gives exit code 8 and the command to run', async () => {
    const { exitCode, document } = await latchkeyJSON(folder(), ['config', 'check'])
    expect(exitCode).toBe(8)
    expect(document).toMatchObject({
      schema: 'error/v1',
      code: 'CONFIG_NOT_FOUND',
      exitCode: 8,
      hint: expect.stringContaining('latchkey init'),
    })
    expect(await latchkey(folder(), ['config', 'check', '--config', 'nowhere.ts'])).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('nowhere.ts'),
    })
  })
})

describe('its imports', () => {
  test('find latchkey/config in a folder without node_modules', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    // A fresh process, in which no earlier command has made the name known.
    expect(await latchkeyJSON(cwd, ['config', 'check'], complete, latchkeyProcess)).toMatchObject({
      exitCode: 0,
      document: { schema: 'config-check/v1', valid: true },
    })
  })
  test('can be CommonJS', async () => {
    const text = `const { defineConfig } = require('latchkey/config')\nmodule.exports = defineConfig({ appName: 'old' })\n`
    expect((await shown(folder({ 'auth.config.ts': text }))).config.appName).toBe('old')
  })
  test('can be written as in TypeScript: no extension, .js for .ts, paths of tsconfig.json', async () => {
    const cwd = folder({
      'auth.config.ts': `import { a } from './parts/a'\nimport { b } from './parts/b.js'\nimport { c } from '@parts/c'\nexport default { appName: a + b + c }\n`,
      'parts/a.ts': `export const a: string = 'A'\n`,
      'parts/b.ts': `export const b: string = 'B'\n`,
      'parts/c.ts': `export const c: string = 'C'\n`,
      'tsconfig.json': `{\n  // comments "and" strings\n  "compilerOptions": { "paths": { "@parts/*": ["./parts/*"], }, /* more */ },\n}\n`,
    })
    expect((await shown(cwd)).config.appName).toBe('ABC')
  })
  test('print no warnings from Node', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    expect((await latchkeyJSON(cwd, ['config', 'check'], complete, latchkeyProcess)).stderr).toBe(
      '✓ auth.config.ts is valid\n'.trim(),
    )
  })
})

describe('values are read', () => {
  test('from flags before the file, the file before the environment, the environment before defaults', async () => {
    const cwd = folder({ 'auth.config.ts': configFile(`{ baseURL: 'https://file.test', server: { port: 4100 } }`) })
    const { config, origins } = await shown(cwd)
    expect([config.baseURL, origins.baseURL]).toEqual(['https://file.test', 'file'])
    expect([config.server?.port, origins['server.port']]).toEqual([4100, 'file'])
    expect(origins).toMatchObject({
      'database.url': 'environment DATABASE_URL',
      secret: 'environment LATCHKEY_SECRET',
      'server.host': 'default',
    })
  })
  test('from .env in the folder of the configuration, overridden by the real environment', async () => {
    const cwd = folder({
      'auth.config.ts': configFile(),
      '.env': `LATCHKEY_SECRET='${secret}'\nLATCHKEY_BASE_URL=https://dotenv.test\nDATABASE_URL=mysql://me:dotenv-pass@127.0.0.1/d\n`,
    })
    expect((await shown(cwd, {})).config.baseURL).toBe('https://dotenv.test')
    expect((await shown(cwd, { LATCHKEY_BASE_URL: 'https://real.test' })).config.baseURL).toBe('https://real.test')
  })
  test('from .env while the file is imported, too', async () => {
    const cwd = folder({ 'auth.config.ts': configFile(`{ appName: process.env.APP_NAME }`), '.env': 'APP_NAME=Acme\n' })
    expect((await shown(cwd)).config.appName).toBe('Acme')
  })
  test('from the file that NAME_FILE names, also for variables that the configuration reads', async () => {
    const cwd = folder({
      'auth.config.ts': configFile(`{ server: { private: { port: 9000, token: process.env.PRIVATE_TOKEN } } }`),
      s: `${secret}\n`,
      t: 'a-token-of-twenty-characters-or-more\n',
    })
    chmodSync(join(cwd, 's'), 0o600)
    chmodSync(join(cwd, 't'), 0o600)
    const { LATCHKEY_SECRET: _, ...rest } = complete
    const { config, origins } = await shown(cwd, {
      ...rest,
      LATCHKEY_SECRET_FILE: join(cwd, 's'),
      PRIVATE_TOKEN_FILE: join(cwd, 't'),
    })
    expect(origins.secret).toBe('environment LATCHKEY_SECRET_FILE')
    expect(config.server?.private).toMatchObject({ token: '[redacted]' })
  })
  test('from NAME_FILE of the environment rather than NAME of .env', async () => {
    const cwd = folder({ 'auth.config.ts': configFile(), '.env': 'LATCHKEY_SECRET=short\n', s: secret })
    chmodSync(join(cwd, 's'), 0o600)
    const { LATCHKEY_SECRET: _, ...rest } = complete
    expect((await latchkey(cwd, ['config', 'check'], { ...rest, LATCHKEY_SECRET_FILE: join(cwd, 's') })).exitCode).toBe(0)
  })
  test('but not from a secret file that every account can read', async () => {
    const cwd = folder({ 'auth.config.ts': configFile(), s: secret })
    chmodSync(join(cwd, 's'), 0o644)
    const { LATCHKEY_SECRET: _, ...rest } = complete
    const { exitCode, document, stderr } = await latchkeyJSON(cwd, ['config', 'check'], {
      ...rest,
      LATCHKEY_SECRET_FILE: join(cwd, 's'),
    })
    expect(exitCode).toBe(8)
    expect(document).toMatchObject({ code: 'SECRET_FILE_EXPOSED', hint: expect.stringContaining('chmod 600') })
    expect(stderr).not.toContain(secret)
  })
})

test('config show prints the document of related origins that another server must serve', async () => {
  const relatedOrigins = ['https://acme.co.uk']
  const passkey = { enabled: true, rpID: 'acme.com', relatedOrigins }
  const show = async (baseURL: string, ...args: string[]) =>
    latchkey(
      folder({ 'auth.config.ts': configFile(JSON.stringify({ baseURL, passkey })) }),
      ['config', 'show', ...args],
      complete,
    )
  const shown = await show('https://login.acme.com')
  expect(shown.stdout).toContain('https://acme.com/.well-known/webauthn:\n{"origins":["https://acme.co.uk"]}')
  expect(JSON.parse((await show('https://login.acme.com', '--json')).stdout).documents).toEqual({
    'https://acme.com/.well-known/webauthn': { origins: relatedOrigins },
  })
  expect((await show('https://acme.com')).stdout).not.toContain('.well-known')
})

test('config show prints no secret in any form', async () => {
  const cwd = folder({
    'auth.config.ts': configFile(`{
      secret: ['${secret}', 'An-0lder-secret-that-is-long-enough-too'],
      server: { private: { port: 9000, token: 'private-token-private-token', api: { token: 'api-token-for-my-own-servers' } } },
      redis: { sentinel: { nodes: ['redis://:sentinel-pass@127.0.0.1:26379'], name: 'm' } },
      trustedOrigins: () => [],
    }`),
  })
  const env = { ...complete, DATABASE_URL: 'mysql://me:database-pass@127.0.0.1/d' }
  for (const args of [
    ['config', 'show'],
    ['config', 'show', '--origin'],
    ['config', 'show', '--json'],
    ['config', 'show', '--debug'],
  ]) {
    const { stdout, stderr, exitCode } = await latchkey(cwd, args, env)
    expect(exitCode).toBe(0)
    for (const hidden of [secret, 'An-0lder-secret', 'private-token', 'api-token', 'sentinel-pass', 'database-pass'])
      expect(stdout + stderr).not.toContain(hidden)
    expect(stdout).toContain('[function]')
  }
})

test('config schema prints a JSON Schema with descriptions of the options', async () => {
  const { stdout } = await latchkey(folder(), ['config', 'schema'])
  expect(JSON.parse(stdout)).toMatchObject({
    type: 'object',
    additionalProperties: false,
    properties: { appName: { type: 'string', default: 'Latchkey' } },
  })
  expect((await latchkeyJSON(folder(), ['config', 'schema'])).document).toMatchObject({ document: JSON.parse(stdout) })
})

test('openapi writes the document, to standard output or a file', async () => {
  const cwd = folder({ 'auth.config.ts': configFile() })
  const { stdout } = await latchkey(cwd, ['openapi'], complete)
  const document = JSON.parse(stdout)
  expect(document.paths).toHaveProperty(['/sign-in/email', 'post'])
  expect((await latchkeyJSON(cwd, ['openapi', '--out', 'api.json'], complete)).document).toEqual({
    schema: 'openapi/v1',
    file: 'api.json',
  })
  expect(JSON.parse(readFileSync(join(cwd, 'api.json'), 'utf8'))).toEqual(document)
  expect(await latchkey(cwd, ['openapi', '--out', 'no/such/folder/x'], complete)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Cannot write'),
  })
})

test('reports a folder in place of the configuration file', async () => {
  const cwd = folder()
  mkdirSync(join(cwd, 'd'))
  writeFileSync(join(cwd, 'd', 'x'), '')
  expect((await latchkey(cwd, ['config', 'check', '--config', 'd'])).stderr).toContain('It is a folder')
})
