/**
 * Serves the calls of the private listener, with nothing of the daemon around them. Prints its port.
 *
 * node bench/privileged.ts <database URL>
 */
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createServer } from '../src/http/server.ts'
import { openBenchApp } from './app.ts'

const { app } = await openBenchApp(process.argv[2] ?? '')
const respond = getRequestListener(createServer(app, { reasons: async () => [] }, { isPrivileged: true }).fetch)
const server = createHttpServer((incoming, outgoing) => void respond(incoming, outgoing))
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
