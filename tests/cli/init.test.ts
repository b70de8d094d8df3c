import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { freshDatabase } from '../kit/servers/index.ts'
import { configFile, folder, latchkey, latchkeyJSON } from './kit.ts'
import { onTerminal } from './terminal.ts'

const read = (cwd: string, name: string) => readFileSync(join(cwd, name), 'utf8')

describe('init --yes', () => {
  test('writes a configuration that passes config check', async () => {
    const cwd = folder()
    const { document, exitCode } = await latchkeyJSON(cwd, ['init', '--yes', '--admin-email', 'ops@acme.test'])
    expect(exitCode).toBe(0)
    expect(document).toMatchObject({ schema: 'init/v1', directory: cwd, next: ['latchkey seed', 'latchkey start --detach'] })
    expect(existsSync(join(cwd, 'migrations'))).toBe(true)
    expect(await latchkey(cwd, ['config', 'check'])).toMatchObject({ exitCode: 0 })
  })
  test('enables organizations with --organizations, and shows the option without', async () => {
    for (const [flags, line] of [
      [['--organizations'], '  organization: { teams: { enabled: true } },'],
      [[], '  // organization: { teams: { enabled: true } },'],
    ] as const) {
      const cwd = folder()
      await latchkey(cwd, ['init', '--yes', ...flags])
      expect(read(cwd, 'auth.config.ts').split('\n')).toContain(line)
      expect(await latchkey(cwd, ['config', 'check'])).toMatchObject({ exitCode: 0 })
    }
  })
  test.each([
    ['http://localhost:4000', 'true'],
    ['https://192.0.2.7', 'true'],
    ['https://login.acme.co.uk', "{ rpID: 'acme.co.uk' }"],
    ['https://acme.com/accounts', "{ rpID: 'acme.com' }"],
  ])('advises for %s the domain of passkeys, which cannot be changed later', async (baseUrl, value) => {
    const cwd = folder()
    await latchkey(cwd, ['init', '--yes', '--base-url', baseUrl])
    const text = read(cwd, 'auth.config.ts')
    expect(text).toContain(`  // passkey: ${value},\n`)
    writeFileSync(join(cwd, 'auth.config.ts'), text.replace('// passkey:', 'passkey:'))
    expect(await latchkey(cwd, ['config', 'check'])).toMatchObject({ exitCode: 0 })
  })
  test('writes a configuration that type-checks, whatever its file name', { timeout: 180_000 }, async () => {
    const cwd = folder()
    await latchkey(cwd, ['init', '--yes', '--social', 'google,github', '--app-name', `O'Neill's "best" \\`])
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
      session: { freshFor: 'sensitive' },
      openAPI: { enabled: false },
      seed: {
        admins: [{ email: 'ops@acme.test', role: 'admin' }],
      },
      admin: { enabled: true },
    })
    const seeded = await latchkey(cwd, ['seed', '--setup-links'])
    expect(seeded.stderr).toMatch(/Then sign in at http:\/\/\S+\/admin$/m)
    const { exitCode, stdout } = await latchkey(cwd, ['users', 'list', '--role', 'admin'])
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('ops@acme.test')])
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
  const given = {
    DATABASE_URL: 'mysql://me:hunter2@127.0.0.1/acme',
    REDIS_URL: 'redis://:hunter3@127.0.0.1',
    LATCHKEY_SECRET: 'Hunter4-Hunter5-Hunter6-Hunter7-Hunter8',
  }
  test('writes values of the environment, so that the next terminal works too', async () => {
    const cwd = folder()
    const { document, stdout, stderr } = await latchkeyJSON(cwd, ['init', '--yes', '--admin-email', 'ops@acme.test'], given)
    expect(document.next).toEqual([
      'latchkey migrate generate',
      'latchkey migrate up',
      'latchkey seed',
      'latchkey start --detach',
    ])
    expect(stdout + stderr).not.toMatch(/hunter\d/i)
    expect(stdout).toContain('DATABASE_URL added from the environment')
    expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600)
    const { document: shown } = await latchkeyJSON(cwd, ['config', 'show'])
    expect(shown.config).toMatchObject({ redis: { enabled: true } })
    expect(parseEnv(read(cwd, '.env'))).toMatchObject(given)
  })
  test('writes the absolute path of a file that the environment names', async () => {
    const cwd = folder({ 'password.txt': given.DATABASE_URL })
    chmodSync(join(cwd, 'password.txt'), 0o600)
    await latchkey(cwd, ['init', 'sub', '--yes'], { DATABASE_URL_FILE: 'password.txt' })
    expect(read(cwd, 'sub/.env')).toContain(`\nDATABASE_URL_FILE=${join(cwd, 'password.txt')}\n`)
    expect(read(cwd, 'sub/.env')).not.toContain('hunter')
    expect(await latchkey(join(cwd, 'sub'), ['config', 'check'])).toMatchObject({ exitCode: 0 })
  })
  test('leaves values of the environment there with --no-write-env, and the next terminal learns why it fails', async () => {
    const cwd = folder()
    expect(await latchkey(cwd, ['init', '--yes', '--no-write-env'], given)).toMatchObject({ exitCode: 0 })
    expect(read(cwd, '.env') + read(cwd, 'auth.config.ts')).not.toMatch(/hunter\d/i)
    expect(await latchkey(cwd, ['config', 'check'], given)).toMatchObject({ exitCode: 0 })
    const { exitCode, stderr } = await latchkey(cwd, ['config', 'check'])
    expect(exitCode).toBe(8)
    expect(stderr).toContain('There are 2 errors in the configuration')
    expect(stderr).toContain(
      'DATABASE_URL is not set, neither in the environment nor in .env (it was in the environment when `latchkey init` ran).',
    )
  })
  test.each([
    ['http://localhost:4100', '', 'http://localhost:4100/api/auth', { host: '127.0.0.1', port: 4100 }],
    ['http://[::1]:4100/id', '', 'http://[::1]:4100/id', { host: '::1', port: 4100 }],
    ['', 'http://127.0.0.1:4101', 'http://127.0.0.1:4101/api/auth', { host: '127.0.0.1', port: 4101 }],
    ['http://localhost', '', 'http://localhost/api/auth', { port: 80 }],
    // A proxy has the port of the URL.
    ['https://localhost:4100', '', 'https://localhost:4100/api/auth', { port: 4000 }],
    ['https://auth.acme.test', '', 'https://auth.acme.test/api/auth', { port: 4000 }],
    ['http://localhost:4000', '', 'http://localhost:4000/api/auth', { port: 4000 }],
  ])('listens on the port of the base URL %s%s', async (flag, variable, url, server) => {
    const cwd = folder()
    const env = variable ? { LATCHKEY_BASE_URL: variable } : {}
    const { document } = await latchkeyJSON(cwd, ['init', '--yes', ...(flag ? ['--base-url', flag] : [])], env)
    expect(document).toMatchObject({ schema: 'init/v1' })
    const { document: shown } = await latchkeyJSON(cwd, ['config', 'show'])
    expect(shown.config).toMatchObject({ server })
    const { document: examined } = await latchkeyJSON(cwd, ['doctor'])
    const finding = (examined.findings as { id: string; message: string }[]).find(({ id }) => id === 'base-url')
    expect(finding?.message).toContain(url)
    expect(finding?.message).not.toContain('names port')
  })
  test('shows the statements that create a database of MySQL and its two accounts, without the password', async () => {
    const cwd = folder()
    const { document, stdout } = await latchkeyJSON(cwd, ['init', '--yes'], {
      DATABASE_URL: 'mysql://me:hunter2@127.0.0.1/ac-me',
    })
    expect(stdout).not.toContain('hunter2')
    expect(document.databaseSetup).toEqual([
      'CREATE DATABASE `ac-me` CHARACTER SET utf8mb4;',
      "CREATE USER 'me'@'%' IDENTIFIED BY 'password in DATABASE_URL';",
      "CREATE USER 'me_migrate'@'%' IDENTIFIED BY 'another password';",
      "GRANT SELECT, INSERT, UPDATE, DELETE ON `ac-me`.* TO 'me'@'%';",
      "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES ON `ac-me`.* TO 'me_migrate'@'%';",
    ])
    const text = await latchkey(folder(), ['init', '--yes'], { DATABASE_URL: 'mysql://root:hunter2@127.0.0.1/acme' })
    expect(text.stdout).toContain("  CREATE USER 'latchkey_migrate'@'%'")
    expect(text.stdout).toContain('DATABASE_URL=mysql://latchkey_migrate:<password>@127.0.0.1/acme latchkey migrate up')
    expect((await latchkey(folder(), ['init', '--yes'])).stdout).not.toContain('CREATE')
  })
  test('the statements equal docs/install.md', async () => {
    const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8')
    const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? []
    const { document } = await latchkeyJSON(folder(), ['init', '--yes'], {
      DATABASE_URL: 'mysql://latchkey:first-password@127.0.0.1/latchkey',
    })
    const shown = (document.databaseSetup as string[]).join('\n')
    expect(shown.replace('password in DATABASE_URL', 'first-password').replace('another password', 'second-password')).toBe(
      block.trim().replaceAll(/^ +/gm, ''),
    )
  })
  test('seeds no administrator without --admin-email, and the next steps create one', async () => {
    const cwd = folder()
    const { document } = await latchkeyJSON(cwd, ['init', '--yes'])
    expect(document.next).toContainEqual(expect.stringContaining('latchkey users create --role admin --email'))
    await latchkey(cwd, ['seed'])
    expect((await latchkey(cwd, ['users', 'list'])).stdout).toBe('')
    const created = await latchkey(cwd, ['users', 'create', '--role', 'admin', '--email', 'me@acme.test', '--name', 'Me'])
    expect(created).toMatchObject({ exitCode: 0 })
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
  test('a variable that a flag sets differently, without --force', async () => {
    const cwd = folder({ '.env': 'A=1\nDATABASE_URL="sqlite:./old.db" # why\nB=2\n' })
    const args = ['init', '--yes', '--database-url', 'mysql://me:hunter2@127.0.0.1/acme', '--json']
    const refused = await latchkey(cwd, args)
    expect([refused.exitCode, JSON.parse(refused.stdout).code]).toEqual([5, 'ENV_EXISTS'])
    expect(refused.stderr).toContain('DATABASE_URL')
    expect(existsSync(join(cwd, 'auth.config.ts'))).toBe(false)
    const forced = await latchkey(cwd, [...args.slice(0, -1), '--force'])
    expect(forced.stdout).toContain('~ .env  LATCHKEY_SECRET added, LATCHKEY_BASE_URL added, DATABASE_URL changed\n')
    expect(forced.stdout).toContain('latchkey migrate generate')
    expect(forced.stdout + forced.stderr + refused.stderr).not.toContain('hunter')
    expect(parseEnv(read(cwd, '.env'))).toMatchObject({ A: '1', DATABASE_URL: args[3], B: '2' })
    expect(read(cwd, '.env').match(/DATABASE_URL=/g)).toHaveLength(1)
    expect(await latchkey(cwd, [...args.slice(0, -1), '--force'])).toMatchObject({ stdout: expect.stringContaining('= .env\n') })
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
    hint: 'Add --base-url <url> --database-url <url>, or --yes to accept the defaults',
  })
  expect(existsSync(join(cwd, 'auth.config.ts'))).toBe(false)
})

