/** Limits for asynchronous work: its duration and its concurrency. */

/**
 * Rejects when the work takes too long; the work itself continues, and its result is ignored.
 * @param late the error, or the message of an error with the code TIMED_OUT
 */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, late: string | (() => Error)): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const error = () => (typeof late === 'string' ? Object.assign(new Error(late), { code: 'TIMED_OUT' }) : late())
  const timer = setTimeout(() => reject(error()), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a stream to its end. @returns null when it has more than `maxBytes` */
export async function readAll(stream: AsyncIterable<Buffer | string>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > maxBytes) return null
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** @param concurrency tasks that run concurrently @param maxWaiting tasks that may wait */
export function createBoundedQueue(concurrency: number, maxWaiting: number) {
  let running = 0
  const waiting: (() => void)[] = []
  const isFull = () => running >= concurrency && waiting.length >= maxWaiting

  async function enter(): Promise<void> {
    if (isFull()) throw new Error('The queue is full')
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
  }

  function leave(): void {
    // The slot goes straight to the next in line: if it were freed first, a newcomer could take it.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return {
    /** Whether `run` would reject now. */
    isFull,
    /** Tasks that run or wait. */
    size: () => running + waiting.length,
    /** Runs the task as soon as there is room, in order of arrival. @throws Error when the queue is full */
    run: async <T>(task: () => Promise<T>): Promise<T> => {
      await enter()
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
