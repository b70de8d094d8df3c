/** What `latchkey doctor` says about one thing. */

export interface Finding {
  /** Stable, for scripts. */
  readonly id: string
  readonly title: string
  /** `warning`: it works, and will hurt one day. `skipped`: there is nothing to look at, or something else comes first. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly message: string
  /** What to do about it. */
  readonly mend?: string
}

export const ok = (id: string, title: string, message: string): Finding => ({ id, title, status: 'ok', message })
export const skipped = (id: string, title: string, message: string): Finding => ({ id, title, status: 'skipped', message })
export const warning = (id: string, title: string, message: string, mend: string): Finding => ({
  id,
  title,
  status: 'warning',
  message,
  mend,
})
export const failed = (id: string, title: string, message: string, mend: string): Finding => ({
  id,
  title,
  status: 'failed',
  message,
  mend,
})

/** The median of the times that some attempts take, in milliseconds. */
export async function medianTime(attempts: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let attempt = 0; attempt < attempts; attempt++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)[Math.floor(attempts / 2)] ?? 0
}

export const milliseconds = (time: number): string => `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`
