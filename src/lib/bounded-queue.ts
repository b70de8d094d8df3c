export interface BoundedQueue {
  /** Whether `run` would refuse now. */
  isFull(): boolean
  /** Works that run or wait. */
  size(): number
  /** Runs the work as soon as there is room, in order of arrival. @throws Error when the queue is full */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** @param concurrency works at once @param waiting works that may wait for their turn */
export function createBoundedQueue(concurrency: number, waiting: number): BoundedQueue {
  let running = 0
  const turns: (() => void)[] = []
  const isFull = () => running >= concurrency && turns.length >= waiting

  async function enter(): Promise<void> {
    if (isFull()) throw new Error('The queue is full')
    if (running >= concurrency) await new Promise<void>((resolve) => turns.push(resolve))
    else running += 1
  }

  function leave(): void {
    // The place goes straight to the next in line: freed first, somebody who has just come could take it.
    const next = turns.shift()
    if (next) next()
    else running -= 1
  }

  return {
    isFull,
    size: () => running + turns.length,
    run: async (work) => {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
