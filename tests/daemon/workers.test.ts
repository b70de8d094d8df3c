import { readFileSync, rmSync, statSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Server, startDatabase, startRedis } from '../kit/servers/index.ts'
import { freePort } from '../kit/servers/ports.ts'
import { startLoad } from './load.ts'
import { configText, createProject, createServerProject, isAlive, occupy, requireSuccess, statusOf, until } from './project.ts'

const servingPids = async (project: Awaited<ReturnType<typeof createProject>>) =>
  (await project.status()).workers.filter(({ state }) => state === 'serving').map(({ pid }) => pid)

describe('a worker', () => {
  test('is replaced when killed, while the other one serves', async () => {
    const project = await createServerProject((port) => `server: { port: ${port}, workers: 2 }`)
    await project.serve()
    const [killed = 0, spared = 0] = await servingPids(project)
    process.kill(killed, 'SIGKILL')
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    await until(async () => (await servingPids(project)).length === 2)
    const now = await servingPids(project)
    expect(now).toContain(spared)
    expect(now).not.toContain(killed)
    expect((await project.private('GET', '/metrics')).body).toMatch(/^latchkey_supervisor_replacements_total 1$/m)
  })

  test('loses no unread connection when killed, even as the only worker', async () => {
    const project = await createProject()
    await project.serve()
    const [killed = 0] = await servingPids(project)
    const headers = { connection: 'close' }
    process.kill(killed, 'SIGKILL')
    const calls = Array.from({ length: 20 }, () => fetch(`${project.api}/ok`, { headers }).then(({ status }) => status))
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await servingPids(project)).not.toContain(killed)
  })

  test('is killed and replaced when it accepts no connection, which goes to another one', async () => {
    const project = await createServerProject((port) => `server: { port: ${port}, workers: 2 }`)
    const daemon = await project.serve()
    const [stopped = 0] = await servingPids(project)
    process.kill(stopped, 'SIGSTOP')
    onTestFinished(() => void (isAlive(stopped) && process.kill(stopped, 'SIGKILL')))
    const headers = { connection: 'close' }
    const calls = Array.from({ length: 10 }, () => fetch(`${project.api}/ok`, { headers }).then(({ status }) => status))
    let answered = 0
    for (const call of calls) void call.then(() => answered++)
    await until(() => answered >= 9)
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 10 }, () => 200))
    await until(async () => (await servingPids(project)).length === 2)
    expect(await servingPids(project)).not.toContain(stopped)
    expect(daemon.output()).toContain('A worker did not accept a connection in time and was killed')
  })

  test('serves after a SIGTERM from a service manager until its replacement does, even as the only worker', async () => {
    const project = await createProject()
    const daemon = await project.serve()
    const [first = 0] = await servingPids(project)
    const load = startLoad(`${project.api}/ok`, { kept: 2, fresh: 2 })
    process.kill(first, 'SIGTERM')
    await until(() => !isAlive(first))
    const { answered, failures } = await load.stop()
    expect(failures).toEqual([])
    expect(answered).toBeGreaterThan(0)
    const order = [...daemon.output().matchAll(/received a signal|A worker is ready/g)].map(([text]) => text)
    expect(order).toEqual(['A worker is ready', 'received a signal', 'A worker is ready'])
    // It left only once the other one could take connections.
    const [second = 0, ...more] = await servingPids(project)
    expect([second === first, more]).toEqual([false, []])
  })

  test('that leaves ends with the second SIGTERM, although no replacement starts', async () => {
    const project = await createProject()
    await project.serve()
    const [first = 0] = await servingPids(project)
    project.configure('export default {')
    process.kill(first, 'SIGTERM')
    await until(async () => (await project.status()).workers.some(({ state }) => state === 'leaving'))
    expect(await statusOf(`${project.origin}/readyz`)).toBe(200)
    process.kill(first, 'SIGTERM')
    await until(() => !isAlive(first))
  })

  test('exits when it loses its supervisor', async () => {
    const project = await createProject()
    const foreground = await project.serve()
    const [worker = 0] = await servingPids(project)
    foreground.child.kill('SIGKILL')
    await until(() => !isAlive(worker))
  })

  test.each([
    ['', ['--max-semi-space-size=8']],
    ['--max_semi_space_size=32', []],
  ])('uses little memory, unless the operator sets another bound: NODE_OPTIONS=%s', async (given, expected) => {
    const project = await createProject()
    project.configure(`console.error('flags', ...process.execArgv)\nexport default {}`)
    const { stderr } = await project.latchkeyProcess(['start'], { NODE_OPTIONS: given })
    const flags = /^flags (.+)$/m.exec(stderr)?.[1]?.split(' ') ?? []
    expect(flags.filter((flag) => /space|heap/.test(flag))).toEqual(expected)
  })

  test.each([
    [{}, '2'],
    [{ MALLOC_ARENA_MAX: '4' }, '4'],
  ])('keeps freed memory in few heaps, or in those of the operator: %o', async (env, expected) => {
    const project = await createProject()
    project.configure(`console.error('heaps', process.env.MALLOC_ARENA_MAX)\nexport default {}`)
    const { stderr } = await project.latchkeyProcess(['start'], env)
    expect(/^heaps (.+)$/m.exec(stderr)?.[1]).toBe(expected)
  })

  test('has threads for password hashes and for other work', async () => {
    const project = await createProject()
    project.configure(`console.error('threads', process.env.UV_THREADPOOL_SIZE)\nexport default {}`)
    const started = await project.latchkeyProcess(['start'])
    expect(started.stderr).toContain(`threads ${availableParallelism() + 2}`)
  })
})