describe('init --social', () => {
  const init = (cwd: string, social = 'google,github', env = {}) =>
    latchkeyJSON(cwd, ['init', '--yes', '--base-url', 'https://auth.acme.test', '--social', social], env)
  test('writes providers that are disabled until their variables are set, and prints the redirect URIs to register', async () => {
    const cwd = folder()
    const { document } = await init(cwd)
    expect(document.redirects).toEqual([
      {
        name: 'Google',
        redirectURI: 'https://auth.acme.test/api/auth/callback/google',
        registrationURL: expect.stringContaining('https://'),
      },
      expect.objectContaining({ name: 'GitHub', redirectURI: 'https://auth.acme.test/api/auth/callback/github' }),
    ])
    expect(read(cwd, '.env')).toMatch(/# GitHub assigns .*\nGITHUB_CLIENT_ID=\nGITHUB_CLIENT_SECRET=\n/)
    const listed = async () => {
      const { document } = await latchkeyJSON(cwd, ['providers', 'list'])
      return (document.providers as { id: string; enabled: boolean }[]).map(({ id, enabled }) => [id, enabled])
    }
    expect(await latchkey(cwd, ['config', 'check'])).toMatchObject({ exitCode: 0 })
    expect(await listed()).toEqual([
      ['google', false],
      ['github', false],
    ])
    const filled = read(cwd, '.env').replace('GITHUB_CLIENT_ID=', 'GITHUB_CLIENT_ID=an-id')
    writeFileSync(join(cwd, '.env'), filled)
    // The missing secret is an error that names its variable.
    expect(await latchkey(cwd, ['config', 'check'])).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('GITHUB_CLIENT_SECRET is not set'),
    })
    writeFileSync(join(cwd, '.env'), filled.replace('GITHUB_CLIENT_SECRET=', 'GITHUB_CLIENT_SECRET=a-secret'))
    expect(await listed()).toEqual([
      ['github', true],
      ['google', false],
    ])
  })
  test('keeps values that are set', async () => {
    const cwd = folder({ '.env': 'GITHUB_CLIENT_ID=mine\n' })
    await init(cwd, 'github', { GITHUB_CLIENT_SECRET: 'hunter2' })
    expect(read(cwd, '.env')).toContain('GITHUB_CLIENT_ID=mine\n')
    expect(read(cwd, '.env')).not.toContain('GITHUB_CLIENT_SECRET')
    expect(read(cwd, '.env') + read(cwd, 'auth.config.ts')).not.toContain('hunter')
  })
  test('rejects an unknown provider before anything is written', async () => {
    const cwd = folder()
    expect(await init(cwd, 'google,gihub')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Did you mean `github`?'),
    })
    expect(existsSync(join(cwd, 'auth.config.ts'))).toBe(false)
  })
  test('writes no section without providers', async () => {
    const cwd = folder()
    const { document } = await init(cwd, '')
    expect([document.redirects, read(cwd, 'auth.config.ts').includes('socialProviders')]).toEqual([[], false])
  })
})

