import { describe, expect, test } from 'vitest'
import { createBoundedQueue, createFairQueue, createSharedRun, withDeadline } from './async.ts'

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

describe('a fair queue', () => {
  const limits = { running: 3, runningPerGroup: 2, waiting: 3, waitingPerGroup: 2, waitMs: 60_000 }
  function open(options = {}) {
    const run = createFairQueue({ ...limits, ...options }, () => new Error('full'))
    const started: string[] = []
    const finish = new Map<string, () => void>()
    /** @param name starts with the letter of its group */
    const add = (name: string) =>
      run(name.slice(0, 1), () => {
        started.push(name)
        return new Promise<void>((resolve) => finish.set(name, resolve))
      })
    const end = async (name: string) => {
      finish.get(name)?.()
      await settled()
    }
    return { add, end, started }
  }

  test('starts tasks in order of arrival, except those of a group that runs its share', async () => {
    const { add, end, started } = open()
    const works = ['a1', 'a2', 'a3', 'b1', 'c1'].map(add)
    expect(started).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(started.slice(3)).toEqual(['c1'])
    works.push(add('c2'))
    await end('a1')
    expect(started.slice(4)).toEqual(['a3'])
    await end('a2')
    expect(started.slice(5)).toEqual(['c2'])
    for (const name of ['a3', 'c1', 'c2']) await end(name)
    await Promise.all(works)
  })
  test('rejects tasks beyond its bounds, in total and of one group', async () => {
    const { add, end, started } = open()
    const works = ['a1', 'a2', 'a3', 'a4'].map(add)
    await expect(add('a5')).rejects.toThrow('full')
    works.push(...['b1', 'b2'].map(add))
    await expect(add('c1')).rejects.toThrow('full')
    for (const name of ['a1', 'a2', 'b1', 'a3', 'a4', 'b2']) await end(name)
    await Promise.all(works)
    expect(started).toHaveLength(6)
  })
  test('rejects a task that waits too long, and never starts it', async () => {
    const { add, end, started } = open({ runningPerGroup: 1, waitMs: 1 })
    const first = add('a1')
    await expect(add('a2')).rejects.toThrow('full')
    await end('a1')
    await first
    const next = add('a3')
    expect(started).toEqual(['a1', 'a3'])
    await end('a3')
    await next
  })
  test('frees the place when a task fails', async () => {
    const run = createFairQueue({ ...limits, running: 1 }, () => new Error('full'))
    await expect(run('a', async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    await expect(run('b', async () => 1)).resolves.toBe(1)
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

describe('a shared run', () => {
  const createRuns = () => {
    const finish: ((result: number | Error) => void)[] = []
    const run = createSharedRun(
      () =>
        new Promise<number>((resolve, reject) =>
          finish.push((result) => (result instanceof Error ? reject(result) : resolve(result))),
        ),
    )
    return { run, finish }
  }

  test('gives calls that arrive while it runs the result of the next run', async () => {
    const { run, finish } = createRuns()
    const first = run()
    const others = [run(), run(), run()]
    await settled()
    expect(finish).toHaveLength(1)
    finish[0]?.(1)
    expect(await first).toBe(1)
    await settled()
    expect(finish).toHaveLength(2)
    finish[1]?.(2)
    expect(await Promise.all(others)).toEqual([2, 2, 2])
  })

  test('goes on after a failure, which only its own calls get', async () => {
    const { run, finish } = createRuns()
    const first = run()
    const second = run()
    finish[0]?.(new Error('failed'))
    await expect(first).rejects.toThrow('failed')
    await settled()
    finish[1]?.(2)
    expect(await second).toBe(2)
    await settled()
    const third = run()
    finish[2]?.(3)
    expect(await third).toBe(3)
  })
})
