/** Waiting while the API accepts no more requests. */
import { ClientError } from './api.ts'

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

/**
 * Makes a call, and makes it again while it is rejected because of too many requests.
 * @param onPause gets each pause when it starts, and undefined when it ends
 * @throws any other error of the call, and the rejection when the signal is aborted
 */
export async function callPatiently<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  onPause: (pause: Pause | undefined) => void,
): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const seconds = waitOf(error)
      if (seconds === undefined || signal.aborted) throw error
      onPause({ seconds })
      await wait(seconds, signal)
      onPause(undefined)
      if (signal.aborted) throw error
    }
  }
}
