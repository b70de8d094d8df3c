/** One short round of load on one address, and what the server's processes spent on it. */
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
  readonly body?: string
}

/** @param seconds length of the round; @param connections calls at once */
export async function loadRound(target: Target, seconds: number, connections: number): Promise<Round> {
  const { url, pid, method = 'GET', headers = {}, body } = target
  const before = cpuMicroseconds(pid)
  const result = await autocannon({ url, method, headers, connections, duration: seconds, ...(body !== undefined && { body }) })
  const spent = cpuMicroseconds(pid) - before
  const answers = result['2xx'] + result.non2xx
  return { perSecond: answers / seconds, cpu: spent / Math.max(1, answers), failures: result.non2xx + result.errors }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
