/** Prints results. */
import { median, quantile, type Round } from './load.ts'

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

export type Taken = ReadonlyMap<string, readonly Round[]>

/** The ratios of CPU time, one for each round. */
export const ratiosOf = (taken: Taken, one: string, other: string): number[] =>
  (taken.get(one) ?? []).map(({ cpu }, round) => cpu / (taken.get(other)?.[round]?.cpu ?? Number.NaN))

export const failuresOf = (taken: Taken, ...names: readonly string[]): number =>
  names.flatMap((name) => taken.get(name) ?? []).reduce((sum, { failures }) => sum + failures, 0)

/** Prints one line per pair: the median and the quartiles of the ratios of each round. */
export function printRatios(
  taken: Taken,
  pairs: readonly { readonly name: string; readonly one: string; readonly other: string }[],
): void {
  print(['call'.padEnd(20), 'ratio', ' quartiles    ', 'CPU µs', ' before', ' failures'].join(' '))
  for (const { name, one, other } of pairs) {
    const ratios = ratiosOf(taken, one, other)
    const [cpu, before] = [one, other].map((side) => median((taken.get(side) ?? []).map((round) => round.cpu)).toFixed(1))
    const quartiles = [0.25, 0.75].map((part) => quantile(ratios, part).toFixed(2)).join(' to ')
    const figures = [median(ratios).toFixed(2).padStart(5), quartiles.padEnd(14), cpu?.padStart(6), before?.padStart(7)]
    print([name.padEnd(20), ...figures, String(failuresOf(taken, one, other)).padStart(9)].join(' '))
  }
}
