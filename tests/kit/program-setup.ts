/** Runs once before the project that starts processes: builds the program that they run. */
import type { TestProject } from 'vitest/node'
import { buildProgram } from './program.ts'

export default async function setup(project: TestProject): Promise<void> {
  project.provide('program', await buildProgram())
}
