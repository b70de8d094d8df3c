/** Floods of connections, under a low limit of open files. */
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
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
    // In portions, so that the supervisor hands all of them over.
    await until(() => {
      if (silent.length < 600 * workers) silent.push(...openSilent(project.port, 10))
      return silent.filter(isClosed).length >= 100 * workers
    })
    expect(silent.some((socket) => !isClosed(socket))).toBe(true)
    for (let call = 0; call < 20; call += 1) expect(await statusOf(`${project.origin}/livez`)).toBe(200)
    expect(daemon.output()).toContain('Too many open connections')
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
