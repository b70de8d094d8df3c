import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { configFile, folder, latchkey, latchkeyJSON } from './kit.ts'
import { onTerminal } from './terminal.ts'

const read = (cwd: string, name: string) => readFileSync(join(cwd, name), 'utf8')

describe('init --yes', () => {
  test('writes a configuration that passes config check', async () => {
    const cwd = folder()
    const { document, exitCode } = await latchkeyJSON(cwd, ['init', '--yes'])
    expect(exitCode).toBe(0)
    expect(document).toMatchObject({ schema: 'init/v1', directory: cwd, next: ['latchkey seed', 'latchkey start --detach'] })
    expect(existsSync(join(cwd, 'migrations'))).toBe(true)
    expect(await latchkey(cwd, ['config', 'check'])).toMatchObject({ exitCode: 0 })
  })
  test('writes a configuration that type-checks, whatever its file name', async () => {
    const cwd = folder()
    await latchkey(cwd, ['init', '--yes', '--app-name', `O'Neill's "best" \\`])
    const repository = fileURLToPath(new URL('../..', import.meta.url))
    const tools = join(repository, 'node_modules/.bin')
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(cwd, 'tsconfig.json'),
      JSON.stringify({
        extends: join(repository, 'tsconfig.json'),
        compilerOptions: {
          paths: { 'latchkey/config': [join(repository, 'src/index.ts')] },
          typeRoots: [join(repository, 'node_modules/@types')],
        },
        include: ['auth.config.ts', 'misspelled/auth.config.ts'],
      }),
    )
    mkdirSync(join(cwd, 'misspelled'))
    const misspelled = read(cwd, 'auth.config.ts').replace('minPasswordLength', 'minPasswordLenght')
    writeFileSync(join(cwd, 'misspelled/auth.config.ts'), misspelled)
    const { stdout } = await execa(join(tools, 'tsc'), ['--noEmit'], { cwd, reject: false })
    // The copy proves that faults would be seen.
    const faults = stdout.split('\n').filter((line) => line.includes('auth.config.ts'))
    expect(faults).toEqual([expect.stringMatching(/^misspelled\/.*minPasswordLenght/)])
  })
  test('requires long passwords, keeps the reference private, and seeds an administrator with all permissions', async () => {
    const cwd = folder()
    await latchkey(cwd, ['init', '--yes', '--admin-email', 'ops@acme.test'])
    const { document } = await latchkeyJSON(cwd, ['config', 'show'])
    expect(document.config).toMatchObject({
      emailAndPassword: { enabled: true, minPasswordLength: 15 },
      openAPI: { enabled: false },
      seed: {
        admins: [{ email: 'ops@acme.test', role: 'admin' }],
        roles: { admin: { user: expect.arrayContaining(['ban']), session: expect.arrayContaining(['revoke']) } },
      },
    })
  })
  test('writes a new secret each time, readable by its owner only', async () => {
    const [one, other] = [folder(), folder()]
    await latchkey(one, ['init', '--yes'])
    await latchkey(other, ['init', '--yes'])
    const secretOf = (cwd: string) => /^LATCHKEY_SECRET=([\w-]{43})$/m.exec(read(cwd, '.env'))?.[1]
    expect(secretOf(one)).toBeDefined()
    expect(secretOf(one)).not.toBe(secretOf(other))
    expect(statSync(join(one, '.env')).mode & 0o777).toBe(0o600)
    expect(read(one, '.gitignore').split('\n')).toEqual(expect.arrayContaining(['.env', '.latchkey/']))
  })
  test('uses values of the environment without writing them', async () => {
    const cwd = folder()
    const env = {
      DATABASE_URL: 'mysql://me:hunter2@127.0.0.1/acme',
      REDIS_URL: 'redis://:hunter3@127.0.0.1',
      LATCHKEY_SECRET: 'Hunter4-Hunter5-Hunter6-Hunter7-Hunter8',
    }
    const { document } = await latchkeyJSON(cwd, ['init', '--yes'], env)
    expect(document.next).toEqual([
      'latchkey migrate generate',
      'latchkey migrate up',
      'latchkey seed',
      'latchkey start --detach',
    ])
    expect(read(cwd, '.env') + read(cwd, 'auth.config.ts')).not.toMatch(/hunter\d/i)
    expect(await latchkey(cwd, ['config', 'check'], env)).toMatchObject({ exitCode: 0 })
  })
  test('writes values of flags, quoted when necessary', async () => {
    const cwd = folder()
    const url = 'mysql://me:p%23"a@db.acme.test:3307/acme'
    await latchkey(cwd, [
      'init',
      'sub',
      '--yes',
      '--database-url',
      url,
      '--redis-url',
      'rediss://r.acme.test',
      '--base-url',
      'https://auth.acme.test',
    ])
    const { document } = await latchkeyJSON(join(cwd, 'sub'), ['config', 'show'])
    expect(document.config).toMatchObject({
      baseURL: 'https://auth.acme.test',
      redis: { enabled: true, url: 'rediss://r.acme.test' },
    })
    expect(read(cwd, 'sub/.env')).toContain(`DATABASE_URL='${url}'`)
  })
})

