/** Compares calls with what they cannot do without: a bare `node:http` server, or one that also reads the session. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Daemon, signUp, startDaemon } from './daemon.ts'
import { type Effort, interleave, type Target } from './load.ts'
import { print, printCosts } from './report.ts'
import type { Storage } from './storage.ts'

interface Baseline {
  readonly target: Target
  readonly stop: () => void
}

export async function startBaseline(file: 'bare.ts' | 'floor.ts', ...words: string[]): Promise<Baseline> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { target: { url: `http://127.0.0.1:${Number(String(line))}/`, pid: child.pid ?? 0 }, stop: () => child.kill() }
}

/** Each call, and the baseline that it is compared with. */
const comparisons = {
  '/ok': 'bare node:http',
  'get-session, database': 'floor, database',
  'get-session, database; limits in Redis': 'floor, database',
  'get-session, cookie cache and its check': 'floor, Redis',
  'the same; limits in Redis': 'floor, Redis',
}

const getSession = async (daemon: Daemon) => {
  const cookie = await signUp(daemon, 'bench@example.com', 'correct horse battery')
  return { url: `${daemon.url}/get-session`, pid: daemon.pid, headers: { cookie } }
}

/** Measures start time, memory, and the CPU time of each call. */
export async function measureCalls({ freshDatabase, redis }: Storage, effort: Effort): Promise<void> {
  const database = await freshDatabase()
  const plain = await startDaemon({ database })
  const shared = await startDaemon({ database: await freshDatabase(), redis })
  const cached = await startDaemon({ database: await freshDatabase(), redis, cookieCache: true })
  const cachedOnly = await startDaemon({ database: await freshDatabase(), redis, cookieCache: true, limits: 'memory' })
  const fromRows = await getSession(plain)
  const fromCopy = await getSession(cachedOnly)
  const bare = await startBaseline('bare.ts')
  const floor = await startBaseline('floor.ts', database)
  const cachedFloor = await startBaseline('floor.ts', database, redis)
  try {
    print(`start --detach until the first response: ${plain.startTime.toFixed(0)} ms`)
    print(`memory of one worker at rest: ${plain.memory()}`)
    const targets = {
      'bare node:http': bare.target,
      'floor, database': { ...floor.target, headers: fromRows.headers },
      'floor, Redis': { ...cachedFloor.target, headers: fromCopy.headers },
      '/ok': { url: `${plain.url}/ok`, pid: plain.pid },
      'get-session, database': fromRows,
      'get-session, database; limits in Redis': await getSession(shared),
      'get-session, cookie cache and its check': fromCopy,
      'the same; limits in Redis': await getSession(cached),
    }
    printCosts(await interleave(targets, effort), comparisons)
    print(`memory of one worker under load: ${plain.memory()}; with cookie cache: ${cached.memory()}`)
  } finally {
    for (const { stop } of [bare, floor, cachedFloor]) stop()
    for (const daemon of [plain, shared, cached, cachedOnly]) await daemon.stop()
  }
}
