/** Runs once before the project that starts processes: builds the program that they run. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { buildProgram } from './program.ts'

export default async function setup(project: TestProject): Promise<void> {
  // Nothing happens when it is up to date.
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build-dashboard.ts', import.meta.url))], {
    stdio: 'inherit',
  })
  project.provide('program', await buildProgram())
}