describe('init never overwrites', () => {
  test('a configuration without --force', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const { exitCode, document } = await latchkeyJSON(cwd, ['init', '--yes'])
    expect([exitCode, document.code]).toEqual([5, 'CONFIG_EXISTS'])
    expect(read(cwd, 'auth.config.ts')).toBe(configFile())
    expect(existsSync(join(cwd, '.env'))).toBe(false)
    expect(await latchkey(cwd, ['init', '--yes', '--force'])).toMatchObject({ exitCode: 0 })
    expect(read(cwd, 'auth.config.ts')).toContain('minPasswordLength: 15')
  })
  test('a configuration in config/, even with --force', async () => {
    const cwd = folder({ 'config/auth.config.ts': configFile() })
    expect((await latchkey(cwd, ['init', '--yes', '--force'])).exitCode).toBe(5)
  })
  test('a variable of .env, even with --force', async () => {
    const cwd = folder({ '.env': 'OTHER=1\nLATCHKEY_SECRET=mine' })
    await latchkey(cwd, ['init', '--yes'])
    await latchkey(cwd, ['init', '--yes', '--force'])
    expect(read(cwd, '.env')).toMatch(/^OTHER=1\nLATCHKEY_SECRET=mine\n# .*\nLATCHKEY_BASE_URL=/)
    expect(read(cwd, '.env').match(/LATCHKEY_BASE_URL/g)).toHaveLength(1)
  })
  test('lines of .gitignore', async () => {
    const cwd = folder({ '.gitignore': 'dist\n.env' })
    await latchkey(cwd, ['init', '--yes'])
    expect(read(cwd, '.gitignore')).toMatch(/^dist\n\.env\n\.latchkey\/\n/)
  })
})

test('init lists the flags and writes nothing without a terminal and without answers', async () => {
  const cwd = folder()
  const { exitCode, document } = await latchkeyJSON(cwd, ['init', '--app-name', 'Acme'])
  expect(exitCode).toBe(4)
  expect(document).toMatchObject({
    code: 'ANSWER_NEEDED',
    hint: 'Add --base-url <url> --database-url <url> --admin-email <address>',
  })
  expect(existsSync(join(cwd, 'auth.config.ts'))).toBe(false)
})

describe('on a terminal', () => {
  test('init asks, accepts input, and reports invalid input', async () => {
    const cwd = folder()
    const terminal = onTerminal(cwd, ['init'])
    await terminal.answer('Name of the application', '\u0015Acme\r')
    await terminal.answer('Public URL of the service', '\u0015http://acme.test\r')
    await terminal.answer('unencrypted', '\u0015https://acme.test\r')
    await terminal.answer('Database', '\r')
    await terminal.answer('Redis', '\r')
    await terminal.answer('first administrator', '\u0015ops@acme.test\r')
    expect(await terminal.ended).toBe(0)
    expect(read(cwd, 'auth.config.ts')).toContain(`appName: 'Acme'`)
    expect(read(cwd, '.env')).toContain('LATCHKEY_BASE_URL=https://acme.test')
    expect(read(cwd, '.env')).not.toContain('REDIS_URL')
  })
  test('exits with 130 on Ctrl-C and writes nothing', async () => {
    const cwd = folder()
    const terminal = onTerminal(cwd, ['init'])
    await terminal.answer('Name of the application', '\u0003')
    expect(await terminal.ended).toBe(130)
    expect(existsSync(join(cwd, 'auth.config.ts'))).toBe(false)
  })
  test.each([
    [['--no-input'], {}],
    [[], { CI: 'true' }],
    [['--json'], {}],
  ])('%j with %j asks nothing', async (args, env) => {
    expect(await onTerminal(folder(), ['init', ...args], env).ended).toBe(4)
  })
})
