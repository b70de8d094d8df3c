/** Daemons of one database: another secret is rejected, bans are not ignored, and other differences are reported. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { configText, createProject, createServerProject, type Project, requireSuccess, secret } from './project.ts'

const options = (port: number) => `server: { port: ${port}, workers: 1 }, rateLimit: { enabled: false }`
const otherSecret = 'another secret of these tests, 9876543210 zyxwvut'

/**
 * A daemon compares itself with the others when it is asked for its status, once a second at most, and leaves out a comparison that takes
 * longer than two: on a busy machine the difference may come with a later status.
 */
const expectDegraded = (project: Project, difference: unknown) =>
  expect.poll(() => project.status(), { timeout: 30_000, interval: 500 }).toMatchObject({ ready: true, degraded: [difference] })

/** Two projects on one database, as on two machines; the first one serves. */
async function twoProjects(more = 'admin: true, organization: true,') {
  const first = await createServerProject((port) => `${options(port)}, ${more}`)
  const second = await createProject('second')
  cpSync(join(first.folder, 'migrations'), join(second.folder, 'migrations'), { recursive: true })
  const text = (project: Project, features: string, list = `'${secret}'`) =>
    configText(project.port, `database: { url: '${first.database.url}' }, ${options(project.port)}, ${features}`).replace(
      `secret: '${secret}'`,
      `secret: ${list}`,
    )
  const configure = (project: Project, features: string, list?: string) => project.configure(text(project, features, list))
  requireSuccess(await first.latchkey(['start', '--detach']))
  onTestFinished(async () => {
    for (const project of [first, second]) await project.latchkey(['stop'])
  })
  return { first, second, configure, more }
}

test('another secret is rejected, by a start, a reload and a command that writes', async () => {
  const { first, second, configure, more } = await twoProjects()
  const differs = {
    code: 'SECRET_DIFFERS',
    hint: expect.stringMatching(/secret: \[new, previous\].*--acknowledge another-secret/s),
  }
  const create = (project: Project, email: string) =>
    project.latchkey(['users', 'create', '--email', email, '--name', 'Ann', '--no-input', '--json'])
  configure(second, more, `'${otherSecret}'`)
  for (const command of [
    ['start', '--detach'],
    ['start', '--check'],
    ['sessions', 'revoke', '--all', '--confirm', 'all'],
  ]) {
    const refused = await second.latchkey([...command, '--json'])
    expect([command, refused.exitCode, refused.json()]).toEqual([command, 5, expect.objectContaining(differs)])
    expect(JSON.stringify(refused)).not.toContain(otherSecret)
  }
  expect((await create(second, 'ann@example.com')).json()).toMatchObject(differs)

  configure(first, more, `'${otherSecret}'`)
  expect((await first.latchkey(['reload', '--json'])).json()).toMatchObject(differs)
  expect((await first.latchkey(['restart', '--json'])).json()).toMatchObject(differs)
  expect(await first.status()).toMatchObject({ ready: true })

  // A rotation: the other daemon still has the previous secret.
  configure(second, more, `['${otherSecret}', '${secret}']`)
  requireSuccess(await second.latchkey(['start', '--detach']))
  await expectDegraded(second, expect.stringMatching(/another configuration: secret$/))
}, 120_000)

test('without a daemon, the audit log shows another secret, and an acknowledgement replaces it', async () => {
  const { first, configure, more } = await twoProjects()
  requireSuccess(await first.latchkey(['users', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--no-input']))
  await first.latchkey(['stop'])
  requireSuccess(await first.latchkey(['audit', 'verify']))
  configure(first, more, `'${otherSecret}'`)
  const refused = await first.latchkey(['start', '--detach', '--json'])
  expect(refused.json()).toMatchObject({
    code: 'SECRET_DIFFERS',
    message: expect.stringContaining('the newest event of the audit log'),
  })
  requireSuccess(await first.latchkey(['start', '--detach', '--acknowledge', 'another-secret']))
  requireSuccess(await first.latchkey(['users', 'create', '--email', 'bob@example.com', '--name', 'Bob', '--no-input']))
  // The acknowledgement stays with the daemon.
  requireSuccess(await first.latchkey(['restart']))
}, 120_000)

test('other features are reported by status, doctor and the log; bans are not ignored', async () => {
  const { first, second, configure } = await twoProjects()
  configure(second, '')
  requireSuccess(await second.latchkey(['start', '--detach']))
  const different = expect.stringMatching(
    /^the daemon on \S+ \(process \d+\) has another configuration: admin, brandPreview, bulkActions, explanations, listExports, organizations, signInExplanation, signInPolicy, schema$/,
  )
  for (const project of [first, second]) await expectDegraded(project, different)
  expect(readFileSync(join(second.folder, '.latchkey/daemon.log'), 'utf8')).toMatch(
    /has another configuration: admin, brandPreview, bulkActions, explanations, listExports, organizations/,
  )
  expect((await first.latchkey(['doctor'])).stdout).toMatch(
    /has another configuration: admin, brandPreview, bulkActions, explanations, listExports, organizations, signInExplanation, signInPolicy, schema/,
  )

  await first.latchkey(['users', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--no-input'])
  requireSuccess(await first.latchkey(['users', 'ban', 'ann@example.com']))
  const refusal = { code: 'BANS_IGNORED', hint: expect.stringContaining('--acknowledge bans-ignored') }
  expect((await second.latchkey(['reload', '--json'])).json()).toMatchObject(refusal)
  await second.latchkey(['stop'])
  const refused = await second.latchkey(['start', '--detach', '--json'])
  expect([refused.exitCode, refused.json()]).toEqual([5, expect.objectContaining(refusal)])
  requireSuccess(await second.latchkey(['start', '--detach', '--acknowledge', 'bans-ignored']))
  for (const command of ['reload', 'restart']) requireSuccess(await second.latchkey([command]))
}, 120_000)

/** Answers as a daemon that cannot start its successor. */
async function withoutRestart(project: Project): Promise<void> {
  const file = join(project.folder, '.latchkey/state.json')
  const state = JSON.parse(readFileSync(file, 'utf8'))
  const server = createServer((incoming: IncomingMessage, response) => {
    if (incoming.url === '/restart') return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    const forwarded = request({ socketPath: state.socket, method: incoming.method, path: incoming.url }, (answer) => {
      response.writeHead(answer.statusCode ?? 0)
      answer.pipe(response)
    })
    incoming.pipe(forwarded)
  })
  const socket = join(project.folder, 'older.sock')
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => void server.close())
  writeFileSync(file, JSON.stringify({ ...state, socket }))
}

test('a restart checks the new daemon before it stops one of an earlier version', async () => {
  const { first, second, configure, more } = await twoProjects()
  await withoutRestart(first)
  const pid = first.state()?.pid
  configure(first, `${more} user: { additionalFields: { nick: { type: 'string', required: false } } }`)
  expect((await first.latchkey(['restart', '--json'])).json()).toMatchObject({ code: 'MIGRATIONS_NOT_GENERATED' })
  configure(second, more)
  requireSuccess(await second.latchkey(['start', '--detach']))
  first.configure(configText(first.port, `database: { url: '${first.database.url}' }, ${options(second.port)}, ${more}`))
  expect((await first.latchkey(['restart', '--json'])).json()).toMatchObject({ code: 'PORT_IN_USE' })
  expect((await fetch(`${first.api}/ok`)).status).toBe(200)
  expect(first.state()?.pid).toBe(pid)
  configure(first, more)
  requireSuccess(await first.latchkey(['restart']))
  expect(first.state()?.pid).not.toBe(pid)
}, 120_000)
