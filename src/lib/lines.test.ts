import { expect, test } from 'vitest'
import { readLines } from './lines.ts'

async function read(...chunks: readonly (string | Buffer)[]) {
  async function* source() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  return Array.fromAsync(readLines(source()))
}

test('lines are the same however the bytes are cut', async () => {
  const bytes = Buffer.from('ä1\n\nzwei\r\n  \ndrei')
  const expected = [
    { number: 1, text: 'ä1', end: 4 },
    { number: 3, text: 'zwei\r', end: 11 },
    { number: 5, text: 'drei', end: 18 },
  ]
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(expected)
  }
})

test('from the end of any line on, the others are the same', async () => {
  const bytes = Buffer.from('ä1\n\nzwei\r\n  \ndrei\n')
  const all = await read(bytes)
  for (const [index, line] of all.entries()) {
    async function* rest() {
      yield bytes.subarray(line.end)
    }
    expect(await Array.fromAsync(readLines(rest(), line))).toEqual(all.slice(index + 1))
  }
  expect(all.at(-1)?.end).toBe(bytes.length)
})

test('a line that is too long, or no UTF-8, has a number and no text', async () => {
  const long = 'x'.repeat(700_000)
  expect(await read('a\n', long, long, '\nb\n', Buffer.from([0xff]), '\nc')).toEqual([
    { number: 1, text: 'a', end: 2 },
    { number: 2, text: null, end: 1_400_003 },
    { number: 3, text: 'b', end: 1_400_005 },
    { number: 4, text: null, end: 1_400_007 },
    { number: 5, text: 'c', end: 1_400_008 },
  ])
})

test('nothing has no lines', async () => {
  expect(await read()).toEqual([])
  expect(await read('')).toEqual([])
})
