import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startLoad } from './load.ts'
import { configText, createProject, createServerProject, isAlive, requireSuccess, secret, statusOf, until } from './project.ts'

describe('reload', () => {
  test('loses no call, over reused and new connections, also with a broken new configuration', async () => {
    const project = await createServerProject((port) => `server: { port: ${port}, workers: 2 }, rateLimit: { enabled: false }`)
    await project.latchkey(['start', '--detach'])
    const load = startLoad(`${project.api}/get-session`, { kept: 6, fresh: 4 })
    const config = configText(
      project.port,
      `database: { url: '${project.database.url}' }, server: { port: ${project.port}, workers: 2 }`,
    )
    let workers = (await project.status()).workers.map(({ pid }) => pid)
    for (const isBroken of [false, true, false]) {
      project.configure(isBroken ? 'export default {' : config)
      const reloaded = await project.latchkeyProcess(['reload', '--json'])
      expect(reloaded).toMatchObject({ exitCode: isBroken ? 8 : 0, stderr: isBroken ? expect.any(String) : '' })
      if (isBroken) continue
      expect(reloaded.json()).toMatchObject({ schema: 'reload/v1', before: expect.arrayContaining(workers) })
      const { after } = reloaded.json()
      expect(after).toHaveLength(2)
      workers = Array.isArray(after) ? after : []
    }
    const { answered, failures } = await load.stop()
    expect(failures).toEqual([])
    expect(answered).toBeGreaterThan(100)
    // It starts eight processes that compete with those of other tests.
  }, 240_000)

  test('applies changes, keeps the previous configuration when the new one cannot be applied, and creates a moved log file', async () => {
    const project = await createProject()
    const text = (more: string, port = project.port) =>
      configText(port, `server: { port: ${port} }, database: { url: 'sqlite:./test.db' }, ${more}`)
    const valid = text('appName: process.env.TEST_NAME, openAPI: true')
    project.configure(valid)
    writeFileSync(join(project.folder, '.env'), 'TEST_NAME=Before\n')
    await project.latchkey(['start', '--detach'])
    // A reused connection stays with the old worker for one more response.
    const headers = { connection: 'close' }
    const document = async () => (await fetch(`${project.api}/open-api/generate-schema`, { headers })).text()
    expect(await document()).toContain('Before')

    // Changes of the file and of .env.
    const { log } = project.state() ?? {}
    renameSync(log ?? '', `${log}.1`)
    writeFileSync(join(project.folder, '.env'), 'TEST_NAME=After\n')
    await project.latchkey(['reload'])
    expect(await document()).toContain('After')
    expect(readFileSync(log ?? '', 'utf8')).toContain('The configuration was reloaded')

    // A configuration that is invalid.
    // The worker of the reload before this one may still be ending.
    const serving = (await project.status()).workers.find(({ state }) => state === 'serving')
    project.configure(text('sesion: {}'))
    const reloaded = await project.latchkey(['reload'])
    expect(reloaded).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('Did you mean `session`?') })
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    // The worker that could not start has reported why, and may still be ending.
    const left = [expect.objectContaining({ pid: serving?.pid, state: 'serving' })]
    await expect.poll(async () => (await project.status()).workers).toEqual(left)

    // Another address.
    project.configure(text('appName: process.env.TEST_NAME, openAPI: true', project.port + 1))
    const moved = await project.latchkey(['reload', '--json'])
    expect(moved.json()).toMatchObject({ code: 'ADDRESS_CHANGED', hint: expect.stringContaining('latchkey restart') })
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    expect(await document()).toContain('After')
  })

  test('is triggered by SIGHUP too', async () => {
    const project = await createProject()
    const { child } = await project.serve()
    child.kill('SIGHUP')
    await until(async () => (await project.status()).generation === 2)
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
  })

  test('fails when no daemon runs', async () => {
    const project = await createProject()
    expect((await project.latchkey(['reload', '--json'])).json()).toMatchObject({ code: 'NOT_RUNNING' })
  })
})

