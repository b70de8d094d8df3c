import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeFileAtomically } from './atomic-file.ts'

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atomic-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('replaces a file and its mode, and leaves no other file', () => {
  const folder = freshFolder()
  const path = join(folder, 'state.json')
  writeFileAtomically(path, 'first')
  writeFileAtomically(path, 'second', { mode: 0o600, isDurable: true })
  expect(readFileSync(path, 'utf8')).toBe('second')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test('leaves no temporary file when the target cannot be replaced', () => {
  const folder = freshFolder()
  mkdirSync(join(folder, 'target', 'full'), { recursive: true })
  expect(() => writeFileAtomically(join(folder, 'target'), 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(readdirSync(folder)).toEqual(['target'])
})