describe('init --package', () => {
  test('asks five questions, and words stand for the servers of compose.yaml', async () => {
    const cwd = folder({ 'shop/package.json': '{ "name": "mine" }' })
    const terminal = onTerminal(cwd, ['init', '--package'])
    await terminal.answer('Folder of the project [accounts]', '\u0015shop\r')
    await terminal.answer('Public URL of the service [http://localhost:4000]', '\r')
    await terminal.answer('[embedded]', 'postgres\r')
    await terminal.answer('Expected mysql://', '\u0015mysql\r')
    await terminal.answer('[none]', '\u0015redis\r')
    await terminal.answer('[password]', '\u0015passkeys\r')
    await terminal.answer('Did you mean `passkey`?', '\u0015passkey, email-code, github\r')
    expect(await terminal.ended).toBe(0)
    const project = join(cwd, 'shop')
    const env = parseEnv(read(project, '.env'))
    expect(env).toMatchObject({ REDIS_URL: 'redis://127.0.0.1:6379', SMTP_URL: 'smtp://127.0.0.1:1025', GITHUB_CLIENT_ID: '' })
    expect(env.DATABASE_URL).toBe(`mysql://latchkey:${env.MYSQL_PASSWORD}@127.0.0.1:3306/latchkey`)
    expect(env.MYSQL_PASSWORD).toMatch(/^[0-9a-f]{36}$/)
    const compose: { services: Record<string, { ports: string[] }> } = parse(read(project, 'compose.yaml'))
    expect(Object.keys(compose.services)).toEqual(['mailpit', 'mysql', 'redis'])
    const ports = Object.values(compose.services).flatMap((service) => service.ports)
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
    expect(read(project, 'compose.yaml') + read(project, '.github/workflows/latchkey.yml')).not.toContain(env.MYSQL_PASSWORD)
    expect(read(project, 'package.json')).toBe('{ "name": "mine" }')
    const { document } = await latchkeyJSON(project, ['config', 'show'])
    expect(document.config).toMatchObject({
      appName: 'shop',
      emailAndPassword: { enabled: false },
      passkey: { enabled: true },
      emailOTP: { enabled: true },
      magicLink: { enabled: false },
    })
    expect(await latchkey(project, ['migrate', 'generate', '--check'])).toMatchObject({ exitCode: 0 })
  })
  test('--yes makes a project that needs no server, and keeps migrations that are there', async () => {
    const cwd = folder()
    const { document } = await latchkeyJSON(cwd, ['init', 'My Shop', '--package', '--yes'])
    expect(document).toMatchObject({ next: ["cd 'My Shop'", 'npm install', 'npm run dev'], databaseSetup: [] })
    const project = join(cwd, 'My Shop')
    expect(JSON.parse(read(project, 'package.json'))).toMatchObject({ name: 'my-shop', private: true })
    expect(Object.keys(parse(read(project, 'compose.yaml')).services)).toEqual(['mailpit'])
    expect(read(project, '.github/workflows/latchkey.yml')).not.toContain('mysql')
    const again = await latchkeyJSON(project, ['init', '.', '--package', '--yes', '--force'])
    const outcomes = (again.document.files as { path: string; outcome: string }[]).map(({ path, outcome }) => [path, outcome])
    expect(outcomes).toContainEqual(['package.json', 'unchanged'])
    expect(again.document.next).toEqual(['npm install latchkey', 'latchkey dev'])
    expect(outcomes.map(([path]) => path)).not.toContainEqual('migrations/0001_initial.sql')
  })
})

