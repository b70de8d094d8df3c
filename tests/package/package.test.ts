/** Builds the tarball, installs it as docs/install.md says, and uses it from an unrelated folder. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startEditor } from '../kit/language-server.ts'
import { endKept, keptFolder } from '../kit/servers/keeper.ts'
import { freePort } from '../kit/servers/ports.ts'
import { instruction, prepareContainer } from './container.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const [folder, prefix, image] = [keptFolder('package'), keptFolder('prefix'), keptFolder('image')]
const installed = join(prefix, 'lib/node_modules/latchkey')
// npm passes variables about its own project to child processes; this package must not see them.
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config_local)|^LATCHKEY_COMMAND$/.test(name)),
  ),
  PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
}

const latchkey = (args: readonly string[]) =>
  execa('latchkey', args, { cwd: folder, env, extendEnv: false, stdin: 'ignore', cleanup: true })

const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8')
/** The commands of the build stage after the sources are there, with the folder of this test. */
const [, buildStage = ''] = /COPY \. \.\n([\s\S]*?)\n\n/.exec(dockerfile) ?? []
const steps = [...buildStage.matchAll(/^RUN (.*)$/gm)].map(([, step = '']) => step.replaceAll('/image', image))

beforeAll(async () => {
  expect(steps).toHaveLength(6)
  const options = { cwd: repository, env: { ...env, npm_config_prefer_offline: 'true' }, extendEnv: false }
  const outputs: string[] = []
  for (const step of steps) outputs.push((await execa('/bin/sh', ['-c', step], options)).stdout)
  const [, tarball = ''] = /npm install -g (\.\/latchkey-\S+\.tgz)$/.exec(outputs[0] ?? '') ?? []
  expect(globSync('latchkey-*.tgz', { cwd: repository }).map((name) => `./${name}`)).toEqual([tarball])
  await execa('npm', ['install', '--global', '--prefix', prefix, tarball], options)
}, 300_000)

const healthCheck = (port: number): readonly string[] => {
  const [, check = '[]'] = /CMD (\[.*\])$/.exec(instruction(dockerfile, 'HEALTHCHECK')) ?? []
  return JSON.parse(check.replace(':4000/', `:${port}/`))
}

/** The health check of the image. @returns the exit code */
async function checkHealth(port: number): Promise<number | undefined> {
  const [program = '', ...args] = healthCheck(port)
  return (await execa(program, args, { env, extendEnv: false, reject: false })).exitCode
}

afterAll(endKept)

