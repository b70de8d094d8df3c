/** A proxy in front of a server that can stop forwarding without closing connections, or close them. */
import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

export interface Proxy {
  readonly port: number
  /** Passes nothing on any more; new connections are taken and left without an answer. */
  freeze(): void
  /** Closes all connections, and every new one immediately. */
  cut(): void
  /** Works again, for new connections. */
  thaw(): void
  close(): Promise<void>
}

export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  let isCut = false
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    if (isCut) return void client.destroy()
    if (isFrozen) return
    const upstream = createConnection(target, '127.0.0.1')
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (data) => isFrozen || upstream.write(data))
    upstream.on('data', (data) => isFrozen || client.write(data))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  return {
    port: address.port,
    freeze() {
      isFrozen = true
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    thaw() {
      isFrozen = false
      isCut = false
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
