import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findProcessStart } from '../../src/daemon/process-identity.ts'
import { configText, createProject, isAlive, type Project, statusOf, until } from './project.ts'

async function occupy(port: number): Promise<void> {
  const other = createServer((_, outgoing) => outgoing.end('somebody else'))
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
}

/** Written by a daemon that is no more. */
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
  test('returns when it serves, and stop ends every process of it', async () => {
    const project = await createProject()
    const started = await project.latchkey(['start', '--detach', '--json'])
    expect(started).toMatchObject({ exitCode: 0 })
    expect(started.json()).toMatchObject({ schema: 'start/v1', detached: true, port: project.port, workers: 1 })
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    const { pid, workers } = await project.status()
    const stopped = await project.latchkey(['stop', '--json'])
    expect(stopped.json()).toEqual({ schema: 'stop/v1', stopped: true, pid })
    expect([pid, ...workers.map((worker) => worker.pid)].filter(isAlive)).toEqual([])
    await expect(fetch(`${project.api}/ok`)).rejects.toThrow()
    expect(project.state()).toBeNull()
  })

  test('writes its state, its socket and its log so that only this account reads them', async () => {
    const project = await createProject()
    await project.latchkey(['start', '--detach'])
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    const { socket = '', log } = project.state() ?? {}
    expect([
      mode(join(project.folder, '.latchkey')),
      mode(join(project.folder, '.latchkey/state.json')),
      mode(socket),
      mode(log ?? ''),
    ]).toEqual(['700', '600', '600', '600'])
  })

  test('fails with the reason and the last lines of the log', async () => {
    const project = await createProject()
    await occupy(project.port)
    const started = await project.latchkey(['start', '--detach'])
    expect(started.exitCode).toBe(1)
    expect(started.stderr).toContain(`Another program listens on 127.0.0.1:${project.port}`)
    expect(started.stderr).toContain('The daemon does not start')
    expect(started.stderr).toContain('--port')
    expect(project.state()).toBeNull()
  })

  test('ends with 8 for a configuration that does not check, and with 6 for a database that is away', async () => {
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

  test('says which log cannot be written', async () => {
    const project = await createProject()
    project.configure(
      configText(project.port, `database: { url: 'sqlite:./test.db' }, log: { file: 'auth.config.ts/daemon.log' }`),
    )
    const started = await project.latchkey(['start', '--detach'])
    expect(started).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('auth.config.ts/daemon.log cannot be written') })
    expect(started.stderr).toContain('log.file')
  })

  test('twice at once: one serves, the other says so', async () => {
    const project = await createProject()
    const outcomes = await Promise.all([
      project.latchkey(['start', '--detach', '--json']),
      project.latchkey(['start', '--detach', '--json']),
    ])
    expect(outcomes.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1])
    const refused = outcomes.find(({ exitCode }) => exitCode === 1)?.json()
    expect(refused).toMatchObject({ schema: 'error/v1', code: 'ALREADY_RUNNING' })
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
  })

  test('survives the end of the group it was started from', async () => {
    const project = await createProject()
    await project.latchkey(['start', '--detach'])
    const { pid } = await project.status()
    // Field 5 is the process group, field 6 the session (proc_pid_stat(5)).
    const [, , group, session] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    expect([group, session]).toEqual([String(pid), String(pid)])
  })
})

describe('what a killed daemon leaves behind', () => {
  test('a stale state is recognized, and the next start takes its place', async () => {
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
    expect((await project.latchkey(['start', '--detach'])).exitCode).toBe(0)
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
  })

  test('a number that belongs to another process now is never signalled', async () => {
    const project = await createProject()
    leaveState(project, process.pid, 'another start')
    expect((await project.latchkey(['stop', '--json'])).json()).toMatchObject({ stopped: false })
    expect((await project.latchkey(['status', '--json'])).json()).toMatchObject({ running: false })
    expect((await project.latchkey(['reload'])).exitCode).toBe(1)
    rmSync(join(project.folder, '.latchkey'), { recursive: true })
  })

  test('the same process under the same number is recognized', async () => {
    const project = await createProject()
    leaveState(project, process.pid, findProcessStart(process.pid) ?? '')
    const started = await project.latchkey(['start', '--detach', '--json'])
    expect(started.json()).toMatchObject({ code: 'ALREADY_RUNNING' })
    rmSync(join(project.folder, '.latchkey'), { recursive: true })
  })
})

describe('start in the foreground', () => {
  test('says who has the port, and what to type', async () => {
    const project = await createProject()
    await occupy(project.port)
    const started = await project.latchkey(['start', '--json'])
    expect(started.json()).toMatchObject({ schema: 'error/v1', code: 'PORT_IN_USE', hint: expect.stringContaining('--port') })
    expect(started.exitCode).toBe(1)
  })

  test('without a configuration says how to get one', async () => {
    const project = await createProject()
    rmSync(join(project.folder, 'auth.config.ts'))
    expect(await project.latchkey(['start'])).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('latchkey init') })
  })

  test('takes flags before the configuration, and port 0 means any', async () => {
    const project = await createProject()
    await project.serve(['start', '--port', '0', '--host', 'localhost'])
    const { port, host } = await project.status()
    expect(port).not.toBe(project.port)
    expect(host).toBe('localhost')
    expect(await statusOf(`http://localhost:${port}/api/auth/ok`)).toBe(200)
  })

  test('a single document on standard output with --json, the log beside it', async () => {
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

  test('--check looks and does not serve', async () => {
    const project = await createProject()
    expect((await project.latchkey(['start', '--check', '--json'])).json()).toMatchObject({ checked: true, database: 'sqlite' })
    await expect(fetch(`${project.api}/ok`)).rejects.toThrow()
    project.configure(configText(project.port, `database: { url: 'sqlite:./test.db' }, redis: { url: 'redis://127.0.0.1:9' }`))
    expect((await project.latchkey(['start', '--check'])).exitCode).toBe(6)
  })

  test('a path too long for a socket is no obstacle', async () => {
    const project = await createProject(
      'a-project-whose-name-is-so-long-that-no-socket-of-any-system-would-find-room-in-its-folder',
    )
    await project.serve()
    const { socket = '' } = project.state() ?? {}
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100)
    expect((await project.private('GET', '/livez')).status).toBe(200)
    expect((await project.latchkey(['stop'])).exitCode).toBe(0)
    expect(() => statSync(socket)).toThrow()
  })
})

test('restart starts with the same flags, and refuses when the new configuration does not check', async () => {
  const project = await createProject()
  await project.latchkey(['start', '--detach', '--port', '0'])
  const before = await project.status()
  project.configure('export default { nonsense: true }')
  expect((await project.latchkey(['restart'])).exitCode).toBe(8)
  expect((await project.status()).pid).toBe(before.pid)
  project.configure(configText(project.port, `server: { port: ${project.port} }, database: { url: 'sqlite:./test.db' }`))
  const restarted = await project.latchkey(['restart', '--json'])
  expect(restarted.json()).toMatchObject({ schema: 'restart/v1', detached: true })
  const after = await project.status()
  expect(after.pid).not.toBe(before.pid)
  expect(after.port).not.toBe(project.port)
})
