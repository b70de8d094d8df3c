import { expect, test } from 'vitest'
import { csv } from './index.ts'

const textOf = async (rows: readonly object[]) => (await csv.encode(rows)).text()

test('writes a line per row, with the columns of all rows', async () => {
  const rows = [
    { id: 'a', role: null },
    { id: 'b', plan: { seats: 2 } },
  ]
  expect(await textOf(rows)).toBe('id,role,plan\r\na,,\r\nb,,"{""seats"":2}"\r\n')
})

test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx'])('writes %j so that no spreadsheet runs it', async (name) => {
  expect(await textOf([{ name }])).toBe(`name\r\n"'${name}"\r\n`)
})
