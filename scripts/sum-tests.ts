/** Prints the failures, then `N passed, N failed`: of all runs that tests/kit/count-reporter.ts has left in the folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Counts } from '../tests/kit/count-reporter.ts'

const [folder = '.'] = process.argv.slice(2)
const runs = readdirSync(folder).map((name): Counts => JSON.parse(readFileSync(join(folder, name), 'utf8')))
const sum = (name: 'passed' | 'failed' | 'skipped'): number => runs.reduce((total, run) => total + run[name], 0)

for (const run of runs) for (const failure of run.failures) console.log(`FAILED: ${failure}\n`)
if (sum('skipped') > 0) console.log(`${sum('skipped')} skipped`)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
