/** Runs everything at log level debug, then searches the log for every secret. */
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startDatabase, startRedis } from '../kit/servers/index.ts'
import { freePort } from '../kit/servers/ports.ts'
import { connectRedis } from '../kit/servers/redis.ts'
import { createServerProject, type Project, requireSuccess, secret, statusOf, until } from './project.ts'

const password = 'correct horse battery staple'
const wrongPassword = 'another horse entirely 99'
const setupPassword = 'the password of the administrator'
const privateToken = 'private-token-0123456789-abcdef'
const apiToken = 'api-token-0123456789-abcdef'
const redisPassword = 'redis-password-73021'

async function post(
  project: Project,
  path: string,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${project.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  })
}

/** Names and signed values. */
const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

async function tokenOf(answer: Response): Promise<string> {
  const { token } = JSON.parse(await answer.text())
  return token
}

/** What the run has used, as it is and as it stands in addresses. */
async function useEverything(project: Project): Promise<string[]> {
  const used: string[] = []
  const email = 'ada@example.com'
  const signedUp = await post(project, '/sign-up/email', { name: 'Ada', email, password })
  expect(signedUp.status).toBe(200)
  const cookie = cookieOf(signedUp)
  const origin = new URL(project.api).origin.replace('127.0.0.1', 'localhost')
  used.push(await tokenOf(signedUp), ...cookie.split('; ').map((pair) => pair.split('=')[1] ?? ''))
  await post(project, '/sign-up/email', { name: 'Ada', email, password })
  await post(project, '/sign-in/email', { email, password: wrongPassword })
  await post(project, '/sign-in/email', `{"email":"${email}","password":"${password}"`)
  await post(project, `/sign-in/email?password=${wrongPassword}`, { email, password: [password] })
  const signedIn = await post(project, '/sign-in/email', { email, password })
  used.push(await tokenOf(signedIn))
  await fetch(`${project.api}/get-session`, { headers: { cookie, authorization: `Bearer ${privateToken}` } })
  await fetch(`${project.origin}/set-up?token=${privateToken}`)
  await post(project, '/set-up/check', { token: privateToken })
  const seeded = (await project.latchkey(['seed', '--json'])).json()
  const link = new URL(JSON.stringify(seeded).match(/http[^"]*set-up[^"]*/)?.[0] ?? '')
  const token = link.searchParams.get('token') ?? ''
  used.push(token)
  await fetch(`${project.api}/set-up?token=${token}`)
  await post(project, '/set-up/check', { token })
  expect((await post(project, '/set-up', { token, newPassword: setupPassword })).status).toBe(200)
  expect((await post(project, '/sign-out', {}, { cookie, origin })).status).toBe(200)
  return used
}

test('logs no password, token, cookie or key at level debug, also when database and Redis fail', async () => {
  const [database, redis] = await Promise.all([startDatabase(), startRedis()])
  onTestFinished(async () => {
    await Promise.all([database.stop(), redis.stop()])
  })
  const client = connectRedis(redis.url)
  await client.config('SET', 'requirepass', redisPassword)
  client.disconnect()
  const [privatePort, apiPort] = [await freePort(), await freePort()]
  const redisUrl = redis.url.replace('redis://', `redis://:${redisPassword}@`)
  const project = await createServerProject(
    (port) => `
      server: { port: ${port}, workers: 2, private: { port: ${privatePort}, token: '${privateToken}', api: { port: ${apiPort}, token: '${apiToken}' } } },
      redis: { url: '${redisUrl}' },
      log: { level: 'debug' },
      rateLimit: { enabled: true, customRules: { '/sign-in/email': { window: 10, max: 100 } } },
      seed: { roles: { admin: {} }, admins: [{ email: 'root@example.com', name: 'Root' }] },
    `,
    database.url,
  )
  const account = await project.database.createAccount()
  project.configure(readFileSync(`${project.folder}/auth.config.ts`, 'utf8').replace(project.database.url, account))
  requireSuccess(await project.latchkey(['start', '--detach']))
  const log = project.state()?.log ?? ''
  const used = await useEverything(project)
  await project.latchkey(['reload'])
  await redis.kill()
  await post(project, '/sign-in/email', { email: 'ada@example.com', password })
  await database.kill()
  expect((await post(project, '/sign-in/email', { email: 'ada@example.com', password })).status).toBeGreaterThanOrEqual(500)
  await until(async () => (await statusOf(`${project.origin}/readyz`)) === 503)
  await project.latchkey(['stop'])

  const written = readFileSync(log, 'utf8')
  expect(written).toContain('"level":"debug"')
  expect(written).toContain('/sign-in/email')
  const databasePassword = new URL(account).password
  const secrets = [
    secret,
    password,
    wrongPassword,
    setupPassword,
    privateToken,
    apiToken,
    redisPassword,
    databasePassword,
    ...used,
  ]
  expect(secrets.every((text) => text.length >= 10)).toBe(true)
  const forms = secrets.flatMap((text) => [
    text,
    encodeURIComponent(text),
    decodeURIComponent(text),
    Buffer.from(text).toString('base64'),
  ])
  expect(forms.filter((text) => written.includes(text))).toEqual([])
  // A part of a token helps as well: the signature of a cookie, or the token before it.
  const parts = used.flatMap((text) => decodeURIComponent(text).split('.')).filter((part) => part.length > 20)
  expect(parts.filter((part) => written.includes(part))).toEqual([])
}, 120_000)
