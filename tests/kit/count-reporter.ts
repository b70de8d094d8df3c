/** Leaves the numbers of a run in a file, for the sum that `.ci/run` prints; `.ci/run` names the folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter } from 'vitest/node'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** @param folder where one file a run is written */
export function countReporter(folder: string): Reporter {
  return {
    onTestRunEnd(modules, errors) {
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      const count = (state: string): number => tests.filter((test) => test.result().state === state).length
      // A file that cannot be read, or a hook that fails, has no failed test of its own and must be seen all the same.
      const broken = modules.filter(
        (module) => module.state() === 'failed' && [...module.children.allTests('failed')].length === 0,
      )
      const counts: Counts = {
        passed: count('passed'),
        failed: count('failed') + broken.length + errors.length,
        skipped: count('skipped'),
      }
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(counts))
    },
  }
}
