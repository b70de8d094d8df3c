/**
 * Moves a real application of better-auth 1.2.12 while it serves: users with live sessions, calls through a proxy, three copies, the
 * switch, and the way back. Counts the calls that failed or did not know their user, and when.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db'
import { toNodeHandler } from 'better-auth/node'
import { MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import { type Daemon, runLatchkey, startDaemon } from './daemon.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

const formerSecret = 'old-secret-old-secret-old-secret-1234'
const requestsPerSecond = 50
/** scrypt as better-auth makes it; the password is not used. */
const passwordHash = `${'0123456789abcdef'.repeat(2)}:${'0123456789abcdef'.repeat(8)}`

const options = {
  secret: `'${formerSecret}'`,
  advanced: `{ cookiePrefix: 'better-auth' }`,
  move: '{ trial: true }',
  rateLimit: '{ enabled: false }',
}

async function startFormer(url: string): Promise<{ server: Server; port: number; stop(): Promise<void> }> {
  const pool = createPool({ uri: url, timezone: 'Z' })
  const database = { dialect: new MysqlDialect({ pool }), type: 'mysql' as const }
  const given = {
    ...{ baseURL: 'http://localhost:4000', secret: formerSecret, database, emailAndPassword: { enabled: true } },
    ...{ rateLimit: { enabled: false }, trustedOrigins: ['http://localhost:4000'] },
  }
  await (await getMigrations(given)).runMigrations()
  const server = createServer(toNodeHandler(betterAuth(given)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeIdleConnections()
    await new Promise((resolve) => server.close(resolve))
    await new Promise((resolve) => pool.end(() => resolve(null)))
  }
  return { server, port: (server.address() as AddressInfo).port, stop }
}

/** @returns a cookie of each user */
async function fill(url: string, count: number): Promise<string[]> {
  const connection = await createConnection({ uri: url, timezone: 'Z' })
  const cookies: string[] = []
  const now = new Date()
  const later = new Date(now.getTime() + 6 * 86_400_000)
  for (let from = 0; from < count; from += 1000) {
    const numbers = Array.from({ length: Math.min(1000, count - from) }, (_, at) => from + at)
    const tokens = numbers.map(() => randomBytes(24).toString('base64url').slice(0, 32))
    const id = (kind: string, number: number) => `${kind}${String(number).padStart(31, '0')}`
    await connection.query('insert into user (id, name, email, emailVerified, createdAt, updatedAt) values ?', [
      numbers.map((number) => [id('u', number), `User ${number}`, `user${number}@example.com`, number % 2, now, now]),
    ])
    await connection.query('insert into account (id, accountId, providerId, userId, password, createdAt, updatedAt) values ?', [
      numbers.map((number) => [id('a', number), id('u', number), 'credential', id('u', number), passwordHash, now, now]),
    ])
    await connection.query(
      'insert into session (id, token, userId, expiresAt, createdAt, updatedAt, ipAddress, userAgent) values ?',
      [numbers.map((number, at) => [id('s', number), tokens[at], id('u', number), later, now, now, '', ''])],
    )
    for (const token of tokens) {
      const signature = createHmac('sha256', formerSecret).update(token).digest('base64')
      cookies.push(`better-auth.session_token=${token}.${encodeURIComponent(signature)}`)
    }
  }
  await connection.end()
  return cookies
}

/** A proxy whose target can be changed while it runs. */
async function startProxy(first: number) {
  let target = first
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const sent = request(
      { port: target, host: '127.0.0.1', method, path, headers: { ...headers, host: 'localhost:4000' } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      },
    )
    sent.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(sent)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const set = (port: number) => {
    target = port
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/auth`, set, stop: () => server.close() }
}

interface Outcome {
  readonly at: number
  readonly what: 'signed in' | 'signed out' | number
}

/** Asks for sessions of random users, 50 times a second, until aborted. */
async function load(url: string, cookies: readonly string[], outcomes: Outcome[], signal: AbortSignal): Promise<void> {
  const waiting: Promise<void>[] = []
  while (!signal.aborted) {
    const cookie = cookies[Math.floor(Math.random() * cookies.length)] ?? ''
    const at = performance.now()
    waiting.push(
      fetch(`${url}/get-session`, { headers: { cookie } }).then(
        async (response) => {
          const text = await response.text()
          outcomes.push({ at, what: response.status === 200 ? (text === 'null' ? 'signed out' : 'signed in') : response.status })
        },
        () => void outcomes.push({ at, what: 0 }),
      ),
    )
    await pause(1000 / requestsPerSecond)
  }
  await Promise.all(waiting)
}

const portOf = ({ url }: Daemon): number => Number(new URL(url).port)

/** When calls failed, and which were answered as if the user was signed out. */
function describe(label: string, outcomes: readonly Outcome[], from: number): string {
  const own = outcomes.filter(({ at }) => at >= from)
  const failed = own.filter(({ what }) => typeof what === 'number')
  const times = failed.map(({ at }) => at)
  const window = failed.length === 0 ? 0 : Math.max(...times) - Math.min(...times)
  const kinds = [...Map.groupBy(failed, ({ what }) => what)].map(([what, list]) => `${list.length} × ${what}`)
  const out = own.filter(({ what }) => what === 'signed out').length
  return `${label}: ${own.length} calls, ${failed.length} failed (${kinds.join(', ')}) within ${(window / 1000).toFixed(2)} s, ${out} signed out`
}

export async function measureMove(storage: Storage, count: number): Promise<void> {
  const [old, fresh] = [await storage.freshDatabase(), await storage.freshDatabase()]
  const former = await startFormer(old)
  const cookies = await fill(old, count)
  const proxy = await startProxy(former.port)
  const outcomes: Outcome[] = []
  const end = new AbortController()
  const loading = load(proxy.url, cookies, outcomes, end.signal)
  const daemon = await startDaemon({ database: fresh, options: { ...options, move: '{ trial: true, wait: true }' } })
  const env = { ...daemon.env, OLD_DATABASE_URL: old, BETTER_AUTH_SECRET: formerSecret }
  const command = (...words: string[]) => runLatchkey(words, { cwd: daemon.cwd, env })
  const copy = async (...more: string[]) => {
    const started = performance.now()
    await command('move', 'from-better-auth', '--database-env', 'OLD_DATABASE_URL', '--apply', ...more)
    return ((performance.now() - started) / 1000).toFixed(2)
  }
  const [first, second, third] = [await copy(), await copy(), await copy()]
  print(
    `Copies of ${count} users with a password and a session: ${first}, ${second} and ${third} s, each with the start of the command`,
  )
  const switchAt = performance.now()
  proxy.set(portOf(daemon))
  await former.stop()
  const last = await copy('--final')
  await pause(2000)
  print(`The switch: the final copy took ${last} s`)
  print(describe('  until 2 s after it', outcomes, switchAt))
  print(
    describe(
      '  before it',
      outcomes.filter(({ at }) => at < switchAt),
      0,
    ),
  )
  const backAt = performance.now()
  await command('stop')
  await command('move', 'back', '--database-env', 'OLD_DATABASE_URL')
  const again = await startFormer(old)
  proxy.set(again.port)
  const backSeconds = ((performance.now() - backAt) / 1000).toFixed(2)
  await pause(2000)
  end.abort()
  await loading
  print(`The way back took ${backSeconds} s`)
  print(describe('  until 2 s after it', outcomes, backAt))
  await again.stop()
  proxy.stop()
}
