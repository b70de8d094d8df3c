import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createFilter, isBreached } from './breached-passwords.ts'

const passwords: readonly string[] = JSON.parse(
  readFileSync(new URL(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json')), 'utf8'),
)
const shipped = readFileSync(new URL('breached-passwords.bin', import.meta.url))

describe('the shipped list', () => {
  test('equals the output of its script, for any order of the source', () => {
    expect(Buffer.compare(createFilter(passwords), shipped)).toBe(0)
    expect(Buffer.compare(createFilter(passwords.toReversed()), shipped)).toBe(0)
  })
  test('has the size that docs/passwords.md states', () => {
    expect(shipped.readUInt32BE(4)).toBe(passwords.length)
    const docs = readFileSync(new URL('../../docs/passwords.md', import.meta.url), 'utf8')
    expect(docs).toContain(`${passwords.length.toLocaleString('en')} passwords`)
    expect(docs).toContain(`${Math.round(shipped.length / 1000)} kB`)
  })
  test('misses none of its entries', () => {
    expect(passwords.filter((password) => !isBreached(password))).toEqual([])
  })
  test('takes at most one in 20,000 others for listed', () => {
    let wrong = 0
    for (let number = 0; number < 200_000; number += 1) if (isBreached(`correct ${number} horse`)) wrong += 1
    expect(wrong).toBeLessThanOrEqual(10)
  })
})

test.each([
  'password',
  'PASSWORD',
  'Password1',
  'password2024',
  'iloveyou!!',
  'Dragon#123',
  'ｐａｓｓｗｏｒｄ',
  'qwertyuiop',
  '12345678',
])('%s is listed', (password) => expect(isBreached(password)).toBe(true))
test.each(['correct horse battery', 'password of ann', 'dragon-48291', 'xk2!pQ9vLm', 'passwörter', ''])(
  '"%s" is not',
  (password) => expect(isBreached(password)).toBe(false),
)
