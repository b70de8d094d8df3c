/** The work as it ends, or a rejection with the code TIMED_OUT once the time is over; the work itself goes on, and its late end is of no interest. */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(Object.assign(new Error(message), { code: 'TIMED_OUT' })), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
