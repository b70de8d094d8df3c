/**
 * Takes the figures: short rounds, interleaved, each against the anchor of the same round; medians of ratios. The machines
 * are noisy, so processor time for each call says more than calls per second.
 *
 * npm run bench [-- --rounds 7 --seconds 2]
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { startMariaDB, startRedis } from '../tests/kit/servers/index.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { loadRound, median, type Round, type Target } from './load.ts'
import { residentMiB } from './process.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '2' } } })
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const run = promisify(execFile)
const print = (line: string) => process.stdout.write(`${line}\n`)

const credentials = { email: 'bench@example.com', password: 'correct horse battery' }
const json = { 'content-type': 'application/json' }

async function signUp({ url }: Daemon): Promise<string> {
  const response = await fetch(`${url}/sign-up/email`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: 'Bench', ...credentials }),
  })
  if (!response.ok) throw new Error(`sign-up was refused: ${response.status} ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function startBare(): Promise<{ target: Target; stop: () => void }> {
  const child = spawn(process.execPath, [path('bare.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { target: { url: `http://127.0.0.1:${Number(String(line))}/`, pid: child.pid ?? 0 }, stop: () => child.kill() }
}

/** Every target once in a round, the anchor first and last, so that a slow minute strikes all of them. */
async function interleave(targets: Readonly<Record<string, Target>>): Promise<Map<string, Round[]>> {
  const taken = new Map<string, Round[]>(Object.keys(targets).map((name) => [name, []]))
  for (const target of Object.values(targets)) await loadRound(target, 1, 16)
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, target] of Object.entries(targets)) taken.get(name)?.push(await loadRound(target, seconds, 16))
  }
  return taken
}

function report(taken: Map<string, Round[]>, anchor: string): void {
  const anchors = taken.get(anchor) ?? []
  print(
    `${'call'.padEnd(28)}${'per second'.padStart(12)}${'CPU µs'.padStart(9)}${'ratio by CPU'.padStart(14)}${'by speed'.padStart(10)}${'failures'.padStart(10)}`,
  )
  for (const [name, list] of taken) {
    const byCPU = median(list.map(({ cpu }, round) => (anchors[round]?.cpu ?? Number.NaN) / cpu))
    const bySpeed = median(list.map(({ perSecond }, round) => perSecond / (anchors[round]?.perSecond ?? Number.NaN)))
    const failures = list.reduce((sum, round) => sum + round.failures, 0)
    const figures = [
      median(list.map(({ perSecond }) => perSecond))
        .toFixed(0)
        .padStart(12),
      median(list.map(({ cpu }) => cpu))
        .toFixed(0)
        .padStart(9),
    ]
    print(
      `${name.padEnd(28)}${figures.join('')}${byCPU.toFixed(3).padStart(14)}${bySpeed.toFixed(3).padStart(10)}${String(failures).padStart(10)}`,
    )
  }
}

async function measureSignIn(daemon: Daemon): Promise<void> {
  const target: Target = {
    url: `${daemon.url}/sign-in/email`,
    pid: daemon.pid,
    method: 'POST',
    headers: json,
    body: JSON.stringify(credentials),
  }
  const ratios: number[] = []
  let implementation = ''
  for (let round = 0; round < rounds; round += 1) {
    const bare: { implementation: string; microseconds: number } = JSON.parse(
      (await run(process.execPath, [path('verify.ts'), '40'])).stdout,
    )
    // One at a time, as the bare ones: two hashes at once slow each other down by sharing memory.
    const signIn = await loadRound(target, seconds, 1)
    ratios.push(signIn.cpu / bare.microseconds)
    implementation = bare.implementation
  }
  print(`sign-in against a bare verify by ${implementation}: ${median(ratios).toFixed(2)} of its CPU`)
}

async function measureHelp(): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    await run(process.execPath, [path('../bin/latchkey.js'), '--help'])
    times.push(performance.now() - started)
  }
  print(`latchkey --help: ${median(times).toFixed(0)} ms`)
}

const memory = (daemon: Daemon) => daemon.workers.map((pid) => `${residentMiB(pid).toFixed(0)} MiB`).join(', ')

const started: { stop: () => unknown }[] = []
try {
  const server = await startMariaDB()
  started.push(server)
  const redis = await startRedis()
  started.push(redis)
  const bare = await startBare()
  started.push(bare)
  const database = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(server.url)
  await connection.query('create database plain')
  await connection.query('create database cached')
  await connection.end()
  const plain = await startDaemon(database('plain'), null)
  started.push(plain)
  const cached = await startDaemon(database('cached'), redis.url)
  started.push(cached)
  print(`start --detach until it answers: ${plain.startTime.toFixed(0)} ms`)
  print(`memory of one worker at rest: ${memory(plain)}`)
  const [cookie, otherCookie] = [await signUp(plain), await signUp(cached)]
  const targets = {
    'bare node:http': bare.target,
    '/ok': { url: `${plain.url}/ok`, pid: plain.pid },
    'get-session, database': { url: `${plain.url}/get-session`, pid: plain.pid, headers: { cookie } },
    'get-session, with Redis': { url: `${cached.url}/get-session`, pid: cached.pid, headers: { cookie: otherCookie } },
  }
  report(await interleave(targets), 'bare node:http')
  print(`memory of one worker under load: ${memory(plain)}; with Redis: ${memory(cached)}`)
  await measureSignIn(plain)
  await measureHelp()
} finally {
  for (const part of started.reverse()) await part.stop()
}
