/** Rate-limit counters in memory: a command queries the daemon. */
import { expect, test } from 'vitest'
import { configText, createProject, createServerProject } from './project.ts'

// A window that outlasts the slowest machine.
const rateLimit = "enabled: true, storage: 'memory', customRules: { '/sign-in/email': { window: 600, max: 3 } }"

const alone = async () => {
  const project = await createProject()
  project.configure(
    configText(
      project.port,
      `server: { port: ${project.port} }, database: { url: 'sqlite:./test.db' }, rateLimit: { ${rateLimit} }`,
    ),
  )
  return project
}
const several = () => createServerProject((port) => `server: { port: ${port}, workers: 2 }, rateLimit: { ${rateLimit} }`)

test.each([
  ['its only worker', alone],
  ['the supervisor of its workers', several],
])('explains and clears the counters of %s', async (_name, create) => {
  const project = await create()
  await project.serve()
  const call = async () =>
    (await fetch(`${project.api}/sign-in/email`, { method: 'POST', headers: { connection: 'close' } })).status
  const statuses: number[] = []
  for (let time = 0; time < 4; time += 1) statuses.push(await call())
  expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true])
  const ask = async (verb: string) =>
    (await project.latchkey(['limits', verb, '--ip', '127.0.0.1', '--path', '/sign-in/email', '--json'])).json()
  expect((await ask('explain')).rateLimits).toMatchObject({
    storage: 'memory',
    seen: true,
    calls: [{ pattern: '/sign-in/email', count: 3 }],
  })
  expect(await ask('clear')).toMatchObject({ rateLimits: 1 })
  expect(await call()).not.toBe(429)
  expect((await ask('explain')).rateLimits).toMatchObject({ calls: [{ count: 1, wait: 0 }] })
})

test('the socket rejects an invalid query', async () => {
  const project = await alone()
  await project.serve()
  expect((await project.private('POST', '/counters')).status).toBe(400)
  expect((await project.private('GET', '/counters')).status).toBe(404)
})