test('the supervisor loads no feature, no adapter of a database and no configuration', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })
    await import(process.argv[1])
    process.exit()`
  const entry = new URL('../../src/daemon/detached-process.ts', import.meta.url).href
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', script, entry])
  expect(stdout).toContain('/src/daemon/supervisor.ts')
  expect(
    stdout
      .split('\n')
      .filter((url) =>
        /\/src\/(features|app\.ts|migrate|http|adapters\/database|project\/(load-config|open-app|schema-check))/.test(url),
      ),
  ).toEqual([])
})

test('without Redis all workers share one rate limit: of a hundred parallel sign-ins it allows three', async () => {
  const project = await createServerProject((port) => `server: { port: ${port}, workers: 2 }, rateLimit: { enabled: true }`)
  await project.serve()
  const body = JSON.stringify({ email: 'unknown@example.com', password: 'not the right one' })
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => fetch(`${project.api}/sign-in/email`, { method: 'POST', headers, body })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(3)
  expect(statuses.filter((status) => status === 429)).toHaveLength(97)
  const workers = (await project.status()).workers
  expect(workers.every(({ requests }) => (requests ?? 0) > 0)).toBe(true)
})

describe('the private listeners', () => {
  test('sums the metrics of all workers and the supervisor, and keeps them off the public port', async () => {
    const project = await createServerProject((port) => `server: { port: ${port}, workers: 2 }`)
    await project.serve()
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${project.api}/ok`, { headers: { connection: 'close' } })))
    const { status, body } = await project.private('GET', '/metrics')
    expect(status).toBe(200)
    expect(body).toMatch(/^latchkey_request_duration_seconds_count\{method="GET",route="\/ok",status="200"\} 20$/m)
    expect(body).toMatch(/^latchkey_supervisor_workers\{state="serving"\} 2$/m)
    expect(await statusOf(`${project.origin}/metrics`)).toBe(404)
    expect(await statusOf(`${project.origin}/status`)).toBe(404)
    expect((await fetch(`${project.origin}/stop`, { method: 'POST' })).status).toBe(404)
    expect((await project.private('GET', '/elsewhere')).status).toBe(404)
    expect((await project.private('GET', '/stop')).status).toBe(404)
  })

  test('requires the token on its port, and allows only reading there', async () => {
    const port = await freePort()
    const token = 'a token of twenty characters'
    const project = await createServerProject((own) => `server: { port: ${own}, private: { port: ${port}, token: '${token}' } }`)
    await project.serve()
    const ask = (path: string, given: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { authorization: given } }).then(({ status }) => status)
    expect(await ask('/metrics', `Bearer ${token}`)).toBe(200)
    expect(await ask('/readyz', `bearer ${token}`)).toBe(200)
    expect(await ask('/metrics', 'Bearer a token of twenty characterz')).toBe(401)
    expect(await ask('/metrics', '')).toBe(401)
    expect(await ask('/stop', `Bearer ${token}`, 'POST')).toBe(404)
    expect(await ask('/reload', `Bearer ${token}`, 'POST')).toBe(404)
  })

  test('without a token, answers only by an IP address or the name of this machine, so that no page reads it', async () => {
    const port = await freePort()
    const project = await createServerProject((own) => `server: { port: ${own}, private: { port: ${port} } }`)
    await project.serve()
    const ask = (host: string) =>
      new Promise((resolve, reject) => {
        get({ port, host: '127.0.0.1', path: '/status', headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).on('error', reject)
      })
    expect([await ask(`127.0.0.1:${port}`), await ask('localhost'), await ask('evil.example')]).toEqual([200, 200, 403])
  })

  describe("serves calls of the operator's own servers", () => {
    const organization = 'organization: true'
    const token = 'a token of twenty characters'
    const path = '/api/auth/organization/add-member'
    const unknownMember = { userId: 'unknown', role: 'member', organizationId: 'unknown' }

    test('on the socket, and not on the public port', async () => {
      const project = await createServerProject((port) => `server: { port: ${port}, workers: 2 }, ${organization}`)
      await project.serve()
      const { status, body } = await project.privateAPI('POST', path, unknownMember)
      expect([status, JSON.parse(body).code]).toEqual([400, 'ORGANIZATION_NOT_FOUND'])
      const invalid = await project.privateAPI('POST', path, {})
      expect([invalid.status, JSON.parse(invalid.body).code]).toEqual([400, 'VALIDATION_ERROR'])
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(unknownMember) }
      expect((await fetch(`${project.origin}${path}`, init)).status).toBe(404)
      // That of the commands is another socket, and both are only for this account.
      expect((await project.private('POST', path, unknownMember)).status).toBe(404)
      expect((await project.privateAPI('POST', '/stop')).status).toBe(404)
      expect((await project.privateAPI('GET', '/status')).status).toBe(404)
      for (const socket of [project.state()?.socket, project.state()?.apiSocket])
        expect(statSync(socket ?? '').mode & 0o777).toBe(0o600)
      // Not a call for servers: the public port serves it.
      expect((await project.privateAPI('GET', '/api/auth/ok')).status).toBe(404)
      for (const target of ['//', '/api/auth/%zz', '/api/auth/organization/add-member?a=%'])
        expect((await project.privateAPI('POST', target)).status).toBeLessThan(500)
      expect((await project.privateAPI('TRACE', path)).status).toBe(404)
    })

    test('on a port of their own, only with its token', async () => {
      const [monitoring, port] = [await freePort(), await freePort()]
      const monitoringToken = 'the token of the monitoring'
      const send = async (to: number, given: Record<string, string>, body = JSON.stringify(unknownMember)) => {
        const headers = { 'content-type': 'application/json', ...given }
        const response = await fetch(`http://127.0.0.1:${to}${path}`, { method: 'POST', headers, body })
        return [response.status, JSON.parse(await response.text()).code]
      }
      const project = await createServerProject(
        (own) =>
          `server: { port: ${own}, private: { port: ${monitoring}, token: '${monitoringToken}', api: { port: ${port}, token: '${token}' } } }, ${organization}, bearer: true`,
      )
      await project.serve()
      const authorization = `Bearer ${token}`
      expect(await send(port, { authorization })).toEqual([400, 'ORGANIZATION_NOT_FOUND'])
      expect(await send(port, { authorization: 'Bearer wrong' })).toEqual([401, 'UNAUTHORIZED'])
      expect(await send(port, { authorization: `Bearer ${monitoringToken}` })).toEqual([401, 'UNAUTHORIZED'])
      expect(await send(port, {})).toEqual([401, 'UNAUTHORIZED'])
      expect(await send(port, { authorization }, 'x'.repeat(2_000_000))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
      expect(await send(monitoring, { authorization })).toEqual([401, 'UNAUTHORIZED'])
      expect(await send(monitoring, { authorization: `Bearer ${monitoringToken}` })).toEqual([404, 'NOT_FOUND'])
    })

    test('on connections that stay private or public while they are open', async () => {
      const project = await createServerProject((port) => `server: { port: ${port} }, ${organization}`)
      await project.serve()
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      onTestFinished(() => agent.destroy())
      const ask = (to: { readonly socketPath?: string; readonly port?: number }) =>
        new Promise<number | undefined>((resolve, reject) => {
          const outgoing = request(
            { ...to, agent, method: 'POST', path, headers: { 'content-type': 'application/json' } },
            (incoming) => {
              incoming.resume().on('end', () => resolve(incoming.statusCode))
            },
          )
          outgoing.on('error', reject).end(JSON.stringify(unknownMember))
        })
      const apiSocket = project.state()?.apiSocket ?? ''
      const statuses: (number | undefined)[] = []
      for (const to of [{ socketPath: apiSocket }, { port: project.port }, { socketPath: apiSocket }, { port: project.port }])
        statuses.push(await ask(to))
      expect(statuses).toEqual([400, 404, 400, 404])
    })

    test('on the port and with the token of the newest configuration that works', async () => {
      const [first, second, taken] = [await freePort(), await freePort(), await freePort()]
      const project = await createServerProject(
        (own) => `server: { port: ${own}, private: { api: { port: ${first}, token: '${token}' } } }, ${organization}`,
      )
      await project.serve()
      await occupy(taken)
      const text = readFileSync(join(project.folder, 'auth.config.ts'), 'utf8')
      const ask = async (to: number, given: string) => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${given}`, connection: 'close' }
        const init = { method: 'POST', headers, body: JSON.stringify(unknownMember) }
        return fetch(`http://127.0.0.1:${to}${path}`, init).then(
          ({ status }) => status,
          () => 'refused',
        )
      }
      project.configure(text.replace(String(first), String(taken)))
      expect((await project.latchkey(['reload', '--json'])).json()).toMatchObject({ code: 'PORT_IN_USE' })
      expect(await ask(first, token)).toBe(400)
      const other = 'another token of the servers'
      project.configure(text.replace(String(first), String(second)).replace(token, other))
      requireSuccess(await project.latchkey(['reload']))
      expect([await ask(second, other), await ask(second, token), await ask(first, token)]).toEqual([400, 401, 'refused'])
    })

    test.each(['reload', 'restart'])('also while the daemon %ss', async (command) => {
      const port = await freePort()
      const project = await createServerProject(
        (own) => `server: { port: ${own}, workers: 2, private: { api: { port: ${port}, token: '${token}' } } }, ${organization}`,
      )
      await project.latchkey(['start', '--detach'])
      let isRunning = true
      const callers = Array.from({ length: 4 }, async () => {
        const statuses = new Set<number | undefined>()
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
        const init = { method: 'POST', headers, body: JSON.stringify(unknownMember) }
        while (isRunning) statuses.add((await fetch(`http://127.0.0.1:${port}${path}`, init)).status)
        return [...statuses]
      })
      // Not in this process: while it is busy, it does not see that the old daemon closes an idle connection.
      const done = await project.latchkeyProcess([command])
      isRunning = false
      expect(done.exitCode).toBe(0)
      expect(await Promise.all(callers)).toEqual(Array(4).fill([400]))
    })
  })
})