test('sets up and serves a project that accepts a sign-up', async () => {
  const { stdout } = await latchkey(['init', '--yes'])
  expect(stdout).toContain('\n  latchkey start --detach')
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

  // What renders it is found from where the package lies.
  expect((await fetch(`${api}/reference`)).status).toBe(200)
  const answer = await fetch(`${api}/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', email: 'Ada@example.com', password: 'correct horse battery' }),
  })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
  expect(answer.headers.getSetCookie().join()).toContain('session_token=')

  expect(await checkHealth(port)).toBe(0)
  daemon.kill('SIGTERM')
  await ended
  expect(await checkHealth(port)).toBe(1)
  await expect(fetch(`${api}/ok`)).rejects.toThrow()
}, 120_000)

const untilUp = (api: string) =>
  vi.waitFor(async () => expect((await fetch(`${api}/ok`)).status).toBe(200), { timeout: 60_000, interval: 100 })

test('npm create makes a project that starts with its own copy of the package', async () => {
  const tarballs = globSync('{create-,}latchkey-[0-9]*.tgz', { cwd: repository }).map((name) => join(repository, name))
  expect(tarballs).toHaveLength(2)
  const options = { cwd: keptFolder('create'), env: { ...env, npm_config_prefer_offline: 'true' }, extendEnv: false }
  const packages = tarballs.map((path) => `--package=${path}`)
  const created = await execa('npm', ['exec', '--yes', ...packages, '--', 'create-latchkey', 'accounts', '--yes'], options)
  expect(created.stdout).toContain('Next:\n  cd accounts\n  npm install\n  npm run dev')
  const cwd = join(options.cwd, 'accounts')
  expect(globSync('{*,.env,.github/*/*,migrations/*.sql}', { cwd }).sort()).toEqual([
    ...['.env', '.github/workflows/latchkey.yml', 'auth.config.ts', 'compose.yaml', 'migrations'],
    ...['migrations/0001_initial.sql', 'package.json'],
  ])
  // The registry would have it under this version.
  await execa('npm', ['install', tarballs.find((path) => /\/latchkey-/.test(path)) ?? ''], { ...options, cwd })
  expect((await execa('npm', ['run', 'check'], { ...options, cwd })).stdout).toContain('Nothing to do')
  const port = await freePort()
  const daemon = execa('npx', ['latchkey', 'start', '--port', String(port)], { ...options, cwd, cleanup: true, reject: false })
  onTestFinished(() => void daemon.kill('SIGKILL'))
  await untilUp(`http://127.0.0.1:${port}/api/auth`)
  await execa('npx', ['latchkey', 'stop'], { ...options, cwd })
  expect((await daemon).exitCode).toBe(0)
}, 180_000)

test('runs from the tarball without an installation', async () => {
  const [tarball = ''] = globSync('latchkey-[0-9]*.tgz', { cwd: repository })
  const { stdout } = await execa('npx', ['--yes', `./${tarball}`, '--help'], { cwd: repository, env, extendEnv: false })
  expect(stdout).toContain('Usage: npx latchkey <command>')
})

test('the image serves as process 1 of a user without privileges, on files that cannot be changed, and stops on its signal', async () => {
  const project = keptFolder('project')
  await latchkey(['init', project, '--yes'])
  const port = await freePort()
  const variables = { DATABASE_URL: 'sqlite:/tmp/accounts.db', LATCHKEY_BASE_URL: `http://localhost:${port}` }
  const run = await prepareContainer({ root: image, dockerfile, project, env: variables })
  const words: readonly string[] = [
    ...JSON.parse(instruction(dockerfile, 'ENTRYPOINT')),
    ...JSON.parse(instruction(dockerfile, 'CMD')),
  ]
  const container = run(words.map((word) => (word === '4000' ? String(port) : word)))
  onTestFinished(() => void container.child.kill('SIGKILL'))
  await Promise.race([untilUp(`http://127.0.0.1:${port}/api/auth`), container.child.then(({ all }) => expect(all).toBe(''))])
  expect((await run(healthCheck(port)).child).exitCode).toBe(0)
  const write = `require('fs').writeFileSync('/srv/latchkey/file', '')`
  expect((await run(['node', '-e', write]).child).all).toContain('EROFS')
  expect((await run(['node', '-p', '[process.pid, process.getuid(), process.getgroups().join()].join(" ")']).child).all).toBe(
    '1 1000 1000',
  )
  expect((await run(['latchkey', 'config', 'check']).child).all).toContain('is valid')
  container.stop()
  expect(await container.child).toMatchObject({ exitCode: 0 })
  expect((await run(healthCheck(port)).child).exitCode).toBe(1)
}, 120_000)

test('reports a Node.js that is too old in one sentence', async () => {
  const old = `data:text/javascript,${encodeURIComponent(`
    Object.defineProperty(process, 'version', { value: 'v20.19.0' })
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`)}`
  const run = await execa(process.execPath, ['--import', old, join(prefix, 'bin/latchkey'), '--version'], {
    cwd: folder,
    env,
    extendEnv: false,
    reject: false,
  })
  expect(run).toMatchObject({ exitCode: 1, stdout: '' })
  expect(run.stderr).toMatch(/^latchkey needs Node\.js 22\.19 or newer, and this is v20\.19\.0\. Install Node\.js 24/)
  expect(run.stderr.split('\n')).toHaveLength(1)
})

test('checks a configuration with the types of the package', async () => {
  const tsc = join(repository, 'node_modules/.bin/tsc')
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', '--types']
  // In the parent of node_modules, where the modules of a project are.
  const check = (text: string) =>
    writeFile(
      join(prefix, 'lib/typed.ts'),
      `import { defineConfig } from 'latchkey/config'\nexport default defineConfig(${text})\n`,
    ).then(() => execa(tsc, [...options, '', 'typed.ts'], { cwd: join(prefix, 'lib'), reject: false }))
  expect(await check(`{ appName: 'Acme' }`)).toMatchObject({ stdout: '', exitCode: 0 })
  expect((await check(`{ appNmae: 'Acme' }`)).stdout).toContain('appNmae')
})

test('shows the descriptions of options in an editor', async () => {
  const editor = await startEditor(join(prefix, 'lib'))
  onTestFinished(editor.close)
  const path = join(prefix, 'lib/shown.ts')
  const text = `import { defineConfig } from 'latchkey/config'\nexport default defineConfig({ server: { port: 4000 } })\n`
  expect(await editor.open(path, text)).toEqual([])
  expect(await editor.hover(path, text, text.indexOf('port: 4000'))).toMatch(/Port to listen on[\s\S]*@default[\s\S]*4000/)
})

test('runs a daemon in a test of its users from few files, whose session its server entry reads', async () => {
  const script = `
    import { createRequire, registerHooks } from 'node:module'
    // By which the examples find the program.
    createRequire(process.cwd() + '/').resolve('latchkey/package.json')
    const loaded = []
    registerHooks({ load: (url, context, next) => next(url, context, loaded.push(url)) })
    const { startLatchkey } = await import('./src/testing/index.js')
    if (loaded.filter((url) => url.startsWith('file:')).length > 40) throw new Error(loaded.join('\\n'))
    const { createSessionReader } = await import('./src/server/index.js')
    await using latchkey = await startLatchkey()
    const reader = createSessionReader({ baseURL: latchkey.baseURL, appURL: 'http://localhost:5173' })
    const { cookie } = await latchkey.signIn(await latchkey.createUser({ name: 'Ann' }))
    console.log((await reader.requireSession({ cookie })).user.name, (await fetch(latchkey.origin + '/sign-in')).status)`
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: installed,
    env,
    extendEnv: false,
  })
  expect(stdout).toBe('Ann 200')
})

