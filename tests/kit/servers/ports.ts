/** Free ports on loopback. */
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range from which systems choose ports of outgoing connections (32768 upwards on Linux), so that the port
// of a server which a test has killed is still free when it comes back.
const lowest = 12_000
const highest = 32_000
/** Of vitest, which numbers its processes from 1: each draws from its own range, so that no other one takes a port before it is used. */
const worker = Number(process.env.VITEST_POOL_ID ?? 0)
const workers = 16
const size = Math.floor((highest - lowest) / workers)
const first = lowest + size * (worker % workers)

/**
 * A loopback port that is free at this moment.
 * @throws Error when a hundred tries found none
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = first + Math.floor(Math.random() * size)
    if (await canListen(port)) return port
  }
  throw new Error(`no free port found between ${first} and ${first + size}`)
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
