import { expect, test } from 'vitest'
import { withDeadline } from './deadline.ts'

test('work that ends in time ends as it ends', async () => {
  await expect(withDeadline(Promise.resolve(1), 10_000, 'late')).resolves.toBe(1)
  await expect(withDeadline(Promise.reject(new Error('failed')), 10_000, 'late')).rejects.toThrow('failed')
})

test('work that takes longer is rejected, and may fail later without anybody minding', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  await expect(withDeadline(promise, 1, 'late')).rejects.toThrow('late')
  reject(new Error('failed later'))
})
