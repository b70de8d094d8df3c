/** Pages of docs that messages point to say something about everything they are pointed to for. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSource, root } from './source.ts'

test('every code of a failing command has its heading', () => {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  const edge = readSource().filter(({ path }) => /^src\/(cli|daemon|migrate)\//.test(path))
  const codes = edge.flatMap(({ text }) => [
    ...[...text.matchAll(/new (?:CliFailure|MigrationFault)\(\s*'([A-Z_]+)'/g)].map(([, code = '']) => code),
    ...[...text.matchAll(/'((?:CONFIG|SECRET_FILE|MAIL)_[A-Z_]+)'/g)].map(([, code = '']) => code),
  ])
  expect(codes.length).toBeGreaterThan(50)
  expect([...new Set(codes)].filter((code) => !page.includes(`## ${code.toLowerCase().replaceAll('_', '-')}\n`))).toEqual([])
})