describe('readiness', () => {
  let server: Server
  beforeAll(async () => {
    server = await startDatabase()
  })
  afterAll(() => server?.stop())

  test('reports an unreachable database until it is back', async () => {
    const project = await createServerProject((port) => `server: { port: ${port}, workers: 2 }`, server.url)
    await project.serve()
    expect((await project.private('GET', '/readyz')).status).toBe(200)
    await server.kill()
    await until(async () => (await project.private('GET', '/readyz')).status === 503)
    const { reasons } = await project.status()
    expect(reasons.join()).toMatch(/^the database does not respond: /)
    const shown = await project.latchkey(['status', '--exit-code'])
    expect(shown).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('the database does not respond') })
    const open = await fetch(`${project.origin}/readyz`)
    expect([open.status, await open.text()]).toEqual([503, '{"status":"not ready"}'])
    expect(await statusOf(`${project.origin}/livez`)).toBe(200)
    await server.restart()
    await until(async () => (await project.private('GET', '/readyz')).status === 200)
    // The daemon is ready with its first worker; the public port asks any of them.
    await until(async () => (await project.status()).workers.every(({ reasons }) => reasons.length === 0))
    expect(await statusOf(`${project.origin}/readyz`)).toBe(200)
  }, 90_000)

  test('reports a database that accepts no writes, with the reason, until it does', async () => {
    const project = await createServerProject((port) => `server: { port: ${port} }`, server.url)
    // Administrators may write to a read-only server.
    const url = await project.database.createAccount()
    project.configure(configText(project.port, `database: { url: '${url}' }, server: { port: ${project.port} }`))
    await project.serve()
    const operator = await createConnection(server.url)
    onTestFinished(() => operator.destroy())
    await operator.query('SET GLOBAL read_only = 1')
    onTestFinished(() => operator.query('SET GLOBAL read_only = 0').then(() => {}))
    await until(async () => (await project.private('GET', '/readyz')).status === 503)
    expect((await project.status()).reasons).toEqual([expect.stringMatching(/^the database accepts no writes: .*read-only/)])
    await until(async () => (await statusOf(`${project.origin}/readyz`)) === 503)
    expect((await project.latchkey(['doctor'])).stdout).toMatch(/✗ Database mode +Accepts no writes: .*read-only/)
    await operator.query('SET GLOBAL read_only = 0')
    await until(async () => (await project.private('GET', '/readyz')).status === 200)
  }, 90_000)

  test('stays ready without Redis, and reports it as degraded', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const project = await createServerProject((port) => `server: { port: ${port} }, redis: { url: '${redis.url}' }`)
    await project.serve()
    expect((await project.status()).degraded).toEqual([])
    await redis.kill()
    await until(async () => (await project.status()).degraded.length === 1)
    expect(await project.status()).toMatchObject({ ready: true, degraded: [expect.stringContaining('Redis does not respond')] })
  })

  test('keeps a replacement running that starts while the database is unreachable', async () => {
    const project = await createServerProject((port) => `server: { port: ${port} }`, server.url)
    await project.serve()
    const [first = 0] = await servingPids(project)
    await server.kill()
    process.kill(first, 'SIGKILL')
    await until(async () => (await servingPids(project)).some((pid) => pid !== first))
    expect((await project.private('GET', '/readyz')).status).toBe(503)
    await server.restart()
    await until(async () => (await project.private('GET', '/readyz')).status === 200)
  }, 90_000)
})

