/** Prints the files that took longest at the end of a run, so that a slow one is seen when it is written. */
import type { Reporter } from 'vitest/node'

const count = 20

export const slowestReporter: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length < count) return
    const times = modules.map((module) => {
      const { collectDuration, duration, setupDuration } = module.diagnostic()
      return {
        name: `${module.project.name}  ${module.relativeModuleId}`,
        seconds: (collectDuration + duration + setupDuration) / 1000,
      }
    })
    const all = times.reduce((sum, { seconds }) => sum + seconds, 0)
    console.log(`\nThe ${count} slowest of ${times.length} files, which took ${all.toFixed(0)} s together:`)
    for (const { name, seconds } of times.toSorted((one, other) => other.seconds - one.seconds).slice(0, count))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
  },
}
