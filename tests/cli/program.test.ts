import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import type { Command, CommandGroup } from '../../src/cli/command.ts'
import { chapters } from '../../src/cli/command-list.ts'
import { exitCodeMeanings } from '../../src/project/failure.ts'
import { bin, complete, configFile, folder, inherited, latchkey, latchkeyJSON, latchkeyProcess } from './kit.ts'

const entries = chapters.flatMap((chapter) => chapter.entries)
const loaded: readonly (Command | CommandGroup)[] = await Promise.all(entries.map(({ load }) => load()))
const paths = loaded.flatMap((entry) =>
  'commands' in entry ? [[entry.name], ...entry.commands.map(({ name }) => [entry.name, name])] : [[entry.name]],
)

describe('the list of commands', () => {
  test('has the summary of each command file', () => {
    expect(loaded.map(({ name, summary }) => ({ name, summary }))).toEqual(
      entries.map(({ name, summary }) => ({ name, summary })),
    )
  })
  const all = loaded.flatMap((entry) => ('commands' in entry ? [entry, ...entry.commands] : [entry]))
  test('has an example for each command, and no summary with a full stop', () => {
    expect(all.filter(({ examples, summary }) => examples.length === 0 || summary.endsWith('.'))).toEqual([])
  })
  test('gives each a summary of 3 to 8 words that starts with a verb', () => {
    const verbs =
      /^(Add|Apply|Approve|Ban|Change|Check|Compare|Count|Create|Decline|Delete|Diagnose|End|Erase|Explain|Export|Freeze|Generate|Import|Invite|Lift|List|Lock|Manage|Move|Print|Record|Reload|Remove|Reset|Restart|Retire|Retry|Revoke|Roll|Rotate|Run|Set|Show|Start|Stop|Unban|Unlock|Verify),? /
    const isPlain = (summary: string) => verbs.test(summary) && /^\S+( \S+){2,7}$/.test(summary)
    expect(all.map(({ summary }) => summary).filter((summary) => !isPlain(summary))).toEqual([])
  })
})

