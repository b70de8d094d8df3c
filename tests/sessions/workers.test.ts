import { expect, onTestFinished, test } from 'vitest'
import { createServerProject } from '../daemon/project.ts'
import { freshKeyspace } from '../kit/servers/index.ts'

const json = { 'content-type': 'application/json' }
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

test('a session that one worker has revoked is rejected by every worker immediately, while its cached copy is valid', async () => {
  const keyspace = await freshKeyspace()
  onTestFinished(keyspace.drop)
  const project = await createServerProject(
    (port) => `
      server: { port: ${port}, workers: 3 },
      redis: ${JSON.stringify(keyspace.redis)},
      session: { cookieCache: { enabled: true } },
    `,
  )
  await project.serve()
  // A connection for each call: workers take turns at connections.
  const send = (path: string, cookie: string, body?: object) =>
    fetch(`${project.api}${path}`, {
      headers: { ...json, cookie, connection: 'close' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const signedUp = await send('/sign-up/email', '', ann)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((header) => header.slice(0, header.indexOf(';')))
    .join('; ')
  expect(cookie).toContain('session_data=')
  const sessions = async () => Promise.all(Array.from({ length: 12 }, async () => (await send('/get-session', cookie)).json()))
  for (const session of await sessions()) expect(session).toMatchObject({ user: { email: ann.email } })
  expect((await send('/sign-out', cookie, {})).status).toBe(200)
  expect(await sessions()).toEqual(Array.from({ length: 12 }, () => null))
  const { workers } = await project.status()
  expect(workers).toHaveLength(3)
})
