import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { complete, configFile, folder, latchkey, latchkeyJSON } from './kit.ts'

const check = (files: Readonly<Record<string, string>>, env = complete) => latchkeyJSON(folder(files), ['config', 'check'], env)

describe('a faulty configuration is reported with file and line', () => {
  const cases: readonly [what: string, files: Record<string, string>, code: string, place: string, words: string][] = [
    [
      'a syntax error',
      { 'auth.config.ts': `export default {\n  appName: 'a' 'b',\n}\n` },
      'CONFIG_SYNTAX',
      'auth.config.ts:2',
      'Fix this line',
    ],
    [
      'one in an imported file',
      { 'auth.config.ts': `import './roles.ts'\nexport default {}\n`, 'roles.ts': '\nexport const =\n' },
      'CONFIG_SYNTAX',
      'roles.ts:2',
      '',
    ],
    [
      'an enum',
      { 'auth.config.ts': 'enum Role { Admin }\nexport default {}\n' },
      'CONFIG_SYNTAX',
      'auth.config.ts:1',
      'plain object',
    ],
    [
      'a file that is not there',
      { 'auth.config.ts': `\nimport { x } from './nope.ts'\nexport default { x }\n` },
      'CONFIG_IMPORT_MISSING',
      'auth.config.ts:2',
      'relative to the importing file',
    ],
    [
      'a package that is not there',
      { 'auth.config.ts': `import x from 'no-such-package'\nexport default { x }\n` },
      'CONFIG_IMPORT_MISSING',
      'auth.config.ts:1',
      'npm install no-such-package',
    ],
    [
      'an alias that leads nowhere',
      { 'auth.config.ts': `import x from '@/nope'\nexport default { x }\n` },
      'CONFIG_IMPORT_MISSING',
      'auth.config.ts:1',
      '`paths` in tsconfig.json',
    ],
    [
      'a name that is not exported',
      { 'auth.config.ts': `import { nothing } from './a.ts'\nexport default { nothing }\n`, 'a.ts': 'export const a = 1\n' },
      'CONFIG_SYNTAX',
      'auth.config.ts:1',
      'spelling',
    ],
    [
      'an error that it throws',
      { 'auth.config.ts': `const fail = () => {\n  throw new Error('boom')\n}\nexport default { a: fail() }\n` },
      'CONFIG_THREW',
      'auth.config.ts:2',
      'boom',
    ],
    [
      'no default export',
      { 'auth.config.ts': 'export const config = {}\n' },
      'CONFIG_NO_DEFAULT',
      'auth.config.ts',
      'export default defineConfig',
    ],
    ['an empty file', { 'auth.config.ts': '' }, 'CONFIG_NO_DEFAULT', 'auth.config.ts', 'export default defineConfig'],
    ['a comment alone', { 'auth.config.ts': '// later\n' }, 'CONFIG_NO_DEFAULT', 'auth.config.ts', ''],
    [
      'a mistake of its code',
      { 'auth.config.ts': 'const a: any = {}\nexport default { appName: a.b.c }\n' },
      'CONFIG_THREW',
      'auth.config.ts:2',
      'Fix this line.',
    ],
    [
      'a connection',
      {
        'auth.config.ts': `import net from 'node:net'\nawait new Promise((_, fail) => net.connect(9, '127.0.0.1').on('error', fail))\nexport default {}\n`,
      },
      'CONFIG_THREW',
      'auth.config.ts',
      'must not need a network',
    ],
    [
      'another extension',
      { 'auth.config.mjs': 'export default {}\n' },
      'CONFIG_NOT_FOUND',
      'auth.config.ts',
      '--config auth.config.mjs',
    ],
    [
      'JSON that is none',
      { 'auth.config.ts': `import x from './x.json' with { type: 'json' }\nexport default { x }\n`, 'x.json': '{ "a": 1, }' },
      'CONFIG_SYNTAX',
      'x.json:1',
      '',
    ],
  ]
  test.each(cases)('%s', async (_, files, code, place, words) => {
    const { exitCode, document, stderr } = await check(files)
    expect(exitCode).toBe(8)
    expect(document).toMatchObject({ code })
    expect(stderr).toContain(place)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('    at ')
  })
  test('a file of another type', async () => {
    const cwd = folder({ 'auth.config.json': '{}' })
    const { exitCode, stderr } = await latchkey(cwd, ['config', 'check', '--config', 'auth.config.json'], complete)
    expect([exitCode, stderr]).toEqual([
      8,
      expect.stringMatching(/auth\.config\.json is not a TypeScript or JavaScript file\n.*auth\.config\.ts/),
    ])
  })
  test('a byte order mark in .env is accepted', async () => {
    const text = Object.entries(complete)
      .map(([name, value]) => `${name}=${value}`)
      .join('\r\n')
    const cwd = folder({ 'auth.config.ts': configFile(), '.env': `\uFEFF${text}` })
    expect(await latchkey(cwd, ['config', 'check'])).toMatchObject({ exitCode: 0 })
  })
  test('with a stack trace when --debug is given', async () => {
    const cwd = folder({ 'auth.config.ts': `throw new Error('boom')\n` })
    expect((await latchkey(cwd, ['config', 'check', '--debug'], complete)).stderr).toContain('    at ')
  })
  test('stops an import that never ends at a deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let isDone = false
    const checking = check({ 'auth.config.ts': 'await new Promise(() => {})\nexport default {}\n' }).finally(() => {
      isDone = true
    })
    const tenSecondsLater = () => {
      vi.advanceTimersByTime(10_000)
      return isDone
    }
    await expect.poll(tenSecondsLater, { timeout: 20_000 }).toBe(true)
    const { exitCode, document } = await checking
    expect(exitCode).toBe(8)
    expect(document).toMatchObject({ code: 'CONFIG_TIMEOUT', hint: expect.stringContaining('await') })
  })
  test('reports an unknown option with its path, its line and the closest known option', async () => {
    const text = configFile(`{\n  server: {\n    prot: 1,\n  },\n  session: { expiresIn: 'x' },\n  plugins: [],\n}`)
    const { exitCode, document, stderr } = await check({ 'auth.config.ts': text })
    expect(exitCode).toBe(8)
    expect(document.details).toEqual(
      expect.arrayContaining([
        {
          id: 'config-unknown-option',
          path: 'server.prot',
          message: expect.stringContaining('auth.config.ts:5'),
          hint: 'Did you mean `port`?',
        },
        expect.objectContaining({ path: 'session.expiresIn', message: expect.stringContaining('auth.config.ts:7') }),
        expect.objectContaining({ path: 'plugins', hint: expect.stringContaining('sections') }),
      ]),
    )
    expect(stderr).toContain('Did you mean `port`?')
  })
  test('reports an invalid value of the environment with its variable', async () => {
    const { stderr, exitCode } = await check({ 'auth.config.ts': configFile() }, { ...complete, LATCHKEY_BASE_URL: 'nonsense' })
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('environment LATCHKEY_BASE_URL')])
  })
  test.each([
    ['secret-missing', { LATCHKEY_SECRET: '' }],
    ['secret-weak', { LATCHKEY_SECRET: 'short' }],
    ['database-missing', { DATABASE_URL: '' }],
    ['base-url-missing', { LATCHKEY_BASE_URL: '' }],
    ['base-url-plain-http', { LATCHKEY_BASE_URL: 'http://auth.example.com' }],
  ])('rejects %s with its ID', async (id, env) => {
    const { exitCode, document } = await check({ 'auth.config.ts': configFile() }, { ...complete, ...env })
    expect(exitCode).toBe(8)
    expect(document.details).toEqual([expect.objectContaining({ id })])
  })
})

