/** Writes docs/configuration-reference.md from the schema; `--check` only compares. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { configurationReference } from './configuration-reference.ts'

const file = fileURLToPath(new URL('../docs/configuration-reference.md', import.meta.url))
const text = configurationReference()

if (process.argv.includes('--check')) {
  const written = await readFile(file, 'utf8').catch(() => '')
  if (written !== text) {
    process.stderr.write('docs/configuration-reference.md is not what the schema says: run npm run docs\n')
    process.exitCode = 1
  }
} else {
  await writeFile(file, text)
}
