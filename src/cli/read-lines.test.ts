import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

async function read(...chunks: readonly (string | Buffer)[]) {
  async function* source() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  return Array.fromAsync(readLines(source()))
}

test('lines are the same however the bytes are cut', async () => {
  const bytes = Buffer.from('ä1\n\nzwei\r\n  \ndrei')
  const expected = [
    { number: 1, text: 'ä1' },
    { number: 3, text: 'zwei\r' },
    { number: 5, text: 'drei' },
  ]
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(expected)
  }
})

test('a line that is too long, or no UTF-8, has a number and no text', async () => {
  const long = 'x'.repeat(700_000)
  expect(await read('a\n', long, long, '\nb\n', Buffer.from([0xff]), '\nc')).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: null },
    { number: 3, text: 'b' },
    { number: 4, text: null },
    { number: 5, text: 'c' },
  ])
})

test('nothing has no lines', async () => {
  expect(await read()).toEqual([])
  expect(await read('')).toEqual([])
})