describe('an address of a database is rejected with what to write', () => {
  test.each([
    ['mysql://u:hunter#two@h/db', '%23'],
    ['mysql://u:hunter%zz@h/db', '%25'],
    ['mysql://u:hunter@h', 'the name of a database'],
  ])('%s', async (url, words) => {
    const env = { ...complete, DATABASE_URL: url }
    const { exitCode, document, stdout, stderr } = await check({ 'auth.config.ts': configFile() }, env)
    expect(exitCode).toBe(8)
    const [issue] = document.details as readonly Record<string, string>[]
    expect(issue).toMatchObject({ id: 'database-address', path: 'database.url' })
    expect(`${issue?.message} ${issue?.hint}`).toContain(words)
    expect(stdout + stderr).not.toContain('hunter')
  })
  test('and `config show` does not print its password', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    for (const url of [
      'mysql://u:hunter/two@h/x',
      'mysql://u:hunter?two@h/x',
      'mysql://u:hunter#two@h/x',
      'mysql://u:1/hunter@h/x',
    ]) {
      for (const args of [['config', 'show'], ['config', 'show', '--json'], ['doctor'], ['start', '--check']]) {
        const { stdout, stderr } = await latchkey(cwd, args, { ...complete, DATABASE_URL: url })
        expect(stdout + stderr).not.toMatch(/hunter|two/)
      }
    }
  })
})

describe('a missing or invalid configuration gives exit code 8 for every command that needs one', () => {
  const commands = [
    ['config', 'check'],
    ['config', 'show'],
    ['openapi'],
    ['migrate', 'generate'],
    ['migrate', 'up', '--yes'],
    ['migrate', 'down'],
    ['migrate', 'status'],
    ['seed'],
  ]
  test.each(commands.map((command) => [command]))('%j', async (command) => {
    expect(await latchkeyJSON(folder(), command, complete)).toMatchObject({ exitCode: 8, document: { code: 'CONFIG_NOT_FOUND' } })
    const wrong = folder({ 'auth.config.ts': configFile('{ sesion: {} }') })
    const { exitCode, document } = await latchkeyJSON(wrong, command, complete)
    expect([exitCode, document.code, document.details]).toEqual([
      8,
      'CONFIG_INVALID',
      [expect.objectContaining({ path: 'sesion', hint: 'Did you mean `session`?' })],
    ])
  })
})
