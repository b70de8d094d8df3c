/** Compares the CPU time of the standard calls between two sources, or between two configurations of this one. */
import { loadavg } from 'node:os'
import { acceptsOptions, ownRoot } from './daemon.ts'
import { type Effort, interleave, type Target } from './load.ts'
import { print, printRatios } from './report.ts'
import { checkOut } from './revision.ts'
import { type CallName, type Installation, openCalls } from './standard-calls.ts'
import type { Storage } from './storage.ts'

interface Comparison {
  readonly effort: Effort
  readonly calls: readonly CallName[]
}

export async function compareRevision(storage: Storage, revision: string, comparison: Comparison): Promise<void> {
  const root = await checkOut(revision)
  // They are not built in the other source, and no standard call needs them.
  const options = { dashboard: '{ enabled: false }' }
  const before: Installation = { name: revision, root, options: (await acceptsOptions({ root, options })) ? options : {} }
  await compare(storage, [before, { name: 'this source', root: ownRoot, options }], comparison)
}

async function compare(
  storage: Storage,
  [before, after]: readonly [Installation, Installation],
  { effort, calls }: Comparison,
): Promise<void> {
  const known = await openCalls(storage, before, calls)
  const names = calls.filter((name) => known.targets[name])
  const { targets } = await openCalls(storage, after, names)
  const pairs = names.flatMap((name): [string, Target | undefined][] => [
    [`${name}, ${before.name}`, known.targets[name]],
    [`${name}, ${after.name}`, targets[name]],
  ])
  const taken = await interleave(Object.fromEntries(pairs.flatMap(([name, target]) => (target ? [[name, target]] : []))), effort)
  const rounds = `${effort.rounds} rounds of ${effort.seconds} s, load ${loadavg()[0]?.toFixed(1)}`
  print(`CPU time per call of ${after.name}, compared with ${before.name} (${rounds})`)
  printRatios(
    taken,
    names.map((name) => ({ name, one: `${name}, ${after.name}`, other: `${name}, ${before.name}` })),
  )
}
