/** Opens listening sockets. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { errorReason } from '../lib/redact.ts'
import { Failure } from '../project/failure.ts'
import { formatAddress } from './state.ts'

/** A burst of connections fills Node's default of 511 while this process is busy. */
export const backlog = 4096

/** Whether a daemon can listen there. @throws Failure as `listen` */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer()
  await listen(server, host, port, 'server.port in the configuration')
  server.close()
}

/** @param option how to choose another address or port @throws Failure PORT_IN_USE, PORT_REFUSED, HOST_UNKNOWN, LISTEN_FAILED */
export async function listen(server: Server, host: string, port: number, option: string): Promise<number> {
  try {
    await once(server.listen({ host, port, backlog }), 'listening')
  } catch (error) {
    throw listenFailure(error, host, port, option)
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

function listenFailure(error: unknown, host: string, port: number, option: string): Failure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const where = formatAddress(host, port)
  if (code === 'EADDRINUSE') {
    const hint = `Stop it, or choose another port: ${option}. \`ss -ltnp\` shows its process.`
    return new Failure('PORT_IN_USE', `Another program listens on ${where}`, { hint, cause: error })
  }
  if (code === 'EACCES') {
    const hint = `Choose a port above 1023: ${option}; or grant the capability CAP_NET_BIND_SERVICE.`
    return new Failure('PORT_REFUSED', `Not allowed to listen on ${where}`, { hint, cause: error })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const hint = 'Use an address of this machine; 0.0.0.0 and :: mean all of them.'
    return new Failure('HOST_UNKNOWN', `${host} is not an address of this machine`, { hint, cause: error })
  }
  return new Failure('LISTEN_FAILED', `Cannot listen on ${where}: ${errorReason(error)}`, { cause: error })
}
