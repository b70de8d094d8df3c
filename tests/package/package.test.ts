/** Installs the tarball in an empty folder and runs three commands, as a user does. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { endKept, keptFolder } from '../kit/servers/keeper.ts'
import { freePort } from '../kit/servers/ports.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const folder = keptFolder('package')
const command = join(folder, 'node_modules/latchkey/bin/latchkey.js')
// npm passes variables about its own project to child processes; this package must not see them.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config_local)|^LATCHKEY_COMMAND$/.test(name)),
)

const latchkey = (args: readonly string[]) =>
  execa(process.execPath, [command, ...args], { cwd: folder, env, extendEnv: false, stdin: 'ignore', cleanup: true })

beforeAll(async () => {
  await execa('npm', ['run', 'build'], { cwd: repository })
  const { stdout } = await execa('npm', ['pack', './dist', '--json', '--pack-destination', folder], { cwd: repository })
  const [tarball]: readonly { filename: string }[] = JSON.parse(stdout)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  await execa('npm', ['install', `./${tarball?.filename}`, ...quiet], { cwd: folder, env, extendEnv: false })
}, 300_000)

afterAll(endKept)

test('sets up and serves a project that accepts a sign-up', async () => {
  const { stdout } = await latchkey(['init', '--yes'])
  expect(stdout).toContain('\n  npx latchkey start --detach')
  const port = await freePort()
  const daemon = latchkey(['dev', '--port', String(port)])
  onTestFinished(() => void daemon.kill('SIGKILL'))
  const api = `http://127.0.0.1:${port}/api/auth`
  const ended = daemon.then(
    () => 'it ended',
    (error: unknown) => error,
  )
  const isUp = async (): Promise<void> => {
    expect((await fetch(`${api}/ok`)).status).toBe(200)
  }
  expect(await Promise.race([vi.waitFor(isUp, { timeout: 60_000, interval: 100 }), ended])).toBeUndefined()

  // Its files come from a dependency, found from where the package lies.
  expect((await fetch(`${api}/reference`)).status).toBe(200)
  const answer = await fetch(`${api}/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', email: 'Ada@example.com', password: 'correct horse battery' }),
  })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
  expect(answer.headers.getSetCookie().join()).toContain('session_token=')

  daemon.kill('SIGTERM')
  await ended
  await expect(fetch(`${api}/ok`)).rejects.toThrow()
}, 120_000)

test('checks a configuration with the types of the package', async () => {
  const tsc = join(repository, 'node_modules/.bin/tsc')
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', '--types']
  const check = (text: string) =>
    writeFile(
      join(folder, 'typed.ts'),
      `import { defineConfig } from 'latchkey/config'\nexport default defineConfig(${text})\n`,
    ).then(() => execa(tsc, [...options, '', 'typed.ts'], { cwd: folder, reject: false }))
  expect(await check(`{ appName: 'Acme' }`)).toMatchObject({ stdout: '', exitCode: 0 })
  expect((await check(`{ appNmae: 'Acme' }`)).stdout).toContain('appNmae')
})

test('contains only files that its users need', async () => {
  const { stdout } = await execa('npm', ['pack', './dist', '--dry-run', '--json'], { cwd: repository })
  const [tarball]: readonly { files: readonly { path: string }[] }[] = JSON.parse(stdout)
  const paths = tarball?.files.map((file) => file.path) ?? []
  expect(paths).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'bin/latchkey.js', 'package.json', 'src/index.d.ts', 'src/index.js']),
  )
  expect(paths.filter((path) => /\.test\.|(?<!\.d)\.ts$|^(tests|bench|scripts)\//.test(path))).toEqual([])
})

test('has a bill of materials with exactly the packages of the lock file that it installs', async () => {
  const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
  const bill: Bill = await read(join(folder, 'node_modules/latchkey/sbom.cdx.json'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'latchkey' } } })
  const lock: { packages: Record<string, Locked> } = await read(join(repository, 'package-lock.json'))
  const installed = Object.entries(lock.packages).flatMap(([path, { version, dev, devOptional }]) => {
    const name = path.split('node_modules/').at(-1) ?? ''
    return name === '' || dev || devOptional || name.startsWith('node-linux-') ? [] : [`${name}@${version}`]
  })
  expect(bill.components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual([...new Set(installed)].sort())
})

interface Locked {
  readonly version: string
  readonly dev?: true
  readonly devOptional?: true
}
interface Bill {
  readonly components: readonly { readonly name: string; readonly version: string }[]
}
