/** The conformance statement names only checks that exist. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checked, criteria, inspections } from '../tests/browser/criteria.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('every inspection is made of every page and state', () => {
  const [source, runner] = [read('tests/browser/inspection.ts'), read('tests/browser/accessibility.ts')]
  for (const name of Object.keys(inspections)) {
    expect(source).toContain(`export async function ${name}(`)
    // In the first view in every language, and in each state.
    expect(runner.split(`await ${name}(`).length - 1, name).toBeGreaterThanOrEqual(2)
  }
})

test('every journey is a test, and every criterion exists', () => {
  for (const [criterion, checks] of Object.entries(checked)) {
    expect(criteria).toHaveProperty([criterion])
    for (const check of checks) if (typeof check !== 'string') expect(read(check.file)).toContain(`test('${check.test}'`)
  }
})
