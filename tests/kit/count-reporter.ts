/**
 * Writes the counts of a run, and what failed in it, to a file in the folder that `.ci/run` names. `.ci/run` prints the
 * failures once more at its end, because only the end of a long output is kept.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter } from 'vitest/node'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** file, name and error of each failed test */
  readonly failures: readonly string[]
}

interface Failed {
  readonly message?: string
  readonly diff?: string | undefined
  readonly stack?: string | undefined
}

/** Without the frames of libraries, so that the line of the test is among the first 2,000 characters. */
const describeFailure = (place: string, errors: readonly Failed[] | undefined): string =>
  [place, ...(errors ?? []).flatMap(({ message, diff, stack }) => [stack ?? message ?? '', diff ?? ''])]
    .flatMap((part) => part.split('\n').filter((line) => line !== '' && !/^ +at .*node_modules/.test(line)))
    .join('\n')
    .slice(0, 2_000)

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
        failures: [
          ...tests
            .filter((test) => test.result().state === 'failed')
            .map((test) => describeFailure(`${test.module.relativeModuleId} > ${test.fullName}`, test.result().errors)),
          ...broken.map((module) => describeFailure(module.relativeModuleId, module.errors())),
          ...errors.map((error) => describeFailure('outside a test', [error])),
        ],
      }
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(counts))
    },
  }
}
