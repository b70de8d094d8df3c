/** Waiting while the API accepts no more requests. */
import { ClientError } from './calls.ts'

export interface Pause {
  readonly seconds: number
}

/** @returns seconds until the API accepts requests again; undefined for any other error */
export const waitOf = (error: unknown): number | undefined =>
  error instanceof ClientError && error.status === 429 ? error.retryAfter : undefined

/** Resolves after this time, or immediately when the signal is aborted. */
export const wait = (seconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
