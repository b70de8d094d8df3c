/** The steps of README.md, in a new folder, as a new user types them. */
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, freshDatabase, freshKeyspace } from '../kit/servers/index.ts'
import { configText, createProject, killDaemonOf, requireSuccess, statusOf } from './project.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The commands of the block of the first `sh` code below a heading, without variables and `cd`. */
function commandsBelow(heading: string): string[][] {
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(readme.slice(readme.indexOf(heading))) ?? []
  const commands = block.split(/\n|&&/).map((line) => line.trim().split(' '))
  return commands.filter(([program]) => program === 'npx').map(([, , ...args]) => args)
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('the steps of README.md lead to a daemon that serves, and doctor finds no failure', async () => {
  const [database, keyspace] = [await freshDatabase(), await freshKeyspace()]
  onTestFinished(() => database.drop())
  const commands = commandsBelow('## Run it with MySQL and Redis')
  expect(commands.map(([name]) => name)).toEqual(['init', 'migrate', 'migrate', 'seed', 'start', 'status'])
  const project = await createProject('readme')
  const [, name = ''] = commands[0] ?? []
  const folder = join(project.folder, basename(name))
  onTestFinished(() => killDaemonOf(folder))
  const port = await freePort()
  // As in a shell of a new user; the port because other programs of this machine may use the default.
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: keyspace.redis.url,
    NODE_COMPILE_CACHE: '',
    LATCHKEY_BASE_URL: `http://localhost:${port}`,
  }
  for (const args of commands) {
    const isInit = args[0] === 'init'
    const more = args[0] === 'start' ? ['--port', String(port)] : []
    const ended = await project.latchkeyProcess([...args, ...more], env, isInit ? project.folder : folder)
    expect(ended, args.join(' ')).toMatchObject({ exitCode: 0 })
  }
  expect(await statusOf(`http://127.0.0.1:${port}/api/auth/ok`)).toBe(200)
  const examined = await project.latchkeyProcess(['doctor'], env, folder)
  expect(examined.stdout).not.toContain('✗')
  expect(examined.exitCode, examined.stdout).toBe(0)
  expect([modeOf(join(folder, '.latchkey')), modeOf(join(folder, '.latchkey/cache'))]).toEqual(['700', '700'])
}, 90_000)

test('the state folder is closed to other accounts when the log is elsewhere, and when an earlier version has left it open', async () => {
  const project = await createProject()
  project.configure(
    configText(
      project.port,
      `server: { port: ${project.port} }, database: { url: 'sqlite:./test.db' }, log: { file: 'daemon.log' }`,
    ),
  )
  const [state, cache] = [join(project.folder, '.latchkey'), join(project.folder, '.latchkey/cache')]
  const start = () => project.latchkeyProcess(['start', '--detach'], { NODE_COMPILE_CACHE: '' })
  requireSuccess(await start())
  expect([modeOf(state), modeOf(cache)]).toEqual(['700', '700'])
  await project.latchkeyProcess(['stop'])
  for (const path of [state, cache]) chmodSync(path, 0o755)
  requireSuccess(await start())
  expect([modeOf(state), modeOf(cache)]).toEqual(['700', '700'])
})
