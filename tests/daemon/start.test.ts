import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { requestRestart } from '../../src/daemon/control.ts'
import { findProcessStart } from '../../src/daemon/state.ts'
import type { RestartOrder } from '../../src/daemon/succession.ts'
import { freePort } from '../kit/servers/ports.ts'
import { startLoad } from './load.ts'
import { configText, createProject, isAlive, occupy, type Project, requireSuccess, statusOf, until } from './project.ts'

/** As written by a daemon that has ended. */
function leaveState(project: Project, pid: number, processStart: string): void {
  mkdirSync(join(project.folder, '.latchkey'), { recursive: true })
  const state = {
    schema: 'daemon/v1',
    pid,
    processStart,
    socket: '/nowhere',
    url: 'http://localhost',
    mode: 'detached',
    overrides: [],
    log: null,
  }
  writeFileSync(join(project.folder, '.latchkey/state.json'), JSON.stringify(state))
}

describe('start --detach', () => {
  test('serves in a process group of its own, with files for this account only, and stop ends all of its processes', async () => {
    const project = await createProject()
    const started = await project.latchkeyProcess(['start', '--detach', '--json'])
    expect(started).toMatchObject({ exitCode: 0 })
    expect(started.json()).toMatchObject({ schema: 'start/v1', detached: true, port: project.port, workers: 1 })
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    const { pid, workers } = await project.status()
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    const { socket = '', log } = project.state() ?? {}
    expect([
      mode(join(project.folder, '.latchkey')),
      mode(join(project.folder, '.latchkey/state.json')),
      mode(socket),
      mode(log ?? ''),
    ]).toEqual(['700', '600', '600', '600'])
    // A process group and a session of its own: fields 5 and 6 of proc_pid_stat(5).
    const [, , group, session] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    expect([group, session]).toEqual([String(pid), String(pid)])
    const stopped = await project.latchkeyProcess(['stop', '--json'])
    expect(stopped.json()).toEqual({ schema: 'stop/v1', stopped: true, pid })
    expect([pid, ...workers.map((worker) => worker.pid)].filter(isAlive)).toEqual([])
    await expect(fetch(`${project.api}/ok`)).rejects.toThrow()
    expect(project.state()).toBeNull()
  })

  test('reports the reason and the last lines of the log when it fails', async () => {
    const project = await createProject()
    await occupy(project.port)
    const started = await project.latchkey(['start', '--detach'])
    expect(started.exitCode).toBe(1)
    expect(started.stderr).toContain(`Another program listens on 127.0.0.1:${project.port}`)
    expect(started.stderr).toContain('The daemon failed to start')
    expect(started.stderr).toContain('--port')
    expect(project.state()).toBeNull()
    // The reason first, then only lines of this start, without JSON.
    expect(started.stderr).toMatch(/^✗ Another program listens on /)
    writeFileSync(join(project.folder, '.latchkey/daemon.log'), '{"level":"error","msg":"an earlier start"}\n', { flag: 'a' })
    const { stderr } = await project.latchkey(['start', '--detach'])
    expect(stderr).toContain('error: The daemon failed to start: Another program listens on')
    expect(stderr).not.toMatch(/an earlier start|\{"level"|was lost/)
  })

  test('shows where it listens, and warns when baseURL names another port', async () => {
    const project = await createProject()
    const port = await freePort()
    const started = await project.latchkey(['start', '--detach', '--port', String(port)])
    expect(started.stdout).toContain(`on 127.0.0.1:${port} `)
    const warning = `baseURL names port ${project.port}, but the daemon listens on port ${port}`
    expect(started.stderr).toContain(warning)
    const { stdout } = await project.latchkey(['status'])
    expect(stdout).toContain(`on 127.0.0.1:${port}\n`)
    expect(stdout).toContain(warning)
    project.configure(configText(project.port, `server: { port: ${port} }, database: { url: 'sqlite:./test.db' }`))
    expect((await project.latchkey(['doctor'])).stdout).toContain(warning)
  })

  test('exits with 8 for an invalid configuration, and with 6 for an unreachable database', async () => {
    const project = await createProject()
    project.configure(configText(project.port, `server: { prot: 1 }, database: { url: 'sqlite:./test.db' }`))
    expect(await project.latchkey(['start', '--detach'])).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('Did you mean `port`?'),
    })
    project.configure(configText(project.port, `database: { url: 'mysql://app:app@127.0.0.1:9/none' }`))
    expect(await project.latchkey(['start', '--detach'])).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('names a log that cannot be written', async () => {
    const project = await createProject()
    project.configure(
      configText(project.port, `database: { url: 'sqlite:./test.db' }, log: { file: 'auth.config.ts/daemon.log' }`),
    )
    const started = await project.latchkey(['start', '--detach'])
    expect(started).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('auth.config.ts/daemon.log cannot be written') })
    expect(started.stderr).toContain('log.file')
  })

  test('serves once when started twice at the same time', async () => {
    const project = await createProject()
    const outcomes = await Promise.all([
      project.latchkeyProcess(['start', '--detach', '--json']),
      project.latchkeyProcess(['start', '--detach', '--json']),
    ])
    expect(outcomes.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1])
    const refused = outcomes.find(({ exitCode }) => exitCode === 1)?.json()
    expect(refused).toMatchObject({ schema: 'error/v1', code: 'ALREADY_RUNNING' })
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
  })
})

