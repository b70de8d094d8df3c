import { describe, expect, test } from 'vitest'
import { createBoundedQueue, withDeadline } from './async.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a bounded queue', () => {
  test('runs as many tasks concurrently as allowed, and the others in order of arrival', async () => {
    const queue = createBoundedQueue(2, 10)
    const started: number[] = []
    const finish: (() => void)[] = []
    const works = Array.from({ length: 5 }, (_, index) =>
      queue.run(() => {
        started.push(index)
        return new Promise<void>((resolve) => finish.push(resolve))
      }),
    )
    await settled()
    expect(started).toEqual([0, 1])
    expect(queue.size()).toBe(5)
    finish[1]?.()
    await settled()
    expect(started).toEqual([0, 1, 2])
    for (let index = 0; index < 5; index += 1) {
      finish[index]?.()
      await settled()
    }
    await Promise.all(works)
    expect(started).toEqual([0, 1, 2, 3, 4])
    expect(queue.size()).toBe(0)
  })
  test('rejects tasks beyond its bound, and accepts them again when there is room', async () => {
    const queue = createBoundedQueue(1, 1)
    let finish = () => {}
    const first = queue.run(() => new Promise<void>((resolve) => (finish = resolve)))
    const second = queue.run(async () => 'second')
    expect(queue.isFull()).toBe(true)
    await expect(queue.run(async () => 'third')).rejects.toThrow('full')
    finish()
    await first
    await expect(second).resolves.toBe('second')
    await expect(queue.run(async () => 'fourth')).resolves.toBe('fourth')
  })
  test('frees the slot when a task fails', async () => {
    const queue = createBoundedQueue(1, 0)
    await expect(queue.run(async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    await expect(queue.run(async () => 1)).resolves.toBe(1)
  })
})

test('a deadline passes on a result or failure that comes in time', async () => {
  await expect(withDeadline(Promise.resolve(1), 10_000, 'late')).resolves.toBe(1)
  await expect(withDeadline(Promise.reject(new Error('failed')), 10_000, 'late')).rejects.toThrow('failed')
})

test('a deadline rejects work that takes longer, and ignores its later failure', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  await expect(withDeadline(promise, 1, 'late')).rejects.toThrow('late')
  reject(new Error('failed later'))
})
