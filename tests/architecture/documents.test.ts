/** Every page and heading that a message refers to exists in docs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSource, root } from './source.ts'

test('every failure code has a heading in the docs', () => {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  const edge = readSource().filter(({ path }) => /^src\/(cli|daemon|migrate|project)\//.test(path))
  const codes = edge.flatMap(({ text }) => [
    ...[...text.matchAll(/new (?:Failure|Migration(?:Fault|Error))\(\s*'([A-Z_]+)'/g)].map(([, code = '']) => code),
    ...[...text.matchAll(/'((?:CONFIG|SECRET_FILE|MAIL)_[A-Z_]+)'/g)].map(([, code = '']) => code),
  ])
  expect(codes.length).toBeGreaterThan(50)
  expect([...new Set(codes)].filter((code) => !page.includes(`## ${code.toLowerCase().replaceAll('_', '-')}\n`))).toEqual([])
})