describe('the state of a killed daemon', () => {
  test('is recognized as stale and replaced by the next start', async () => {
    const project = await createProject()
    const foreground = await project.serve()
    process.kill(foreground.child.pid ?? 0, 'SIGKILL')
    await foreground.ended()
    expect(project.state()).not.toBeNull()
    expect((await project.latchkey(['status', '--json', '--exit-code'])).json()).toMatchObject({ running: false })
    await until(
      () =>
        fetch(`${project.api}/ok`).then(
          () => false,
          () => true,
        ),
      'the end of the orphaned worker',
    )
    requireSuccess(await project.latchkey(['start', '--detach']))
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
  })

  test('never causes a signal to another process with the same id', async () => {
    const project = await createProject()
    leaveState(project, process.pid, 'another start')
    expect((await project.latchkey(['stop', '--json'])).json()).toMatchObject({ stopped: false })
    expect((await project.latchkey(['status', '--json'])).json()).toMatchObject({ running: false })
    expect((await project.latchkey(['reload'])).exitCode).toBe(1)
    rmSync(join(project.folder, '.latchkey'), { recursive: true })
  })

  test('is not stale while its process runs', async () => {
    const project = await createProject()
    leaveState(project, process.pid, findProcessStart(process.pid) ?? '')
    const started = await project.latchkey(['start', '--detach', '--json'])
    expect(started.json()).toMatchObject({ code: 'ALREADY_RUNNING' })
    rmSync(join(project.folder, '.latchkey'), { recursive: true })
  })
})

describe('start in the foreground', () => {
  test('reports a port in use, and how to choose another', async () => {
    const project = await createProject()
    await occupy(project.port)
    const started = await project.latchkeyProcess(['start', '--json'])
    expect(started.json()).toMatchObject({ schema: 'error/v1', code: 'PORT_IN_USE', hint: expect.stringContaining('--port') })
    expect(started.exitCode).toBe(1)
  })

  test('explains how to create a missing configuration', async () => {
    const project = await createProject()
    rmSync(join(project.folder, 'auth.config.ts'))
    expect(await project.latchkeyProcess(['start'])).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('latchkey init'),
    })
  })

  test('prefers flags to the configuration, and chooses a port for 0', async () => {
    const project = await createProject()
    await project.serve(['start', '--port', '0', '--host', 'localhost'])
    const { port, host } = await project.status()
    expect(port).not.toBe(project.port)
    expect(host).toBe('localhost')
    expect(await statusOf(`http://localhost:${port}/api/auth/ok`)).toBe(200)
  })

  test('prints one JSON document with --json, and the log separately', async () => {
    const project = await createProject()
    const foreground = await project.serve(['start', '--json'])
    await until(() => foreground.output().includes('start/v1'))
    const lines = foreground
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ schema }) => schema)).toEqual([
      expect.objectContaining({ schema: 'start/v1', detached: false, port: project.port }),
    ])
    expect(lines.filter(({ schema }) => !schema).every(({ level, msg }) => level && msg)).toBe(true)
  })

  test('--check checks without serving', async () => {
    const project = await createProject()
    expect((await project.latchkey(['start', '--check', '--json'])).json()).toMatchObject({ checked: true, database: 'sqlite' })
    await expect(fetch(`${project.api}/ok`)).rejects.toThrow()
    project.configure(configText(project.port, `database: { url: 'sqlite:./test.db' }, redis: { url: 'redis://127.0.0.1:9' }`))
    expect((await project.latchkey(['start', '--check'])).exitCode).toBe(6)
  })

  test('works in a folder whose path is too long for a socket', async () => {
    const project = await createProject(
      'a-project-whose-name-is-so-long-that-no-socket-of-any-system-would-find-room-in-its-folder',
    )
    await project.serve()
    const { socket = '' } = project.state() ?? {}
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100)
    expect((await project.private('GET', '/livez')).status).toBe(200)
    requireSuccess(await project.latchkey(['stop']))
    expect(() => statSync(socket)).toThrow()
  })
})

test('restart uses the same flags, and keeps the daemon when the new configuration is invalid', async () => {
  const project = await createProject()
  await project.latchkey(['start', '--detach', '--port', '0'])
  const before = await project.status()
  project.configure('export default { nonsense: true }')
  expect((await project.latchkey(['restart'])).exitCode).toBe(8)
  expect((await project.status()).pid).toBe(before.pid)
  project.configure(configText(project.port, `server: { port: ${project.port} }, database: { url: 'sqlite:./test.db' }`))
  const restarted = await project.latchkeyProcess(['restart', '--json'])
  expect(restarted.json()).toMatchObject({ schema: 'restart/v1', detached: true })
  const after = await project.status()
  expect(after.pid).not.toBe(before.pid)
  expect(after.port).not.toBe(project.port)
})

