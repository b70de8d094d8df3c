import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { originOf, readEnvironment } from './environment.ts'

function fileWith(text: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'value')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

describe('a value of the environment', () => {
  test('is the variable itself', () => {
    expect(readEnvironment({ NAME: 'value' }, 'NAME')).toBe('value')
  })
  test('is the content of the file that NAME_FILE names, without the newline at its end', () => {
    expect(readEnvironment({ NAME_FILE: fileWith('value\n') }, 'NAME')).toBe('value')
    expect(readEnvironment({ NAME_FILE: fileWith('value\r\n') }, 'NAME')).toBe('value')
    expect(readEnvironment({ NAME_FILE: fileWith(' value \n\n') }, 'NAME')).toBe(' value \n')
  })
  test('is undefined when neither is set, or the variable is empty', () => {
    expect(readEnvironment({}, 'NAME')).toBeUndefined()
    expect(readEnvironment({ NAME: '' }, 'NAME')).toBeUndefined()
  })
  test('may not be given in both forms', () => {
    expect(() => readEnvironment({ NAME: 'a', NAME_FILE: fileWith('b') }, 'NAME')).toThrow(
      expect.objectContaining({ code: 'SECRET_FILE_AMBIGUOUS', exitCode: 8 }),
    )
  })
  test('reports which form is set', () => {
    expect(originOf({ NAME: 'a' }, 'NAME')).toBe('environment NAME')
    expect(originOf({ NAME_FILE: 'a' }, 'NAME')).toBe('environment NAME_FILE')
  })
})

describe('a secret file', () => {
  const read = (path: string) => () => readEnvironment({ NAME_FILE: path }, 'NAME')
  test('is rejected when all users can read it, and the hint has the command', () => {
    const path = fileWith('very secret', 0o644)
    expect(read(path)).toThrow(
      expect.objectContaining({ code: 'SECRET_FILE_EXPOSED', hint: expect.stringContaining(`chmod 600 ${path}`) }),
    )
    expect(read(path)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('very secret') }))
  })
  test('may be read by its group', () => {
    expect(read(fileWith('value', 0o640))()).toBe('value')
  })
  test('must exist', () => {
    expect(read('/nowhere/at/all')).toThrow(expect.objectContaining({ code: 'SECRET_FILE_MISSING' }))
  })
  test('must be a file', () => {
    const folder = `${fileWith('x')}.d`
    mkdirSync(folder)
    expect(read(folder)).toThrow(expect.objectContaining({ code: 'SECRET_FILE_FORM' }))
  })
  test('must be small', () => {
    expect(read(fileWith('x'.repeat(65_537)))).toThrow(expect.objectContaining({ code: 'SECRET_FILE_FORM' }))
  })
})