test('contains only files that its users need', async () => {
  const { stdout } = await execa('npm', ['pack', './dist', '--dry-run', '--json'], { cwd: repository })
  const [tarball]: readonly { files: readonly { path: string }[] }[] = JSON.parse(stdout)
  const paths = tarball?.files.map((file) => file.path) ?? []
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'bin/latchkey.js',
      'docs/install.md',
      'package.json',
      'src/index.d.ts',
      'src/index.js',
      'src/server/hono.d.ts',
      'src/server/index.js',
      'src/testing/index.d.ts',
    ]),
  )
  expect(paths.filter((path) => /\.test\.|^(?!deploy\/).*(?<!\.d)\.ts$|^(tests|bench|scripts)\//.test(path))).toEqual([])
})

test('has a bill of materials with the packages of the lock file and of the pages, and the image contains no others', async () => {
  const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
  const bill: Bill = await read(join(installed, 'sbom.cdx.json'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'latchkey' } } })
  const lock: { packages: Record<string, Locked> } = await read(join(repository, 'package-lock.json'))
  const expected = Object.entries(lock.packages).flatMap(([path, { version, dev, devOptional }]) => {
    const name = path.split('node_modules/').at(-1) ?? ''
    // A workspace, which only tests use, has no version.
    return version === undefined || name === '' || dev || devOptional || name.startsWith('node-linux-')
      ? []
      : [`${name}@${version}`]
  })
  const licenses = await readFile(join(installed, 'dashboard/dist/public/licenses.txt'), 'utf8')
  const bundled = [...licenses.matchAll(/^## (\S+) - (\S+)/gm)].map(([, name, version]) => `${name}@${version}`)
  expect(bundled).toContainEqual(expect.stringMatching(/^react-dom@/))
  const listed = bill.components.map(({ name, version }) => `${name}@${version}`)
  expect(listed.sort()).toEqual([...new Set([...expected, ...bundled])].sort())

  const manifests = globSync('opt/latchkey/**/node_modules/{*,@*/*}/package.json', { cwd: image })
  const present = manifests.map((path): Locked & { name: string } => JSON.parse(readFileSync(join(image, path), 'utf8')))
  expect(present.length).toBeGreaterThan(50)
  // A newer version that a range allows would be one that no test has seen. Binaries for other platforms are left out.
  expect(present.map(({ name, version }) => `${name}@${version}`).filter((each) => !listed.includes(each))).toEqual([])
})

test('contains the files that its documentation links to', () => {
  const links = globSync(['*.md', 'docs/*.md'], { cwd: installed }).flatMap((page) =>
    [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = '']) =>
      join(dirname(page), to),
    ),
  )
  expect(links.length).toBeGreaterThan(10)
  const isThere = (path: string) => existsSync(join(installed, path)) || existsSync(join(installed, path.replace(/\.ts$/, '.js')))
  expect(links.filter((path) => !isThere(path))).toEqual([])
})

interface Locked {
  readonly version: string
  readonly dev?: true
  readonly devOptional?: true
}
interface Bill {
  readonly components: readonly { readonly name: string; readonly version: string }[]
}
