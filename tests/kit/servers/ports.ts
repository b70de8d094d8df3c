/** Free ports on loopback. */
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range from which systems choose ports of outgoing connections (32768 upwards on Linux), so that the port
// of a server which a test has killed is still free when it comes back.
const lowest = 12_000
const highest = 32_000

/**
 * A loopback port that is free at this moment.
 * @throws Error when a hundred tries found none
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await canListen(port)) return port
  }
  throw new Error(`no free port found between ${lowest} and ${highest}`)
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
