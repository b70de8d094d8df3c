/** Short rounds of load, and what the server's processes spent on them. */
import autocannon from 'autocannon'
import { cpuMicroseconds } from './process.ts'

export interface Round {
  readonly perSecond: number
  /** Microseconds of the server's processor time for each answer. */
  readonly cpu: number
  /** Answers that were no success. */
  readonly failures: number
}

export interface Target {
  readonly url: string
  readonly pid: number
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
  /** Every `[<id>]` in it is another text with each call. */
  readonly body?: string
  /** Of which each call takes the next, in place of what stands above. */
  readonly variants?: readonly Pick<Target, 'headers' | 'body'>[]
}

/** How long and how hard. */
export interface Effort {
  readonly rounds: number
  /** Length of a round. */
  readonly seconds: number
  /** Calls at once. */
  readonly connections: number
}

export async function loadRound(target: Target, seconds: number, connections: number): Promise<Round> {
  const { url, pid, method = 'GET', headers = {}, body, variants } = target
  const before = cpuMicroseconds(pid)
  const call = { method, headers, ...(body !== undefined && { body, idReplacement: body.includes('[<id>]') }) }
  const requests = variants?.map((variant) => ({ method, headers, ...variant }))
  const result = await autocannon({ url, ...call, ...(requests && { requests }), connections, duration: seconds })
  const spent = cpuMicroseconds(pid) - before
  const answers = result['2xx'] + result.non2xx
  return { perSecond: answers / seconds, cpu: spent / Math.max(1, answers), failures: result.non2xx + result.errors }
}

/** Every target once in a round, so that a slow minute strikes all of them. */
export async function interleave(
  targets: Readonly<Record<string, Target>>,
  { rounds, seconds, connections }: Effort,
): Promise<Map<string, Round[]>> {
  const taken = new Map<string, Round[]>(Object.keys(targets).map((name) => [name, []]))
  for (const target of Object.values(targets)) await loadRound(target, 1, connections)
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, target] of Object.entries(targets)) taken.get(name)?.push(await loadRound(target, seconds, connections))
  }
  return taken
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
