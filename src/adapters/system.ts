/** What a process gets from its runtime: randomness, outbound HTTP and background work. */
import { randomBytes, randomInt } from 'node:crypto'
import { hostname } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger, Metrics, Random } from '../core/ports.ts'

const alphanumeric = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** The operating system's randomness, without bias towards any character of an alphabet. */
export const random: Random = {
  id: () => draw(32, alphanumeric),
  token: (length, alphabet = alphanumeric) => {
    if (alphabet !== alphanumeric) checkAlphabet(alphabet)
    return draw(length, alphabet)
  },
  bytes: (length) => randomBytes(length),
}

/** Identifies this process among all machines, as the holder of a lease: unique, and recognizable for an operator. */
export const createHolderName = (): string => `${hostname()}, process ${process.pid} (${random.token(6)})`

function checkAlphabet(alphabet: string): void {
  if (alphabet.length < 2 || alphabet.length > 256 || new Set(alphabet).size !== alphabet.length)
    throw new Error('An alphabet needs 2 to 256 different characters')
}

const draw = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

const fetchTimeoutMs = 10_000
const maxResponseBytes = 1_048_576

/**
 * Outbound HTTP (ASVS 13.2.4, 15.3.2), limited in time and size, and never redirected to a host that was not configured.
 * @param timeoutMs for tests
 * @returns a `fetch` that rejects after 10 seconds, on a redirect, and on a response above 1 MiB, uncompressed
 */
export function createFetch({ timeoutMs = fetchTimeoutMs } = {}): typeof fetch {
  return async (input, init = {}) => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])])
    const headers = new Headers(init.headers)
    if (!headers.has('user-agent')) headers.set('user-agent', 'latchkey')
    const response = await fetch(input, { ...init, headers, signal, redirect: 'error' })
    return limitSize(response)
  }
}

async function limitSize(response: Response): Promise<Response> {
  if (!response.body) return response
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > maxResponseBytes) throw new RangeError('The response is larger than 1 MiB')
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(Buffer.concat(chunks), { status, statusText, headers })
}

/** Runs tasks that no response waits for, each after the current response is written. A failure is logged and counted. */
export function createBackgroundTasks(log: Logger, metrics: Metrics) {
  const running = new Set<Promise<void>>()
  return {
    add: (task: () => Promise<void>) => {
      const run: Promise<void> = nextTurn()
        .then(task)
        .catch((error: unknown) => {
          metrics.count('unexpected_error')
          log.error({ err: error }, 'A background task failed')
        })
        .finally(() => running.delete(run))
      running.add(run)
    },
    /** Resolves when all tasks have ended, including those that were added while waiting. */
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
