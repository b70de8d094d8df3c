/** The program as a process. Commands inside the test process behave the same and leave nothing behind. */
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { bin, complete, configFile, type Environment, folder, latchkey, latchkeyJSON, latchkeyProcess } from './kit.ts'

const ann = ['users', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--role', 'none', '--password-stdin']
const valid = { 'auth.config.ts': configFile() }

interface Case {
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Environment
  readonly input?: string
  readonly exitCode: number
}

describe('a command ends the same way as a process and inside the test process', () => {
  const cases: readonly [line: string, given: Case][] = [
    ['', { exitCode: 0 }],
    ['--version', { exitCode: 0 }],
    ['users list --help', { exitCode: 0 }],
    ['mirgate', { exitCode: 2 }],
    ['migrate', { exitCode: 2 }],
    ['users list --limit x --json', { exitCode: 2 }],
    ['config check', { exitCode: 8 }],
    ['config check --json', { files: { 'auth.config.ts': configFile('{ sesion: {} }') }, exitCode: 8 }],
    ['config show --origin', { files: valid, env: complete, exitCode: 0 }],
    ['config show', { files: { 'auth.config.ts': 'export default {\n  a: b c\n}\n' }, exitCode: 8 }],
    ['config show', { files: { 'auth.config.ts': "import './no.ts'\nexport default {}\n" }, exitCode: 8 }],
    ['users list', { files: valid, env: complete, exitCode: 0 }],
    ['users list', { files: valid, env: { ...complete, DATABASE_URL: 'mysql://root@127.0.0.1:1/none' }, exitCode: 6 }],
    ['users delete ann@example.com', { files: valid, env: complete, exitCode: 1 }],
    ['init', { files: valid, exitCode: 5 }],
    ['sessions revoke --all', { files: valid, env: complete, exitCode: 4 }],
    [ann.join(' '), { files: valid, env: complete, input: 'a perfectly fine passphrase\n', exitCode: 1 }],
    [ann.join(' '), { files: valid, env: complete, input: '', exitCode: 2 }],
    ['import users -', { files: valid, env: complete, input: '{"user":{"email":"ann@example.com"}}\n', exitCode: 0 }],
  ]
  test.each(cases)('latchkey %s %o', async (line, { files = {}, env = {}, input, exitCode }) => {
    const run = async (command: typeof latchkey) => {
      const cwd = folder(files)
      const ended = await command(cwd, line.split(' ').filter(Boolean), env, input === undefined ? {} : { input })
      const texts = [ended.stdout, ended.stderr].map((text) =>
        text.replaceAll(cwd, 'FOLDER').replaceAll(/[\w/.-]*docs\//g, 'docs/'),
      )
      return [ended.exitCode, ...texts, existsSync(join(cwd, 'test.db'))]
    }
    // One after the other: the listeners of execa would be taken for those of the command.
    const inside = await run(latchkey)
    const outside = await run(latchkeyProcess)
    expect(inside).toEqual(outside)
    expect(inside[0]).toBe(exitCode)
  })
})

describe('a command inside the test process', () => {
  const imported = {
    'auth.config.ts': `import { appName } from './name.ts'\nimport { mode } from './mode.cjs'\nexport default { appName: appName + mode + process.env.SUFFIX }\n`,
    'name.ts': `export const appName: string = 'Acme'\n`,
    'mode.cjs': `exports.mode = ' one'\n`,
  }
  const nameOf = async (cwd: string, env: Environment = {}) => {
    const { document } = await latchkeyJSON(cwd, ['config', 'show'], { ...complete, ...env })
    return (document.config as { appName: string }).appName
  }

  test('reads a configuration again, with everything it imports', async () => {
    const cwd = folder(imported)
    expect(await nameOf(cwd, { SUFFIX: '!' })).toBe('Acme one!')
    writeFileSync(join(cwd, 'name.ts'), `export const appName: string = 'Other'\n`)
    writeFileSync(join(cwd, 'mode.cjs'), `exports.mode = ' two'\n`)
    expect(await nameOf(cwd, { SUFFIX: '?' })).toBe('Other two?')
  })

  test('reads no variable of the test process, of an earlier command or of its .env', async () => {
    process.env.SUFFIX = ' of the test'
    try {
      const cwd = folder({ ...imported, '.env': 'SUFFIX=" of .env"\n' })
      expect(await nameOf(cwd)).toBe('Acme one of .env')
      writeFileSync(join(cwd, '.env'), '')
      expect(await nameOf(cwd)).toBe('Acme oneundefined')
      expect(process.env.SUFFIX).toBe(' of the test')
    } finally {
      delete process.env.SUFFIX
    }
  })

  test('restores environment, folder, listeners and module resolution', async () => {
    const state = () => ({
      cwd: process.cwd(),
      env: { ...process.env },
      exitCode: process.exitCode,
      listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
    })
    const [before, env] = [state(), process.env]
    const cwd = folder({ ...valid, '.env': 'LEFT_BEHIND=1\n', 'importer.mjs': "import 'latchkey/config'\n" })
    for (const args of [['users', 'list'], ['config', 'check'], ['config', 'nothing'], ['migrate', 'status'], ['seed']]) {
      await latchkey(cwd, args, complete)
    }
    await latchkey(folder({ 'auth.config.ts': 'throw new Error()' }), ['config', 'check'], complete)
    expect(state()).toEqual(before)
    expect(process.env).toBe(env)
    const load = createRequire(import.meta.url)
    expect(() => load(join(cwd, 'importer.mjs'))).toThrow("Cannot find package 'latchkey'")
  })

  test('fails the test when it leaves a listener behind', async () => {
    const cwd = folder({ 'auth.config.ts': 'process.on("SIGHUP", () => {})\nexport default {}\n' })
    const before = process.listeners('SIGHUP')
    await expect(latchkey(cwd, ['config', 'check'], complete)).rejects.toThrow('changed the process')
    for (const added of process.listeners('SIGHUP')) if (!before.includes(added)) process.off('SIGHUP', added)
  })

  test('runs alone when several are started concurrently', async () => {
    const cwds = ['a', 'b', 'c'].map((name) =>
      folder({ 'auth.config.ts': `export default { appName: '${name}' + process.cwd() }` }),
    )
    const names = await Promise.all(cwds.map((cwd) => nameOf(cwd)))
    expect(names).toEqual(cwds.map((cwd, position) => `${'abc'[position]}${cwd}`))
  })
})

describe('a configuration that never ends', () => {
  const endless = (text: string, body = '{}') => ({
    'auth.config.ts': `import { run } from './loop.ts'\nrun()\nexport default {}\n`,
    'loop.ts': `import { writeSync } from 'node:fs'\nconst loop = () => { writeSync(1, '\\n'); for (;;) ${body} }\n${text}\n`,
  })
  /** Blocks the thread in the same way, but leaves the processor to other tests: the deadline is far away. */
  const sleep = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)'
  const places: [place: string, text: string][] = [
    ['in a module', 'loop()\nexport const run = () => {}'],
    ['in a function that it calls', 'export const run = loop'],
    ['after a top-level await', 'await null\nloop()\nexport const run = () => {}'],
    ['after a timer', 'await new Promise((resolve) => setTimeout(resolve, 1))\nloop()\nexport const run = () => {}'],
    ['in a timer', 'setTimeout(loop, 1)\nawait new Promise(() => {})\nexport const run = () => {}'],
    ['in a top-level await', "writeSync(1, '\\n')\nawait new Promise(() => {})\nexport const run = () => {}"],
  ]

  test('is stopped at the deadline, with the file and the limit, wherever the loop is', async () => {
    const [[, inModule = ''] = []] = places
    const loops = [endless(inModule), ...places.map(([, text]) => endless(text, sleep))]
    const runs = loops.map((files) => latchkeyJSON(folder(files), ['users', 'list'], complete, latchkeyProcess))
    for (const { exitCode, document } of await Promise.all(runs)) {
      expect(exitCode).toBe(8)
      expect(document).toMatchObject({ code: 'CONFIG_TIMEOUT', message: expect.stringMatching(/auth\.config\.ts .* 10 seconds/) })
    }
  }, 90_000)

  test.each(places)('%s is stopped by Ctrl-C', async (_place, text) => {
    const options = { cwd: folder(endless(text)), env: complete, reject: false, stdin: 'ignore' } as const
    const running = execa(process.execPath, [bin, 'users', 'list'], options)
    await once(running.stdout, 'data')
    running.kill('SIGINT')
    const { exitCode, stderr } = await running
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: expect.stringMatching(/^\S* ?Interrupted$/) })
  })

  test('only for a moment, in a top-level await, is loaded', async () => {
    const cwd = folder({ 'auth.config.ts': `await new Promise((resolve) => setTimeout(resolve, 1))\n${configFile()}` })
    expect(await latchkeyProcess(cwd, ['users', 'list'], complete)).toMatchObject({ exitCode: 0 })
  })
})
