/** Schema changes while several daemons serve: add a field, use it, stop using it, drop it. No call fails. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { configText, createProject, createServerProject, type Project, requireSuccess } from './project.ts'

const more = 'server: { port: PORT, workers: 2 }, rateLimit: { enabled: false }, session: { cookieCache: { enabled: false } }'
const options = (port: number) => more.replace('PORT', String(port))
const nick = `user: { additionalFields: { nick: { type: 'string', required: false } } }`

/** Two daemons on one database, each in a folder of its own, as on two machines. */
async function twoDaemons() {
  const first = await createServerProject(options)
  const second = await createProject('second')
  const all: readonly Project[] = [first, second]
  const configure = (project: Project, fields: string) =>
    project.configure(configText(project.port, `database: { url: '${first.database.url}' }, ${options(project.port)}, ${fields}`))
  configure(second, '')
  const release = (fields: string) => {
    for (const project of all) configure(project, fields)
    cpSync(join(first.folder, 'migrations'), join(second.folder, 'migrations'), { recursive: true })
  }
  cpSync(join(first.folder, 'migrations'), join(second.folder, 'migrations'), { recursive: true })
  for (const project of all) requireSuccess(await project.latchkey(['start', '--detach']))
  return { first, second, all, configure, release }
}

/** Of a page of the daemon itself: its `baseURL`. */
const originOf = (port: number) => `http://localhost:${port}`

const cookieOf = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((value) => value.split(';')[0])
    .join('; ')

/** Signs users up and reads their sessions, until stopped. */
function startUse(projects: readonly Project[], body: () => object) {
  const failures: string[] = []
  let calls = 0
  let isOver = false
  const call = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
    calls += 1
    if (response.status !== 200) failures.push(`${url}: ${response.status} ${await response.clone().text()}`)
    return response
  }
  const use = async ({ api, port }: Project, name: string) => {
    for (let count = 0; !isOver; count += 1) {
      const email = `${name}-${count}@example.com`
      const init = { method: 'POST', headers: { 'content-type': 'application/json', origin: originOf(port) } }
      const text = JSON.stringify({ email, name, password: 'correct horse battery', ...body() })
      try {
        const signedUp = await call(`${api}/sign-up/email`, { ...init, body: text })
        const cookie = cookieOf(signedUp)
        await signedUp.body?.cancel()
        const read = await call(`${api}/get-session`, { headers: { cookie } })
        if (!(await read.text()).includes(email)) failures.push(`no session for ${email}`)
      } catch (error) {
        failures.push(String(error))
      }
      await pause(20)
    }
  }
  const users = projects.flatMap((project) => ['a', 'b'].map((name) => use(project, `${name}${project.port}`)))
  return {
    stop: async () => {
      isOver = true
      await Promise.all(users)
      return { calls, failures }
    },
  }
}

