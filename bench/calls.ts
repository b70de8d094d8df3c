/** Compares calls with a bare `node:http` server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Daemon, signUp, startDaemon } from './daemon.ts'
import { type Effort, interleave, type Target } from './load.ts'
import { print, printRatios } from './report.ts'
import type { Storage } from './storage.ts'

const baseline = 'bare node:http'

async function startBare(): Promise<{ target: Target; stop: () => void }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('bare.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { target: { url: `http://127.0.0.1:${Number(String(line))}/`, pid: child.pid ?? 0 }, stop: () => child.kill() }
}

const getSession = async (daemon: Daemon): Promise<Target> => {
  const cookie = await signUp(daemon, 'bench@example.com', 'correct horse battery')
  return { url: `${daemon.url}/get-session`, pid: daemon.pid, headers: { cookie } }
}

/** Measures start time, memory, and the CPU time of each call. */
export async function measureCalls({ freshDatabase, redis }: Storage, effort: Effort): Promise<void> {
  const bare = await startBare()
  const plain = await startDaemon({ database: await freshDatabase() })
  const shared = await startDaemon({ database: await freshDatabase(), redis })
  const cached = await startDaemon({ database: await freshDatabase(), redis, cookieCache: true })
  const cachedOnly = await startDaemon({ database: await freshDatabase(), redis, cookieCache: true, limits: 'memory' })
  try {
    print(`start --detach until the first response: ${plain.startTime.toFixed(0)} ms`)
    print(`memory of one worker at rest: ${plain.memory()}`)
    const targets = {
      [baseline]: bare.target,
      '/ok': { url: `${plain.url}/ok`, pid: plain.pid },
      'get-session, database': await getSession(plain),
      'get-session, database; limits in Redis': await getSession(shared),
      'get-session, cookie cache and its check': await getSession(cachedOnly),
      'the same; limits in Redis': await getSession(cached),
    }
    printRatios(await interleave(targets, effort), baseline)
    print(`memory of one worker under load: ${plain.memory()}; with cookie cache: ${cached.memory()}`)
  } finally {
    bare.stop()
    for (const daemon of [plain, shared, cached, cachedOnly]) await daemon.stop()
  }
}
