/** Compares each standard call with what it cannot do without, with its aim, and with the ratio of `baseline.json`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { ownRoot } from './daemon.ts'
import { startFloors } from './floors.ts'
import { type Effort, interleave, median, type Target } from './load.ts'
import { failuresOf, print, ratiosOf, type Taken } from './report.ts'
import { type CallName, openCalls, standardCalls } from './standard-calls.ts'
import type { Storage } from './storage.ts'

const file = new URL('baseline.json', import.meta.url)
/** A ratio above this part of the recorded one fails the check. */
const tolerance = 1.25

interface Baseline {
  readonly date: string
  readonly node: string
  /** CPU time of each call, compared with its floor. */
  readonly ratios: Partial<Record<CallName, number>>
}

const readBaseline = (): Baseline => JSON.parse(readFileSync(file, 'utf8'))

/** Start time, memory, and the CPU time of each call. @returns the ratios */
export async function measureCalls(storage: Storage, effort: Effort, calls: readonly CallName[]): Promise<Baseline['ratios']> {
  const { plain, targets } = await openCalls(storage, { name: 'this source', root: ownRoot, options: {} }, calls)
  print(`start --detach until the first response: ${plain.daemon.startTime.toFixed(0)} ms`)
  print(`memory of one worker at rest: ${plain.daemon.memory()}`)
  const floors = await startFloors(plain.database, storage.redis, plain.session)
  const needed = new Set(calls.map((name) => standardCalls[name].floor))
  const compared: Record<string, Target> = Object.fromEntries([...needed].map((name) => [floorName(name), floors[name]]))
  const taken = await interleave({ ...compared, ...targets }, effort)
  print(
    `CPU time per call, compared with its floor (${effort.rounds} rounds of ${effort.seconds} s, load ${loadavg()[0]?.toFixed(1)})`,
  )
  printCalls(taken, calls)
  print(`memory of one worker under load: ${plain.daemon.memory()}`)
  return Object.fromEntries(calls.map((name) => [name, Number(ratioOf(taken, name).toFixed(2))]))
}

/** @returns whether no call became slower than the baseline permits */
export function checkBaseline(ratios: Baseline['ratios']): boolean {
  const slower = Object.entries(readBaseline().ratios).filter(
    ([name, recorded]) => (ratios[name as CallName] ?? 0) > recorded * tolerance,
  )
  for (const [name, recorded] of slower)
    print(`${name} is above ${(recorded * tolerance).toFixed(2)}, the limit for its baseline`)
  return slower.length === 0
}

export function writeBaseline(ratios: Baseline['ratios'], now: Date): void {
  const recorded: Baseline = {
    date: now.toISOString().slice(0, 10),
    node: process.version,
    ratios: { ...readBaseline().ratios, ...ratios },
  }
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
}

const floorName = (floor: string): string => `floor: ${floor}`
const ratioOf = (taken: Taken, name: CallName): number => median(ratiosOf(taken, name, floorName(standardCalls[name].floor)))

function printCalls(taken: Taken, calls: readonly CallName[]): void {
  const { ratios } = readBaseline()
  for (const name of calls) {
    const { floor, ...call } = standardCalls[name]
    const cpu = median((taken.get(name) ?? []).map((round) => round.cpu)).toFixed(1)
    const failures = failuresOf(taken, name, floorName(floor))
    const aim = 'aim' in call ? `aim ${call.aim.toFixed(2)}, ` : ''
    print(
      `${name}: ${ratioOf(taken, name).toFixed(2)} of ${floor} (${aim}recorded ${ratios[name] ?? 'none'}); ${cpu} µs; failures: ${failures}`,
    )
  }
}