test('restart loses no call, over reused and new connections, and leaves one daemon', async () => {
  const project = await createProject()
  await project.latchkey(['start', '--detach'])
  const load = startLoad(`${project.api}/ok`, { kept: 4, fresh: 4 })
  const pids = [(await project.status()).pid]
  for (let round = 0; round < 3; round += 1) {
    requireSuccess(await project.latchkeyProcess(['restart']))
    pids.push((await project.status()).pid)
  }
  const { answered, failures } = await load.stop()
  expect(failures).toEqual([])
  expect(answered).toBeGreaterThan(100)
  expect(new Set(pids).size).toBe(4)
  expect(pids.map(isAlive)).toEqual([false, false, false, true])
  expect(await project.latchkey(['start', '--detach', '--json'])).toMatchObject({ exitCode: 1 })
  requireSuccess(await project.latchkey(['stop']))
  await expect(fetch(`${project.api}/ok`)).rejects.toThrow()
}, 90_000)

test('restart moves to another port, and keeps the old daemon when that port is in use', async () => {
  const project = await createProject()
  await project.latchkey(['start', '--detach'])
  const before = await project.status()
  const port = await freePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  project.configure(configText(port, `server: { port: ${port} }, database: { url: 'sqlite:./test.db' }`))
  expect((await project.latchkey(['restart', '--json'])).json()).toMatchObject({ code: 'PORT_IN_USE' })
  expect((await project.status()).pid).toBe(before.pid)
  expect(await statusOf(`${project.api}/ok`)).toBe(200)
  await new Promise((resolve) => other.close(resolve))
  requireSuccess(await project.latchkey(['restart']))
  expect(await statusOf(`http://127.0.0.1:${port}/api/auth/ok`)).toBe(200)
  await expect(fetch(`${project.api}/ok`)).rejects.toThrow()
  expect(isAlive(before.pid)).toBe(false)
}, 60_000)

describe('a daemon that fails after the old one has given it the project: the old one continues', () => {
  async function expectServing(project: Project, pid: number): Promise<void> {
    expect(project.state()?.pid).toBe(pid)
    expect(await project.status()).toMatchObject({ pid })
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    expect(await project.latchkeyProcess(['start', '--json'])).toMatchObject({ exitCode: 1 })
    requireSuccess(await project.latchkey(['reload']))
    requireSuccess(await project.latchkey(['restart']))
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    expect(isAlive(pid)).toBe(false)
    requireSuccess(await project.latchkey(['stop']))
    await expect(fetch(`${project.api}/ok`)).rejects.toThrow()
  }

  test.each([
    ['private port', (port: number) => `port: ${port}`],
    ['private port for calls', (port: number) => `api: { port: ${port}, token: 'a token of twenty characters' }`],
  ])(
    'because its %s is in use',
    async (_, options) => {
      const project = await createProject()
      const valid = readFileSync(join(project.folder, 'auth.config.ts'), 'utf8')
      await project.latchkey(['start', '--detach'])
      const { pid } = await project.status()
      const taken = await freePort()
      await occupy(taken)
      const server = `server: { port: ${project.port}, private: { ${options(taken)} } }`
      project.configure(configText(project.port, `${server}, database: { url: 'sqlite:./test.db' }`))
      expect((await project.latchkey(['reload', '--json'])).json()).toMatchObject({ code: 'PORT_IN_USE' })
      expect((await project.latchkey(['restart', '--json'])).json()).toMatchObject({ code: 'PORT_IN_USE' })
      project.configure(valid)
      await expectServing(project, pid)
    },
    90_000,
  )

  test.each([
    ['before it gets the port', `process.send(ready, () => process.kill(process.pid, 'SIGKILL'))`],
    ['when it has the port', `process.once('message', () => process.kill(process.pid, 'SIGKILL')); process.send(ready)`],
    [
      'when it has the port, with a failure',
      `process.once('message', () => process.send({ type: 'failed', failure: { code: 'OTHER', message: 'x' } })); process.send(ready)`,
    ],
  ])(
    'because it ends %s',
    async (_when, behaviour) => {
      const project = await createProject()
      await project.latchkey(['start', '--detach'])
      const state = project.state()
      if (!state) throw new Error('There is no daemon')
      const script = `const ready = { type: 'ready', takesPort: true }; process.once('message', () => { ${behaviour} })`
      const options = {
        directory: project.folder,
        config: null,
        overrides: [],
        mode: 'detached',
        log: join(project.folder, 'other.log'),
      }
      const order = { command: [process.execPath, '-e', script], env: {}, options }
      await expect(requestRestart(state, order as unknown as RestartOrder)).rejects.toMatchObject({ name: 'Failure' })
      await expectServing(project, state.pid)
    },
    90_000,
  )
})
