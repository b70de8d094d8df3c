import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSources } from '../project/option-place.ts'
import { findChange } from './installation.ts'

function project() {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-sources-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'auth.config.ts')
  writeFileSync(file, 'export default {}')
  return { directory, file }
}

test('finds when the configuration was changed after it was loaded', async () => {
  const { directory, file } = project()
  const sources = readSources(file, directory)
  expect(await findChange(sources)).toBeNull()
  const changedAt = new Date('2026-03-01T10:00:00Z')
  writeFileSync(file, 'export default { appName: "Acme" }')
  utimesSync(file, changedAt, changedAt)
  expect(await findChange(sources)).toEqual(changedAt)
})

test('ignores a file that was saved without a change', async () => {
  const { directory, file } = project()
  const sources = readSources(file, directory)
  writeFileSync(file, 'export default {}')
  expect(await findChange(sources)).toBeNull()
})

test.each(['auth.config.ts', '.env'])('notices that %s appeared or disappeared', async (name) => {
  const { directory, file } = project()
  const before = readSources(file, directory)
  if (name === '.env') writeFileSync(join(directory, name), 'A=1')
  else rmSync(file)
  expect(await findChange(before)).toBeInstanceOf(Date)
})
