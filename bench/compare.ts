/** Compares the CPU time of the standard calls between two sources, or between two configurations of this one. */
import { loadavg } from 'node:os'
import { acceptsOptions, ownRoot } from './daemon.ts'
import { features, optionsOf } from './features.ts'
import { type Effort, interleave, type Round, type Target } from './load.ts'
import { print, printRatios } from './report.ts'
import { checkOut } from './revision.ts'
import { type CallName, type Installation, openCalls } from './standard-calls.ts'
import type { Storage } from './storage.ts'

interface Comparison {
  readonly effort: Effort
  /** How often the daemons of both are started: two of the same source differ by up to a tenth. */
  readonly starts: number
  readonly calls: readonly CallName[]
}

export async function compareRevision(storage: Storage, revision: string, comparison: Comparison): Promise<void> {
  const root = await checkOut(revision)
  // They are not built in the other source, and no standard call needs them.
  const options = { dashboard: '{ enabled: false }' }
  const before: Installation = { name: revision, root, options: (await acceptsOptions({ root, options })) ? options : {} }
  await compare(storage, [before, { name: 'this source', root: ownRoot, options }], comparison)
}

/** @param names of features, or `all` of them together, or `each` of them */
export async function compareFeatures(storage: Storage, names: string, comparison: Comparison): Promise<void> {
  for (const name of names === 'each' ? Object.keys(features) : names.split(',')) {
    const plain: Installation = { name: 'only email and password', root: ownRoot, options: {} }
    await compare(storage, [plain, { name: `${name} in addition`, root: ownRoot, options: optionsOf(name) }], comparison)
  }
}

async function compare(
  storage: Storage,
  [before, after]: readonly [Installation, Installation],
  { effort, starts, calls }: Comparison,
): Promise<void> {
  const taken = new Map<string, Round[]>()
  let names: readonly CallName[] = calls
  for (let start = 0; start < starts; start += 1) {
    const known = await openCalls(storage, before, names)
    names = names.filter((name) => known.targets[name])
    const { targets, stop } = await openCalls(storage, after, names)
    const pairs = names.flatMap((name): [string, Target | undefined][] => [
      [`${name}, ${before.name}`, known.targets[name]],
      [`${name}, ${after.name}`, targets[name]],
    ])
    const together = Object.fromEntries(pairs.flatMap(([name, target]) => (target ? [[name, target]] : [])))
    for (const [name, rounds] of await interleave(together, effort)) taken.set(name, [...(taken.get(name) ?? []), ...rounds])
    await known.stop()
    await stop()
  }
  const rounds = `${starts} x ${effort.rounds} rounds of ${effort.seconds} s, load ${loadavg()[0]?.toFixed(1)}`
  print(`CPU time per call of ${after.name}, compared with ${before.name} (${rounds})`)
  printRatios(
    taken,
    names.map((name) => ({ name, one: `${name}, ${after.name}`, other: `${name}, ${before.name}` })),
  )
}
