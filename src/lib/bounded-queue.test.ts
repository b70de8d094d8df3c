import { describe, expect, test } from 'vitest'
import { createBoundedQueue } from './bounded-queue.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a bounded queue', () => {
  test('runs as many at once as it may, the others in order of arrival', async () => {
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
  test('refuses what is beyond its bound, and takes again when there is room', async () => {
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
  test('gives the place back when a work fails', async () => {
    const queue = createBoundedQueue(1, 0)
    await expect(queue.run(async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    await expect(queue.run(async () => 1)).resolves.toBe(1)
  })
})
