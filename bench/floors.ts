/** Starts the servers that calls are compared with: what a call cannot do without, and nothing of ours. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { registerCleanup } from './cleanup.ts'
import type { Target } from './load.ts'

/** @returns its root; it stops at the end of the run */
export async function startFloor(file: 'bare.ts' | 'floor.ts' | 'bare-hashes.ts', ...words: string[]): Promise<Target> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  registerCleanup(async () => void child.kill())
  const [line] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${Number(String(line))}/`, pid: child.pid ?? 0 }
}

export type Floor = 'bare' | 'database' | 'redis' | 'verify' | 'hash'

/** @param database with a session @param headers of a call with a session */
export async function startFloors(
  database: string,
  redis: string,
  headers: Target['headers'] = {},
): Promise<Record<Floor, Target>> {
  const hashes = await startFloor('bare-hashes.ts')
  return {
    bare: await startFloor('bare.ts'),
    database: { ...(await startFloor('floor.ts', database)), headers },
    redis: { ...(await startFloor('floor.ts', database, redis)), headers },
    verify: { ...hashes, url: `${hashes.url}verify`, connections: 1 },
    hash: { ...hashes, url: `${hashes.url}hash`, connections: 1 },
  }
}
