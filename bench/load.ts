/** Short rounds of load, and the CPU time that the server needed for them. */
import autocannon from 'autocannon'
import { cpuMicroseconds } from './process.ts'

export interface Round {
  readonly perSecond: number
  /** Microseconds of the server's CPU time per response. */
  readonly cpu: number
  /** Responses other than 2xx, and errors. */
  readonly failures: number
}

export interface Target {
  readonly url: string
  readonly pid: number
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
  /** Each call replaces every `[<id>]` in it by a new string. */
  readonly body?: string
  /** Each call uses the next variant in place of `headers` and `body`. */
  readonly variants?: readonly Pick<Target, 'headers' | 'body'>[]
  /** In place of the concurrent calls of the measurement. */
  readonly connections?: number
}

/** Duration and concurrency of a measurement. */
export interface Effort {
  readonly rounds: number
  /** Duration of a round. */
  readonly seconds: number
  /** Concurrent calls. */
  readonly connections: number
}

export async function loadRound(target: Target, seconds: number, connections: number): Promise<Round> {
  const { url, pid, method = 'GET', headers = {}, body, variants } = target
  const before = cpuMicroseconds(pid)
  const call = { method, headers, ...(body !== undefined && { body, idReplacement: body.includes('[<id>]') }) }
  const requests = variants?.map((variant) => ({ method, headers, ...variant }))
  const concurrency = { connections: target.connections ?? connections, duration: seconds }
  const result = await autocannon({ url, ...call, ...(requests && { requests }), ...concurrency })
  const spent = cpuMicroseconds(pid) - before
  const responses = result['2xx'] + result.non2xx
  return { perSecond: responses / seconds, cpu: spent / Math.max(1, responses), failures: result.non2xx + result.errors }
}

/** Until the compiler has seen enough calls; on a busy machine that takes longer than it does on an idle one. */
async function warmUp(target: Target, connections: number): Promise<void> {
  const before = cpuMicroseconds(target.pid)
  const deadline = performance.now() + 20_000
  while (cpuMicroseconds(target.pid) - before < 2_000_000 && performance.now() < deadline) await loadRound(target, 1, connections)
}

/** Measures every target once per round, so that a slow minute affects all of them; every second round in reverse order. */
export async function interleave(
  targets: Readonly<Record<string, Target>>,
  { rounds, seconds, connections }: Effort,
): Promise<Map<string, Round[]>> {
  const taken = new Map<string, Round[]>(Object.keys(targets).map((name) => [name, []]))
  for (const target of Object.values(targets)) await warmUp(target, connections)
  for (let round = 0; round < rounds; round += 1) {
    const entries = Object.entries(targets)
    for (const [name, target] of round % 2 === 0 ? entries : entries.reverse()) {
      // The system may have reclaimed memory of a target while it was idle.
      await loadRound(target, seconds / 2, connections)
      taken.get(name)?.push(await loadRound(target, seconds, connections))
    }
  }
  return taken
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** @param part from 0, the smallest value, to 1 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
