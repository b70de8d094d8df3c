import { expect, test } from 'vitest'
import { memo } from './app.ts'

test('a value that could not be created is not kept, also when its promise is rejected', async () => {
  const app = { memo: new Map() }
  let calls = 0
  const value = memo(async (_: typeof app) => {
    calls += 1
    if (calls === 1) throw new Error('too many open files')
    return calls
  })
  await expect(value(app)).rejects.toThrow('too many open files')
  expect([await value(app), await value(app)]).toEqual([2, 2])
})
