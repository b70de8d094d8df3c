import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { compileFunction, constants } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../project/environment.ts'

// Node's own import, not that of the test runner: the configuration is loaded as it is in production.
const load = compileFunction('return import(url)', ['url'], {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (url: string) => Promise<typeof import('./program.ts')>
const { runCli } = await load(new URL('./program.ts', import.meta.url).href)

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-run-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

async function run(cwd: string, args: readonly string[], env: Environment = {}, input = '') {
  const texts = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _, done) {
        texts[name] += String(chunk)
        done()
      },
    })
  const streams = { stdin: Readable.from([input]), stdout: stream('stdout'), stderr: stream('stderr') }
  return { exitCode: await runCli(args, { cwd, env: { ...env }, streams }), ...texts }
}

const config = "import { defineConfig } from 'latchkey/config'\n\nexport default defineConfig({ appName: process.env.APP })\n"
const complete = {
  LATCHKEY_SECRET: 'Zk3vT9qLw2Rr8Yp5Xn1Bc7Md4Gh6Js0FaE',
  LATCHKEY_BASE_URL: 'http://localhost:4000',
  DATABASE_URL: 'sqlite:./test.db',
}

test('a command within this process writes to the given streams and returns its exit code', async () => {
  const cwd = folder()
  expect(await run(cwd, ['secret', '--json'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('secret/v1') })
  expect(await run(cwd, ['secret', '--help'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Usage:'),
    stderr: '',
  })
  expect(await run(cwd, [])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/latchkey(?:.js)? --help/) })
  expect(await run(cwd, ['mirgate'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean migrate?') })
  expect(await run(cwd, ['config', 'check'])).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('auth.config.ts') })
})

test('commands within this process read their own environment and a configuration that has changed', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'auth.config.ts'), config)
  const names = await Promise.all(
    ['Acme', 'Other'].map(async (APP) => {
      const { exitCode, stdout, stderr } = await run(cwd, ['config', 'show', '--json'], { ...complete, APP })
      expect(exitCode, stderr).toBe(0)
      return JSON.parse(stdout).config.appName
    }),
  )
  expect(names).toEqual(['Acme', 'Other'])
  writeFileSync(join(cwd, 'auth.config.ts'), config.replace('process.env.APP', "'Changed'"))
  expect((await run(cwd, ['config', 'show'], complete)).stdout).toContain('"Changed"')
})

test('commands within this process leave nothing behind', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'auth.config.ts'), config)
  writeFileSync(join(cwd, '.env'), 'APP=Acme\n')
  const before = {
    env: process.env,
    names: Object.keys(process.env),
    cwd: process.cwd(),
    signals: process.listenerCount('SIGINT'),
  }
  const created = await run(
    cwd,
    ['users', 'create', '--email', 'a@example.com', '--name', 'A', '--password-stdin'],
    complete,
    'x\n',
  )
  expect(created).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('emailAndPassword') })
  expect(process.env).toBe(before.env)
  expect(Object.keys(process.env)).toEqual(before.names)
  expect(process.cwd()).toBe(before.cwd)
  expect(process.listenerCount('SIGINT')).toBe(before.signals)
  writeFileSync(join(cwd, 'importer.mjs'), "import 'latchkey/config'\n")
  await expect(load(pathToFileURL(join(cwd, 'importer.mjs')).href)).rejects.toThrow("Cannot find package 'latchkey'")
})