describe('help', () => {
  test.each([[[]], ...paths.map((path) => [path])])(
    'of %j has a summary, examples, flag groups and a docs link, in 80 columns',
    async (path) => {
      const { stdout, stderr, exitCode } = await latchkey(folder(), [...path, '--help'])
      expect([exitCode, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^[A-Z].*\.\n\n/)
      for (const part of ['Usage: latchkey', 'Examples:', 'Options of every command:']) expect(stdout).toContain(part)
      expect(existsSync(/^Docs: (.+)$/m.exec(stdout)?.[1] ?? '')).toBe(true)
      const long = stdout.split('\n').filter((line) => line.length > 80)
      expect(long).toEqual([])
    },
  )
  test('contains the table of exit codes', async () => {
    const { stdout } = await latchkey(folder(), ['--help'])
    for (const [code, meaning] of Object.entries(exitCodeMeanings))
      expect(stdout).toMatch(new RegExp(`^ +${code} +${meaning.slice(0, 20)}`, 'm'))
  })
  test.each([['seed'], ['migrate'], ['migrate up']])('is also printed by `help %s`', async (words) => {
    const [help, flag] = [
      ['help', ...words.split(' ')],
      [...words.split(' '), '--help'],
    ]
    expect((await latchkey(folder(), help)).stdout).toBe((await latchkey(folder(), flag)).stdout)
  })
  test('`help` alone lists the commands', async () => {
    expect((await latchkey(folder(), ['help'])).stdout).toBe((await latchkey(folder(), ['--help'])).stdout)
  })
  test('is short without a command', async () => {
    const { stdout, exitCode } = await latchkey(folder(), [])
    expect([exitCode, stdout.split('\n').length < 12]).toEqual([0, true])
    expect(stdout).toContain('latchkey --help')
  })
})

describe('commands to type next contain the name as this user must type it', () => {
  const env = { LATCHKEY_COMMAND: 'npx latchkey' }
  test('in next steps, hints, findings and help, and in JSON', async () => {
    const cwd = folder()
    expect((await latchkey(cwd, [], env)).stdout).toContain('  npx latchkey dev ')
    expect((await latchkey(cwd, ['seed', '--help'], env)).stdout).toMatch(
      /Usage: npx latchkey seed .*\n\nExamples:\n {2}npx latchkey/s,
    )
    const missing = await latchkeyJSON(cwd, ['seed'], env)
    expect([missing.document.hint, missing.stderr]).toEqual([
      expect.stringContaining('`npx latchkey init`'),
      expect.stringContaining('`npx latchkey init`'),
    ])
    const { document } = await latchkeyJSON(cwd, ['init', '--yes', '--admin-email', 'a@b.test'], env)
    expect(document.next).toEqual(['npx latchkey seed', 'npx latchkey start --detach'])
    expect((await latchkey(cwd, ['status'], env)).stderr).toBe('Next: npx latchkey start --detach')
    const weak = await latchkeyJSON(cwd, ['config', 'check'], { ...env, LATCHKEY_SECRET: 'short' })
    expect(JSON.stringify(weak.document)).toContain('`npx latchkey secret`')
    expect(weak.stderr).toContain('`npx latchkey secret`')
    const examined = await latchkeyJSON(cwd, ['doctor'], { ...env, LATCHKEY_SECRET: 'short' })
    expect(JSON.stringify(examined.document)).toContain('`npx latchkey secret`')
  })
  test('found without LATCHKEY_COMMAND', async () => {
    const { stderr } = await latchkeyProcess(folder(), ['seed'], { LATCHKEY_COMMAND: '' })
    expect(stderr).toContain(`\`node ${realpathSync(bin)} init\``)
  })
})

describe('a usage error gives exit code 2', () => {
  test.each([
    [['mirgate'], 'Did you mean migrate?'],
    [['migrate', 'upp'], 'Did you mean up?'],
    [['migrate', 'up', '--dryrun'], 'Did you mean --dry-run?'],
    [['migrate'], 'A command is missing'],
    [['migrate', 'up', '--to', 'x'], '--to: expected a whole number'],
    [['migrate', 'up', '--lock-timeout', '-1'], '--lock-timeout: expected a whole number'],
    [['seed', '--timeout', 'soon'], '--timeout: expected seconds'],
    [['seed', 'more'], 'Too many arguments'],
    [['completion'], "issing required argument 'shell'"],
    [['completion', 'csh'], '<shell>: expected one of bash, zsh, fish, powershell, not "csh"'],
    [['audit', 'list', '--outcome', 'good'], '--outcome: expected one of succeeded, failed, denied, not "good"'],
    [['users', 'list', '--limit', 'abc'], '--limit: expected a whole number from 1 to 1000000000, not "abc"'],
    [['users', 'list', '--limit', ''], '--limit: expected a whole number from 1 to 1000000000, not ""'],
    [['users', 'list', '--created-since', 'monday'], 'not "monday"'],
    [['limits', 'clear', '--ip', '\u001b[31mx'], 'not "\\u001b[31mx"'],
    [['help', 'nonsense'], "Unknown command 'nonsense'"],
    [['help', 'migrate', 'upp'], 'Did you mean up?'],
    [['nonsense', '--help'], "Unknown command 'nonsense'"],
    [['migrate', 'nonsense', '-h'], "Unknown command 'nonsense'"],
    [['serve'], '`latchkey start`'],
    [['upgrade'], '`latchkey restart`'],
    [['plan'], '`latchkey migrate up --dry-run`'],
    [['apply'], '`latchkey migrate up`'],
    [['backup'], 'docs/backup.md'],
    [['login'], 'no sign-in'],
    [['webhooks'], 'not available yet'],
    [['create', 'user'], '`latchkey users create`'],
    [['users', 'add'], 'Did you mean create?'],
    [['orgs', 'rm'], 'Did you mean delete?'],
    [['migrate', 'rollback'], 'Did you mean down?'],
    [['config', 'validate'], 'Did you mean check?'],
    [['users', 'create', '--password', 'hunter2'], '--password-stdin'],
    [['users', 'create', '--password=hunter2'], "Unknown option '--password'\nPasswords are never options"],
    [['start', '--daemon'], 'Did you mean --detach?'],
    [['users', 'list', '--format', 'json'], 'Did you mean --json?'],
    [['-V'], 'Did you mean --version?'],
    [['init', '--base-url', 'nonsense'], 'such as https://accounts.example.com, not "nonsense"'],
    [['init', '--base-url', 'http://u:hunter2@acme.test'], 'not "http://***@acme.test"'],
    [['init', '--redis-url', 'http://u:hunter2@acme.test', '--yes'], '--redis-url <url>: Not a valid Redis URL'],
    [['init', '--database-url', 'postgres://h/d', '--yes'], '--database-url <url>: Expected mysql://'],
  ])('%j', async (args, words) => {
    const cwd = folder()
    const human = await latchkey(cwd, args)
    expect([human.exitCode, human.stderr]).toEqual([2, expect.stringContaining(words)])
    expect(human.stderr).not.toContain('hunter2')
    if (args.length > 1 || args[0] !== 'migrate') expect(human.stdout).toBe('')
    const { exitCode, document } = await latchkeyJSON(cwd, args)
    expect([exitCode, document.schema, document.code]).toEqual([2, 'error/v1', 'USAGE'])
  })
})

test('version prints the versions and the platform', async () => {
  const { document } = await latchkeyJSON(folder(), ['version'])
  expect(document).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    compatibleWith: 'better-auth 1.2.12',
    licence: 'MIT',
  })
  expect((await latchkey(folder(), ['--version'])).stdout).toBe(document.version)
})

