/** The documented orders of deploying, with a crash at each point: while a daemon runs it is ready, and users sign in. */
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { configText, createServerProject, isAlive, type Project, requireSuccess, until } from './project.ts'

const options = (port: number) =>
  `server: { port: ${port}, workers: 1 }, admin: true, rateLimit: { enabled: false }, session: { cookieCache: { enabled: false } }`
const feature = `phoneNumber: { sendOTP: async () => {} }, anonymous: true, apiKey: true, user: { additionalFields: { nick: { type: 'string', required: false } } }`

const user = { email: 'ann@example.com', password: 'correct horse battery' }
const post = (project: Project, path: string, body: object) =>
  fetch(`${project.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://localhost:${project.port}`, connection: 'close' },
    body: JSON.stringify(body),
  })

const readiness = async (project: Project) =>
  (await fetch(`${project.origin}/readyz`, { headers: { connection: 'close' } })).status

async function expectServing(project: Project): Promise<void> {
  const signedIn = await post(project, '/sign-in/email', user)
  expect([await readiness(project), signedIn.status, await project.status()]).toEqual([
    200,
    200,
    expect.objectContaining({ ready: true, reasons: [] }),
  ])
}

/** Not those that finish after a reload, which may exit at any moment. */
const servingPids = async (project: Project): Promise<number[]> =>
  (await project.status()).workers.filter(({ state }) => state === 'serving').map(({ pid }) => pid)

async function killWorker(project: Project): Promise<void> {
  const before = await servingPids(project)
  for (const pid of before) process.kill(pid, 'SIGKILL')
  await until(async () => (await servingPids(project)).some((pid) => !before.includes(pid)))
  await expectServing(project)
}

/** As a service manager does after the daemon was killed. */
async function killDaemon(project: Project): Promise<void> {
  const pid = project.state()?.pid ?? 0
  const killed = [pid, ...(await servingPids(project))]
  for (const one of killed) process.kill(one, 'SIGKILL')
  // Until then they have the port, and the lock of the project.
  await until(async () => !killed.some(isAlive))
  requireSuccess(await project.latchkey(['start', '--detach']))
  await expectServing(project)
}

/** The new daemon starts before the old one stops. */
async function restart(project: Project, exitCode = 0): Promise<void> {
  expect(await project.latchkey(['restart'])).toMatchObject({ exitCode })
  await expectServing(project)
}

async function start() {
  const project = await createServerProject(options)
  onTestFinished(() => project.latchkey(['stop']).then(() => {}))
  requireSuccess(await project.latchkey(['start', '--detach']))
  expect((await post(project, '/sign-up/email', { ...user, name: 'Ann' })).status).toBe(200)
  const configure = (more: string) =>
    project.configure(configText(project.port, `database: { url: '${project.database.url}' }, ${options(project.port)}, ${more}`))
  const crash = async (restarts = 0) => {
    await killWorker(project)
    await killDaemon(project)
    await restart(project, restarts)
  }
  return { project, configure, crash }
}

test('generate, files everywhere, up, reload: each crash leaves a daemon that serves', async () => {
  const { project, configure, crash } = await start()
  configure(feature)
  await killWorker(project)
  await project.latchkey(['migrate', 'generate'])
  // The database lacks what the new configuration needs: a restart keeps the running daemon.
  await crash(1)
  expect(await project.status()).toMatchObject({
    ready: true,
    degraded: [
      expect.stringMatching(
        /^the database does not have what (?=.*phoneNumber)(?=.*apiKeys)(?=.*user\.nick).* needs: run `latchkey migrate up`/,
      ),
    ],
  })
  const commands = [
    ['sessions', 'list', '--user', user.email],
    ['sessions', 'revoke', '--all', '--confirm', 'all'],
    ['users', 'ban', user.email],
    ['users', 'unban', user.email],
    ['users', 'show', user.email],
    ['limits', 'clear', '--account', user.email],
    ['audit', 'list'],
    ['keys', 'list'],
  ]
  for (const command of commands) {
    const { exitCode, stderr } = await project.latchkey(command)
    expect([command, exitCode, stderr]).toEqual([
      command,
      0,
      expect.stringContaining('The configuration is ahead of the database'),
    ])
  }
  requireSuccess(await project.latchkey(['migrate', 'up', '--yes']))
  await crash()
  requireSuccess(await project.latchkey(['reload']))
  await crash()
  expect(await project.status()).toMatchObject({ degraded: [], pendingMigrations: [] })
}, 240_000)

async function databaseOf({ database }: Awaited<ReturnType<typeof createServerProject>>) {
  const opened = openDatabase({ url: database.url, poolSize: 1, connectTimeout: 5000, queryTimeout: 5000 })
  onTestFinished(opened.close)
  return opened.db
}

test('up before the files, and back: each crash leaves a daemon that serves', async () => {
  const { project, configure, crash } = await start()
  configure(feature)
  await project.latchkey(['migrate', 'generate'])
  requireSuccess(await project.latchkey(['migrate', 'up', '--yes']))
  configure('')
  await crash()
  configure(feature)
  await crash()
  // Rolled back: first the configuration, then the database.
  configure('')
  await crash()
  // The rows of killed workers expire after 90 seconds.
  await sql`update latchkey_daemon set seenAt = utc_timestamp(3) - interval 2 minute`.execute(await databaseOf(project))
  const names = (await project.status()).schemaVersion
  requireSuccess(await project.latchkey(['migrate', 'down', '--confirm', String(names)]))
  await crash()
}, 240_000)
