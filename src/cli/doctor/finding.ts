/** The result of one check of `latchkey doctor`. */

export interface Finding {
  /** Stable, for scripts. */
  readonly id: string
  readonly title: string
  /** `warning`: it works, but needs attention. `skipped`: not applicable, or blocked by another finding. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly message: string
  readonly fix?: string
}

/** Makes the findings of one check. */
export const check = (id: string, title: string) => ({
  ok: (message: string): Finding => ({ id, title, status: 'ok', message }),
  skipped: (message: string): Finding => ({ id, title, status: 'skipped', message }),
  warning: (message: string, fix: string): Finding => ({ id, title, status: 'warning', message, fix }),
  failed: (message: string, fix: string): Finding => ({ id, title, status: 'failed', message, fix }),
})

/** Median duration in milliseconds. */
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