test('secret generates a new secret of 256 bits each time', async () => {
  const one = await latchkey(folder(), ['secret'])
  const other = await latchkey(folder(), ['secret', '--env'])
  expect(one.stdout).toMatch(/^[\w-]{43}$/)
  expect(other.stdout).toMatch(/^LATCHKEY_SECRET=[\w-]{43}$/)
  expect(other.stdout).not.toContain(one.stdout)
  expect((await latchkeyJSON(folder(), ['secret'])).document).toMatchObject({
    schema: 'secret/v1',
    secret: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('exits with 0 when the reader of its output closes early', async () => {
  const cwd = folder({ 'auth.config.ts': configFile() })
  // Longer than what a pipe holds, so that the writer notices.
  const child = spawn(process.execPath, [bin, 'openapi'], {
    cwd,
    env: { ...inherited, ...complete },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += String(text)
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const [code, signal] = await once(child, 'close')
  expect([code, signal, stderr]).toEqual([0, null, ''])
})

describe('completion', () => {
  const complete = async (line: readonly string[], cwd = folder()) => {
    const { stdout: script } = await latchkey(folder(), ['completion', 'bash'])
    const asked = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _latchkey; printf "%s\\n" "\${COMPREPLY[@]}"`
    const { stdout } = await execa('bash', ['-c', `${script}\n${asked}`, 'bash', 'latchkey', ...line], { cwd })
    return stdout.split('\n')
  }
  test('in bash offers commands, subcommands, flags and choices', async () => {
    expect(await complete([''])).toEqual(entries.map(({ name }) => name))
    expect(await complete(['migrate', ''])).toEqual(['generate', 'up', 'down', 'adopt', 'status'])
    expect(await complete(['--config', 'x.ts', 'migrate', 'u'])).toEqual(['up'])
    expect(await complete(['migrate', 'up', '--lock'])).toEqual(['--lock-timeout'])
    expect(await complete(['completion', ''])).toEqual(['bash', 'zsh', 'fish', 'powershell'])
  })
  test('in bash offers files and folders where the command expects one', async () => {
    const cwd = folder({ 'my users.ndjson': '', 'accounts/x': '' })
    expect((await complete(['import', 'users', ''], cwd)).sort()).toEqual(['accounts', 'my users.ndjson'])
    expect(await complete(['init', 'acc'], cwd)).toEqual(['accounts'])
    expect(await complete(['export', 'users', '--out', 'my'], cwd)).toEqual(['my users.ndjson'])
    expect(await complete(['import', 'users', '--res'], cwd)).toEqual(['--resume'])
    expect(await complete(['mig'], cwd)).toEqual(['migrate'])
  })
  test.each(['zsh', 'fish', 'powershell'])('for %s contains every command', async (shell) => {
    const { stdout, exitCode } = await latchkey(folder(), ['completion', shell])
    expect(exitCode).toBe(0)
    for (const { name } of loaded) expect(stdout).toContain(name)
  })
})

describe('the program file', () => {
  const place = (): string => {
    const root = folder({ 'package.json': '{ "type": "module" }' })
    mkdirSync(join(root, 'bin'))
    cpSync(bin, join(root, 'bin', 'latchkey.js'))
    return root
  }
  /** Pretends that the file runs in an old Node. */
  const asOld = (root: string): readonly string[] => {
    writeFileSync(
      join(root, 'old.mjs'),
      "Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); Object.defineProperty(process, 'version', { value: 'v20.20.2' })\n",
    )
    return ['--import', join(root, 'old.mjs')]
  }
  test('reports an old Node in one sentence', async () => {
    const root = place()
    const { exitCode, stderr } = await execa(process.execPath, [...asOld(root), join(root, 'bin/latchkey.js')], { reject: false })
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/^latchkey needs Node\.js 22\.19 or newer, and this is v20\.20\.2\..*npm ci/),
    ])
  })
  test('runs the Node of node_modules, and forwards signals and exit code', async () => {
    const root = place()
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    mkdirSync(join(root, 'src/cli'), { recursive: true })
    symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'))
    writeFileSync(
      join(root, 'src/cli/program.js'),
      'export function main(args) { process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log(args.join()) }\n',
    )
    // The option is handed over too, so this Node calls itself old only where it was not started by the file.
    writeFileSync(
      join(root, 'old.mjs'),
      "if (!process.env.LATCHKEY_NODE) Object.defineProperty(process.versions, 'node', { value: '20.20.2' })\n",
    )
    const child = execa(process.execPath, ['--import', join(root, 'old.mjs'), join(root, 'bin/latchkey.js'), 'a', 'b'], {
      reject: false,
    })
    const [text] = await once(child.stdout, 'data')
    expect(String(text)).toBe('a,b\n')
    child.kill('SIGTERM')
    expect((await child).exitCode).toBe(7)
  })
  test('explains how to repair an incomplete installation', async () => {
    const root = place()
    mkdirSync(join(root, 'src/cli'), { recursive: true })
    writeFileSync(join(root, 'src/cli/program.js'), "import 'no-such-package'\n")
    const { exitCode, stderr } = await execa(process.execPath, [join(root, 'bin/latchkey.js')], { reject: false })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('npm ci')])
  })
})

test('reports one mistake once, and several one by one', async () => {
  const one = await latchkey(folder(), ['users', 'list', '--limit', 'x'])
  expect(one.stderr.split('\n')).toEqual([
    '✗ --limit: expected a whole number from 1 to 1000000000, not "x"',
    'Add --help to see the options.',
  ])
  const two = await latchkey(folder(), ['users', 'list', '--limit', 'x', '--wait-for-db', 'y'])
  expect(two.stderr.match(/expected a whole number/g)).toHaveLength(2)
})
