/** Floods of connections, under a low limit of open files. */
import { globSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createProject, createServerProject, type Project, statusOf, until } from './project.ts'

const descriptors = 300

const servingPids = async (project: Project) =>
  (await project.status()).workers.filter(({ state }) => state === 'serving').map(({ pid }) => pid)

/** Connections that never send anything. */
function openSilent(port: number, count: number): Socket[] {
  const sockets = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume(),
  )
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
  return sockets
}

/** Connections that send the start of a body and never the rest. */
function openUnfinished({ port, host }: { port: number; host: string }, count: number): Socket[] {
  const head = `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000`
  const sockets = openSilent(port, count)
  for (const socket of sockets) socket.write(`${head}\r\n\r\n{`)
  return sockets
}

/** For an unknown user. */
async function signIn({ api }: Project): Promise<number> {
  const headers = { connection: 'close', 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'ada@example.com', password: 'a wrong password' })
  const { status } = await fetch(`${api}/sign-in/email`, { method: 'POST', headers, body })
  return status
}

const isClosed = ({ destroyed }: Socket) => destroyed
const livez = (project: Project) => statusOf(`${project.origin}/livez`).catch(() => 0)

describe.each([1, 2])('silent connections beyond the descriptors of %i worker(s)', (workers) => {
  const create = () =>
    workers === 1 ? createProject() : createServerProject((port) => `server: { port: ${port}, workers: ${workers} }`)

  test('neither lock out other clients nor end a worker, and are logged', async () => {
    const project = await create()
    const daemon = project.launch(['start'], descriptors)
    await until(() => project.state() !== null)
    await until(async () => (await servingPids(project)).length === workers)
    const before = await servingPids(project)
    const silent: Socket[] = []
    // Renewed: of those that it cannot hand over in time, the supervisor closes the newest.
    await until(() => {
      if (silent.filter((socket) => !isClosed(socket)).length < 600 * workers) silent.push(...openSilent(project.port, 10))
      return silent.filter(isClosed).length >= 100 * workers && daemon.output().includes('Too many open connections')
    })
    await until(async () => (await livez(project)) === 200)
    expect(silent.some((socket) => !isClosed(socket))).toBe(true)
    for (let call = 0; call < 20; call += 1) expect(await statusOf(`${project.origin}/livez`)).toBe(200)
    for (const socket of silent) socket.destroy()
    for (let call = 0; call < 20; call += 1) expect(await statusOf(`${project.api}/ok`)).toBe(200)
    expect(await servingPids(project)).toEqual(before)
    expect(daemon.child.exitCode).toBeNull()
  })

  test('that come while no worker accepts any are closed and logged, and the workers are replaced', async () => {
    const project = await create()
    const daemon = project.launch(['start'], descriptors)
    await until(() => project.state() !== null)
    await until(async () => (await servingPids(project)).length === workers)
    const before = await servingPids(project)
    for (const pid of before) process.kill(pid, 'SIGSTOP')
    const silent = openSilent(project.port, 400)
    await until(() => silent.filter(isClosed).length >= 200)
    await until(async () => (await livez(project)) === 200)
    await until(async () => (await servingPids(project)).length === workers)
    expect((await servingPids(project)).filter((pid) => before.includes(pid))).toEqual([])
    expect(daemon.output()).toContain('Connections were closed because too many wait for a worker')
    expect(daemon.output()).toContain('A worker did not accept a connection in time and was killed')
  })
})

test('bodies that never end, renewed as their connections are closed, do not lock out other clients', async () => {
  const project = await createProject()
  const daemon = project.launch(['start'], descriptors)
  await until(() => project.state() !== null)
  await until(async () => (await servingPids(project)).length === 1)
  const before = await servingPids(project)
  const target = { port: project.port, host: new URL(project.origin).host }
  let unfinished: Socket[] = []
  const renew = () => {
    unfinished = unfinished.filter((socket) => !isClosed(socket))
    unfinished.push(...openUnfinished(target, 10))
  }
  let closed = 0
  await until(() => {
    closed += unfinished.filter(isClosed).length
    renew()
    return closed >= 200 && daemon.output().includes('Too many open connections')
  })
  await until(async () => (await livez(project)) === 200)
  for (let call = 0; call < 40; call += 1) {
    renew()
    expect(await statusOf(`${project.origin}/livez`)).toBe(200)
    expect(await signIn(project)).toBeGreaterThanOrEqual(400)
  }
  expect(unfinished.some((socket) => !isClosed(socket))).toBe(true)
  expect(await servingPids(project)).toEqual(before)
  expect(daemon.child.exitCode).toBeNull()
})

/** The largest file of the hosted pages: more than the system buffers for a connection. */
function largestPath(): string {
  const folder = join(inject('program'), 'dashboard/dist')
  const sizeOf = (name: string) => statSync(join(folder, name)).size
  const [largest] = globSync('assets/*.js', { cwd: folder }).sort((one, other) => sizeOf(other) - sizeOf(one))
  return `/${largest}`
}

/** Connections that request a file again and again, and read nothing of it. */
function openUnread({ port, origin }: Project, path: string, count: number): void {
  const request = `GET ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of sockets) socket.pause().write(request.repeat(20))
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
}

test('responses that their clients never read do not lock out other clients', async () => {
  const project = await createProject()
  const daemon = project.launch(['start'], descriptors)
  await until(async () => project.state() !== null && (await servingPids(project)).length === 1)
  const path = largestPath()
  await until(() => {
    openUnread(project, path, 10)
    return daemon.output().includes('Too many open connections')
  })
  // Until then the supervisor may have more connections than it can hand over, of which it closes some.
  await until(async () => (await livez(project)) === 200)
  for (let call = 0; call < 20; call += 1) {
    expect(await statusOf(`${project.origin}/livez`)).toBe(200)
    expect(await signIn(project)).toBeGreaterThanOrEqual(400)
  }
})
