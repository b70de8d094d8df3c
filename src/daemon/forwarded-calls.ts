/**
 * Calls of the API on the private listener, from the operator's own servers. The supervisor has no configuration, so that it forwards
 * them to a worker: the whole request as one message, and the whole response as another.
 */
import { isRecord } from '../lib/objects.ts'
import type { Daemon } from './daemon.ts'
import type { ForwardedCall, ForwardedResponse } from './messages.ts'
import { listWorkers, queryWorker } from './worker-pool.ts'

/** Longer than any call takes whose parts have deadlines of their own. */
const callTimeoutMs = 60_000

/** Headers of the connection between a server and the supervisor (RFC 9110 §7.6.1), and the token of the private listener. */
const ownHeaders = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The headers of a request that the worker gets. @param raw names and values in turn, as Node has them */
export const forwardedHeaders = (raw: readonly string[]): ForwardedCall['headers'] =>
  raw.flatMap((name, position) =>
    position % 2 === 1 || ownHeaders.has(name.toLowerCase()) ? [] : [[name, raw[position + 1] ?? ''] as const],
  )

/** @returns a function that sends each call to the next worker. @throws Error when no worker responds */
export function createForwarding(daemon: Pick<Daemon, 'pool'>) {
  let turn = 0
  return async (call: ForwardedCall): Promise<ForwardedResponse> => {
    const serving = listWorkers(daemon.pool, 'serving')
    // A worker that got a signal serves until its replacement is ready.
    const workers = serving.length > 0 ? serving : listWorkers(daemon.pool, 'leaving')
    turn += 1
    const worker = workers[turn % workers.length]
    if (!worker) throw new Error('No worker is ready')
    const response = await queryWorker(worker, call, callTimeoutMs)
    if (isForwardedResponse(response)) return response
    throw new Error('The worker sent an unexpected response')
  }
}

const isForwardedResponse = (value: unknown): value is ForwardedResponse =>
  isRecord(value) && typeof value.status === 'number' && Array.isArray(value.headers) && typeof value.body === 'string'