describe('with two daemons', () => {
  test('a field is added, used, no longer used and dropped without a failed call', async () => {
    const { first, second, all, release } = await twoDaemons()
    let body: object = {}
    const load = startUse(all, () => body)

    release(nick)
    requireSuccess(await first.latchkey(['migrate', 'generate']))
    release(nick)
    expect(await first.latchkey(['migrate', 'up', '--yes'])).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Next: latchkey reload'),
    })
    for (const project of all) requireSuccess(await project.latchkey(['reload']))
    body = { nick: 'Ann' }
    let count = 0
    const signUp = async () => {
      count += 1
      const text = JSON.stringify({
        email: `nick${count}@example.com`,
        name: 'n',
        password: 'correct horse battery',
        nick: 'Bob',
      })
      const headers = { 'content-type': 'application/json', origin: originOf(second.port) }
      const cookie = cookieOf(await fetch(`${second.api}/sign-up/email`, { method: 'POST', headers, body: text }))
      return (await fetch(`${second.api}/get-session`, { headers: { cookie } })).json()
    }
    // A reused connection stays with the old worker for one more response.
    await expect.poll(signUp).toMatchObject({ user: { nick: 'Bob' } })

    body = {}
    release('')
    const generated = await first.latchkey(['migrate', 'generate', '--acknowledge', 'drop-column:user.nick'])
    expect(generated).toMatchObject({ exitCode: 0 })
    release('')
    const pids = all.map((project) => project.state()?.pid)
    const inUse = await first.latchkey(['migrate', 'up', '--yes', '--json'])
    expect(inUse.exitCode).toBe(5)
    expect(inUse.json()).toMatchObject({
      code: 'IN_USE',
      message: expect.stringMatching(
        new RegExp(
          pids
            .toSorted((one = 0, other = 0) => one - other)
            .map((pid) => `\\(process ${pid}\\)`)
            .join('.*'),
        ),
      ),
      hint: expect.stringMatching(/latchkey reload.*latchkey migrate up.*--acknowledge in-use:user\.nick/s),
      details: [{ path: 'in-use:user.nick' }],
    })
    expect(await first.latchkey(['reload'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('0003_user is pending and can be applied now: latchkey migrate up'),
    })
    expect(await first.status()).toMatchObject({ ready: true, pendingMigrations: ['0003_user'] })
    const other = await first.latchkey(['migrate', 'up', '--yes', '--json'])
    expect(other.json()).toMatchObject({ code: 'IN_USE', message: expect.stringContaining(`(process ${pids[1]})`) })
    expect(other.json().message).not.toContain(`(process ${pids[0]})`)
    requireSuccess(await second.latchkey(['reload']))
    // The old workers may still be finishing their requests.
    requireSuccess(await first.latchkey(['migrate', 'up', '--yes']))
    requireSuccess(await first.latchkey(['migrate', 'status', '--exit-code']))

    const { calls, failures } = await load.stop()
    expect(failures).toEqual([])
    expect(calls).toBeGreaterThan(50)
  }, 240_000)

  test('a drop in use is executed when its use is acknowledged, and a stopped daemon uses nothing', async () => {
    const { first, second, all, release } = await twoDaemons()
    release(nick)
    for (const args of [['generate'], ['up', '--yes']]) await first.latchkey(['migrate', ...args])
    release(nick)
    for (const project of all) requireSuccess(await project.latchkey(['reload']))
    const rolledBack = await first.latchkey(['migrate', 'down', '--confirm', '0002_user', '--json'])
    expect(rolledBack).toMatchObject({ exitCode: 5 })
    expect(rolledBack.json()).toMatchObject({ code: 'IN_USE', details: [{ path: 'in-use:user.nick' }] })
    release('')
    await first.latchkey(['migrate', 'generate', '--acknowledge', 'drop-column:user.nick'])
    release('')
    await second.latchkey(['stop'])
    const inUse = await first.latchkey(['migrate', 'up', '--yes', '--json'])
    expect(inUse.json()).toMatchObject({
      code: 'IN_USE',
      message: expect.stringMatching(/^The daemon on \S+ \(process \d+\) still uses/),
    })
    // A start that migrates serves too, and leaves the drop for the last daemon.
    expect(await second.latchkey(['start', '--detach', '--migrate'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('0003_user is pending and can be applied now'),
    })
    requireSuccess(await first.latchkey(['migrate', 'up', '--yes', '--acknowledge', 'in-use:user.nick']))
  }, 120_000)
})

test('a daemon whose account may not change tables registers what it uses', async () => {
  const project = await createServerProject(options)
  const url = await project.database.createAccount()
  project.configure(configText(project.port, `database: { url: '${url}' }, ${options(project.port)}`))
  await project.latchkey(['start', '--detach'])
  const env = { DATABASE_URL: project.database.url }
  project.configure(
    configText(project.port, `${options(project.port)}, user: { additionalFields: {} }, ${nick.replace('user', 'session')}`),
  )
  requireSuccess(await project.latchkey(['migrate', 'generate'], env))
  const refused = await project.latchkey(['migrate', 'up', '--yes', '--json'], { DATABASE_URL: url })
  expect(refused).toMatchObject({ exitCode: 6 })
  expect(refused.json()).toMatchObject({
    code: 'DATABASE_REFUSED',
    retryable: false,
    hint: expect.stringMatching(/CREATE, ALTER, DROP, INDEX and REFERENCES.*DATABASE_URL=… latchkey migrate up/),
  })
  expect(await project.latchkey(['migrate', 'up', '--yes'], env)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('Next: latchkey reload'),
  })
  // Nothing is pending: no right to create tables is needed to find that out.
  requireSuccess(await project.latchkey(['migrate', 'up', '--yes'], { DATABASE_URL: url }))
}, 60_000)

test('a reload is rejected while the database lacks what the configuration needs', async () => {
  const project = await createServerProject(options)
  await project.latchkey(['start', '--detach'])
  const url = `database: { url: '${project.database.url}' }`
  project.configure(configText(project.port, `${url}, ${options(project.port)}, ${nick}`))
  await project.latchkey(['migrate', 'generate'])
  expect((await project.latchkey(['reload', '--json'])).json()).toMatchObject({ code: 'MIGRATIONS_PENDING' })
  requireSuccess(await project.latchkey(['migrate', 'up', '--yes']))
  requireSuccess(await project.latchkey(['reload']))
}, 60_000)
