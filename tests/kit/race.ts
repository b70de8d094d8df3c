/** Sends concurrent identical calls, to one daemon or to two daemons with the same database. */
import { expect, inject } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { type TestApp, type TestOptions, testApp } from './app.ts'
import type { Answer, Browser } from './browser.ts'

/** Concurrent calls. */
export const many = 64

/** A SQLite in memory has one daemon. */
export const places = inject('servers') === null ? (['one daemon'] as const) : (['one daemon', 'two daemons'] as const)
type Place = 'one daemon' | 'two daemons'

export interface Racers extends TestApp {
  /** As many browsers as there are calls, at the daemons in turn; with the cookies of `owner`, or without any. */
  browsers(owner?: Browser): readonly Browser[]
}

export async function openRacers(place: Place, config: ConfigFile = {}, options: TestOptions = {}): Promise<Racers> {
  const kit = await testApp(config, options)
  const daemons = place === 'two daemons' ? [kit, await kit.another()] : [kit]
  const browsers = (owner?: Browser) =>
    Array.from({ length: many }, (_, count) => {
      const browser = (daemons[count % daemons.length] ?? kit).browser()
      for (const [name, value] of owner?.cookies ?? []) browser.cookies.set(name, value)
      return browser
    })
  return { ...kit, browsers }
}

/** Sends all calls concurrently. @param call gets the position of its browser too */
export const race = (
  browsers: readonly Browser[],
  call: (browser: Browser, position: number) => Promise<Answer>,
): Promise<Answer[]> => Promise.all(browsers.map(call))

const outcome = ({ status, body }: Answer): string => [status, body?.code].filter(Boolean).join(' ')

/** How often each status came, with its code. */
export function tally(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[outcome(answer)] = (counts[outcome(answer)] ?? 0) + 1
  return counts
}

/**
 * One call succeeds, and each other one gets one of these responses.
 * @param losers status and code, such as `400 INVALID_TOKEN`
 * @returns the position of the one that succeeded
 */
export function expectOneWinner(answers: readonly Answer[], ...losers: readonly string[]): number {
  const { 200: winners, ...others } = tally(answers)
  expect(winners, JSON.stringify(others)).toBe(1)
  for (const outcome of Object.keys(others)) expect(losers).toContain(outcome)
  return answers.findIndex(({ status }) => status === 200)
}