describe('stop', () => {
  // A function of the configuration that takes its time makes a slow call.
  const slow = (port: number, milliseconds: number, drainTimeout = 10) =>
    configText(
      port,
      `server: { port: ${port}, drainTimeout: ${drainTimeout} }, database: { url: 'sqlite:./test.db' },
       trustedOrigins: async () => { await new Promise((resolve) => setTimeout(resolve, ${milliseconds})); return [] },`,
    )
  const slowCall = (url: string) => fetch(url, { headers: { origin: 'http://elsewhere.test' } })

  test('lets an open call finish, closes its connection, and exits with 0', async () => {
    const project = await createProject()
    project.configure(slow(project.port, 1500))
    const foreground = await project.serve()
    const call = slowCall(`${project.api}/ok`)
    await until(async () => (await project.status()).workers.some(({ requests }) => requests === 1))
    foreground.child.kill('SIGTERM')
    const answer = await call
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    expect(await foreground.ended()).toBe(0)
    expect(project.state()).toBeNull()
  })

  test('is not ready and accepts no connection while it drains', async () => {
    const project = await createProject()
    project.configure(slow(project.port, 3000))
    const foreground = await project.serve()
    const { socket = '' } = project.state() ?? {}
    expect(socket).not.toBe('')
    const call = slowCall(`${project.api}/ok`)
    await until(async () => (await project.status()).workers.some(({ requests }) => requests === 1))
    foreground.child.kill('SIGINT')
    await until(async () => (await project.private('GET', '/readyz')).status === 503)
    await until(() =>
      fetch(`${project.api}/ok`).then(
        () => false,
        () => true,
      ),
    )
    expect((await project.private('GET', '/readyz')).body).toContain('the daemon is stopping')
    expect((await call).status).toBe(200)
    expect(await foreground.ended()).toBe(0)
  })

  test('aborts calls that exceed the drain timeout', async () => {
    const project = await createProject()
    project.configure(slow(project.port, 60_000, 1))
    const foreground = await project.serve()
    const call = slowCall(`${project.api}/ok`).then(
      () => 'answered',
      () => 'cut',
    )
    await until(async () => (await project.status()).workers.some(({ requests }) => requests === 1))
    foreground.child.kill('SIGTERM')
    expect(await call).toBe('cut')
    expect(await foreground.ended()).toBe(0)
  })

  test('stops immediately after a second signal', async () => {
    const project = await createProject()
    project.configure(slow(project.port, 60_000, 50))
    const foreground = await project.serve()
    const call = slowCall(`${project.api}/ok`).then(
      () => 'answered',
      () => 'cut',
    )
    await until(async () => (await project.status()).workers.some(({ requests }) => requests === 1))
    const [worker] = (await project.status()).workers
    foreground.child.kill('SIGTERM')
    await until(async () => (await project.private('GET', '/readyz')).status === 503)
    // For a tenth of a second a second signal counts as a duplicate of the first.
    await until(() => {
      foreground.child.kill('SIGTERM')
      return foreground.child.exitCode !== null
    })
    expect(await foreground.ended()).toBe(130)
    expect(await call).toBe('cut')
    expect(isAlive(worker?.pid ?? 0)).toBe(false)
  })

  test('works while the daemon is starting', async () => {
    const project = await createProject()
    project.configure(`await new Promise((resolve) => setTimeout(resolve, 8000))\n${configText(project.port)}`)
    const foreground = project.launch(['start'])
    const lock = join(project.folder, '.latchkey/control.sock')
    await until(() => existsSync(lock))
    foreground.child.kill('SIGTERM')
    expect(await foreground.ended()).toBe(0)
  })

  test('stops waiting after its timeout, and explains how to continue', async () => {
    const project = await createProject()
    project.configure(slow(project.port, 60_000, 50))
    await project.serve()
    const call = slowCall(`${project.api}/ok`).catch(() => null)
    await until(async () => (await project.status()).workers.some(({ requests }) => requests === 1))
    const stopped = await project.latchkey(['stop', '--timeout', '1', '--json'])
    expect(stopped).toMatchObject({ exitCode: 1 })
    expect(stopped.json()).toMatchObject({ code: 'STOP_TIMEOUT', hint: expect.stringContaining('kill') })
    process.kill(-(project.state()?.pid ?? 0), 'SIGKILL')
    await call
  })

  test('closes idle connections', async () => {
    const project = await createProject()
    const foreground = await project.serve()
    // fetch keeps the connection.
    expect((await fetch(`${project.api}/ok`)).status).toBe(200)
    foreground.child.kill('SIGTERM')
    expect(await foreground.ended()).toBe(0)
  })
})

