/** Prints results. */
import { median, type Round } from './load.ts'

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/**
 * Prints one line per call: by CPU time, which is more reliable on a noisy machine, and compared with its baseline of the same round.
 * @param baselines by call; a call without one is a baseline itself
 */
export function printCosts(
  taken: ReadonlyMap<string, readonly Round[]>,
  baselines: Readonly<Record<string, string | undefined>>,
): void {
  print(['call'.padEnd(40), 'per second', ' CPU µs', ' of its baseline', ' failures'].join(' '))
  for (const [name, rounds] of taken) {
    const baseline = taken.get(baselines[name] ?? name) ?? []
    const ratio = median(rounds.map(({ cpu }, round) => cpu / (baseline[round]?.cpu ?? Number.NaN)))
    const figures = [
      median(rounds.map(({ perSecond }) => perSecond))
        .toFixed(0)
        .padStart(10),
      median(rounds.map(({ cpu }) => cpu))
        .toFixed(1)
        .padStart(7),
      ratio.toFixed(2).padStart(16),
      String(rounds.reduce((sum, { failures }) => sum + failures, 0)).padStart(9),
    ]
    print([name.padEnd(40), ...figures].join(' '))
  }
}