describe('pending migrations', () => {
  test('prevent the start without --migrate', async () => {
    const project = await createServerProject((port) => `server: { port: ${port} }`)
    await project.latchkey(['migrate', 'down', '--confirm', '0001_initial', '--yes'])
    const refused = await project.latchkeyProcess(['start', '--json'])
    expect(refused.exitCode).toBe(1)
    expect(refused.json()).toMatchObject({ code: 'MIGRATIONS_PENDING', hint: expect.stringContaining('latchkey migrate up') })
    expect((await project.latchkey(['start', '--check'])).exitCode).toBe(1)
    await project.serve(['start', '--migrate'])
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    expect(await project.status()).toMatchObject({ ready: true, pendingMigrations: [], schemaVersion: '0001_initial' })
  })

  test('are reported when they were never generated', async () => {
    const project = await createServerProject((port) => `server: { port: ${port} }`)
    rmSync(`${project.folder}/migrations`, { recursive: true })
    const refused = await project.latchkeyProcess(['start', '--json'])
    expect(refused.json()).toMatchObject({ code: 'MIGRATIONS_NOT_GENERATED', hint: expect.stringContaining('migrate generate') })
  })
})

describe('an invalid request', () => {
  async function send(port: number, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let received = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (data) => {
        received += data
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(received))
    })
  }

  test('gets 400 or its specific status, and the daemon keeps serving', async () => {
    const project = await createProject()
    await project.serve()
    const end = 'connection: close\r\n\r\n'
    const bad = [
      `nonsense\r\n\r\n`,
      `GET /api/auth/ok HTTP/1.1\r\nhost: a b\r\n${end}`,
      `GET /api/auth/ok HTTP/1.1\r\nhost: [::1\r\n${end}`,
      `GET /api/auth/ok HTTP/1.1\r\nhost: x@y\r\n${end}`,
      `GET /api/auth/ok HTTP/1.1\r\n${end}`,
      `GET http://[ HTTP/1.1\r\nhost: localhost\r\n${end}`,
      `GET /api/auth/ok\\.. HTTP/1.1\r\nhost: localhost\r\n${end}`,
    ]
    for (const text of bad) expect(await send(project.port, text)).toMatch(/^HTTP\/1\.1 400 /)
    expect(await send(project.port, `GET / HTTP/1.1\r\nhost: x\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    expect((await project.status()).workers).toHaveLength(1)
  })

  test('from a client that disconnects in the middle is not logged as an error', async () => {
    const project = await createProject()
    const daemon = await project.serve()
    const head =
      'POST /api/auth/sign-in/email HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n'
    const socket = connect(project.port, '127.0.0.1', () => socket.write(`${head}{"email":`))
    // The daemon must read it before the connection ends.
    await expect.poll(async () => (await project.status()).workers[0]?.requests ?? 0).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(() => daemon.output()).toContain('Call failed')
    expect(daemon.output()).toMatch(/"status":400/)
    expect(daemon.output()).not.toContain('failed unexpectedly')
  })
})
