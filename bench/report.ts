/** Prints results. */
import { median, type Round } from './load.ts'

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints one line per call, compared with the baseline of the same round: by CPU time, which is more reliable on a noisy machine, and by speed. */
export function printRatios(taken: ReadonlyMap<string, readonly Round[]>, baseline: string): void {
  const baselines = taken.get(baseline) ?? []
  print(['call'.padEnd(40), 'per second', ' CPU µs', ' ratio by CPU', ' by speed', ' failures'].join(' '))
  for (const [name, rounds] of taken) {
    const byCPU = median(rounds.map(({ cpu }, round) => (baselines[round]?.cpu ?? Number.NaN) / cpu))
    const bySpeed = median(rounds.map(({ perSecond }, round) => perSecond / (baselines[round]?.perSecond ?? Number.NaN)))
    const figures = [
      median(rounds.map(({ perSecond }) => perSecond))
        .toFixed(0)
        .padStart(10),
      median(rounds.map(({ cpu }) => cpu))
        .toFixed(0)
        .padStart(7),
      byCPU.toFixed(3).padStart(13),
      bySpeed.toFixed(3).padStart(9),
      String(rounds.reduce((sum, { failures }) => sum + failures, 0)).padStart(9),
    ]
    print([name.padEnd(40), ...figures].join(' '))
  }
}
