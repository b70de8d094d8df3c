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

interface FairLimits {
  /** Tasks that run concurrently, and those of one group. */
  readonly running: number
  readonly runningPerGroup: number
  /** Tasks that wait, and those of one group. */
  readonly waiting: number
  readonly waitingPerGroup: number
  /** The longest time that a task waits before it starts. */
  readonly waitMs: number
}

interface Waiter {
  readonly group: string
  readonly start: () => void
}

/**
 * Runs tasks in order of arrival, except those of a group that runs its share: others start before them.
 * @param full the error for a task that may not wait, or has waited too long
 */
export function createFairQueue(limits: FairLimits, full: () => Error) {
  const running: string[] = []
  const waiting: Waiter[] = []
  const hasRoom = (group: string) =>
    running.length < limits.running && running.filter((one) => one === group).length < limits.runningPerGroup
  const mayWait = (group: string) =>
    waiting.length < limits.waiting && waiting.filter((one) => one.group === group).length < limits.waitingPerGroup

  function leave(group: string): void {
    running.splice(running.indexOf(group), 1)
    const at = waiting.findIndex((one) => hasRoom(one.group))
    const [next] = at >= 0 ? waiting.splice(at, 1) : []
    if (!next) return
    running.push(next.group)
    next.start()
  }

  /** Runs the task as soon as there is room. @throws Error as `full` returns it */
  return async function run<T>(group: string, task: () => Promise<T>): Promise<T> {
    if (hasRoom(group)) running.push(group)
    else if (mayWait(group)) await waitIn(waiting, group, limits.waitMs, full)
    else throw full()
    try {
      return await task()
    } finally {
      leave(group)
    }
  }
}

/** Waits until the waiter is started by the code that removes it from the list. */
function waitIn(waiting: Waiter[], group: string, milliseconds: number, late: () => Error): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(waiter), 1)
    reject(late())
  }, milliseconds)
  // The timer is cleared before anything else runs: a task that started must not be rejected too.
  const start = () => {
    clearTimeout(timer)
    resolve()
  }
  const waiter = { group, start }
  waiting.push(waiter)
  return promise
}

/**
 * Calls that arrive while the work runs share the next run, which starts after they have arrived: each gets a result that is as new
 * as its call, and at most one run is under way.
 */
export function createSharedRun<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | null = null
  let next: Promise<T> | null = null
  const start = (): Promise<T> => {
    next = null
    const run = work()
    const ended = run.then(
      () => undefined,
      () => undefined,
    )
    running = ended
    void ended.then(() => {
      if (running === ended) running = null
    })
    return run
  }
  return () => {
    if (!running) return start()
    next ??= running.then(start)
    return next
  }
}

/** Lists of `size` entries of a stream; the last one may be shorter. */
export async function* streamBatches<T>(entries: AsyncIterable<T>, size: number): AsyncGenerator<T[], void, undefined> {
  let collected: T[] = []
  for await (const entry of entries) {
    collected.push(entry)
    if (collected.length < size) continue
    yield collected
    collected = []
  }
  if (collected.length > 0) yield collected
}