describe('on a terminal', () => {
  test('init asks seven questions; typing replaces the default, Enter accepts it, and invalid input is reported', async () => {
    const cwd = folder()
    const terminal = onTerminal(cwd, ['init'])
    await terminal.answer('Name of the application', 'Acme\r')
    expect(terminal.text()).toContain('7 questions. Enter accepts the value in brackets.')
    await terminal.answer('Public URL of the service [http://localhost:4000]', 'http://acme.test\r')
    await terminal.answer('unencrypted', '\u0015https://acme.test\r')
    await terminal.answer('[sqlite:./latchkey.db]', '\r')
    await terminal.answer('Redis', '\r')
    await terminal.answer('Social sign-in', 'gogle\r')
    await terminal.answer('Did you mean `google`?', '\u0015google, github\r')
    await terminal.answer('Organizations', 'perhaps\r')
    await terminal.answer('Expected yes or no', '\u0015yes\r')
    await terminal.answer('first administrator', 'ops@acme.test\r')
    expect(await terminal.ended).toBe(0)
    expect(read(cwd, 'auth.config.ts')).toMatch(/^ {2}organization: \{ teams/m)
    expect(read(cwd, 'auth.config.ts')).toContain(`appName: 'Acme'`)
    expect(read(cwd, 'auth.config.ts')).toContain(`admins: [{ email: 'ops@acme.test'`)
    expect(parseEnv(read(cwd, '.env'))).toMatchObject({
      LATCHKEY_BASE_URL: 'https://acme.test',
      DATABASE_URL: 'sqlite:./latchkey.db',
    })
    expect(read(cwd, '.env')).not.toContain('REDIS_URL')
    expect(terminal.text()).toContain('https://acme.test/api/auth/callback/github')
  })
  const asked = [
    '--app-name',
    'Acme',
    '--base-url',
    'http://localhost:4000',
    '--redis-url',
    '',
    '--social',
    '',
    '--organizations',
    '--admin-email',
    '',
  ]
  test('init rejects an invalid address of a database, and tries a valid one', async () => {
    const database = await freshDatabase()
    onTestFinished(() => database.drop())
    const { password } = new URL(await database.createAccount())
    const url = await database.createAccount()
    const cwd = folder()
    const terminal = onTerminal(cwd, ['init', ...asked])
    await terminal.answer('[sqlite:./latchkey.db]', `sqlite:./latchkey.db${url}\r`)
    await terminal.answer('two addresses', '\u0015postgres://h/d\r')
    await terminal.answer('Expected mysql://', '\u0015mysql://u:a#b@h/d\r')
    await terminal.answer('Write # as %23', '\u0015mysql://127.0.0.1\r')
    await terminal.answer('name of a database', `\u0015${url.replace(new URL(url).password, password)}\r`)
    await terminal.answer('Use it anyway?', 'n')
    expect(terminal.text()).toMatch(/! Cannot connect: .*denied/)
    await terminal.answer('[sqlite:./latchkey.db]', `${url}\r`)
    expect(await terminal.ended).toBe(0)
    expect(terminal.text()).toMatch(/✓ (MySQL|MariaDB) \d+\.\d+\.\d+\S* responds/)
    expect(parseEnv(read(cwd, '.env')).DATABASE_URL).toBe(url)
    // What stays on the screen: the typed text is replaced when the answer is complete.
    const shown = terminal.text().slice(terminal.text().lastIndexOf('◇  Database'))
    expect(shown).toContain('mysql://***@')
    expect(shown).not.toContain(new URL(url).password)
  })
  test('init uses an unreachable database after a confirmation, and writes values of the environment after one', async () => {
    const cwd = folder()
    const terminal = onTerminal(cwd, ['init', ...asked.slice(0, 4)], { REDIS_URL: 'redis://127.0.0.1' })
    await terminal.answer('[sqlite:./latchkey.db]', 'mysql://me@127.0.0.1:9/acme\r')
    await terminal.answer('Use it anyway?', 'y')
    expect(terminal.text()).toContain('! Cannot connect: connect ECONNREFUSED 127.0.0.1:9')
    await terminal.answer('Social sign-in', '\r')
    await terminal.answer('Organizations', '\r')
    await terminal.answer('first administrator', '\r')
    await terminal.answer('Write REDIS_URL from the environment to .env', 'y')
    expect(await terminal.ended).toBe(0)
    expect(parseEnv(read(cwd, '.env'))).toMatchObject({
      DATABASE_URL: 'mysql://me@127.0.0.1:9/acme',
      REDIS_URL: 'redis://127.0.0.1',
    })
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