test('puts no secret of .env on a command line or into an environment', async () => {
  const project = await createProject()
  const text = configText(project.port, `server: { port: ${project.port} }, database: { url: 'sqlite:./test.db' }`)
  project.configure(text.replace(/secret: .*,/, ''))
  writeFileSync(join(project.folder, '.env'), `LATCHKEY_SECRET='${secret}'\n`)
  requireSuccess(await project.latchkey(['start', '--detach']))
  const { pid, workers } = await project.status()
  for (const process of [pid, ...workers.map((worker) => worker.pid)]) {
    expect(readFileSync(`/proc/${process}/cmdline`, 'utf8')).not.toContain(secret)
    expect(readFileSync(`/proc/${process}/environ`, 'utf8')).not.toContain(secret)
  }
})

/** Blocks the thread as `for (;;) {}` does, which tests/cli/process.test.ts has, but leaves the processor to other tests. */
const loop = 'const cell = new Int32Array(new SharedArrayBuffer(4))\nfor (;;) Atomics.wait(cell, 0, 0, 10)\nexport default {}'

test.each([
  ['a loop', loop],
  ['a loop after a top-level await', `await null\n${loop}`],
])(
  '%s ends a start and a reload with the reason, and the previous configuration stays in use',
  async (_, text) => {
    const project = await createProject()
    const valid = readFileSync(join(project.folder, 'auth.config.ts'), 'utf8')
    await project.serve()
    const before = await project.status()
    project.configure(text)
    const reloaded = await project.latchkey(['reload', '--json'])
    expect(reloaded).toMatchObject({ exitCode: 8 })
    expect(reloaded.json()).toMatchObject({ code: 'CONFIG_TIMEOUT' })
    expect((await project.status()).workers.map(({ pid }) => pid)).toContain(before.workers[0]?.pid)
    expect(await statusOf(`${project.api}/ok`)).toBe(200)
    await project.latchkey(['stop'])
    expect((await project.latchkeyProcess(['start', '--json'])).json()).toMatchObject({ code: 'CONFIG_TIMEOUT' })
    project.configure(valid)
    await project.serve()
  },
  90_000,
)

test('status reports a failed reload with its time and reason, and that the configuration is as before', async () => {
  const project = await createProject()
  const valid = readFileSync(join(project.folder, 'auth.config.ts'), 'utf8')
  await project.serve()
  const shown = async () => (await project.latchkey(['status'])).stdout
  expect(await shown()).toContain('auth.config.ts, as at the start')
  project.configure('export default { nonsense: true }')
  await project.latchkey(['reload'])
  expect(await shown()).toMatch(/as at the start\n.*Reload +failed at \d{4}-\d\d-\d\dT[\d:.]+Z: There .* in auth\.config\.ts/)
  project.configure(valid)
  await project.latchkey(['reload'])
  expect(await shown()).toMatch(/reloaded at \S+, generation 2\n/)
  expect(await shown()).not.toContain('failed at')
  expect(await project.status()).toMatchObject({ generation: 2, lastReload: { failure: null } })
})
