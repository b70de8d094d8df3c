/** What is frozen during an incident, as the header of each response says. */
import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

let frozen = ''
const { subscribe, notify } = createListeners()

/** Passes on a response. One without a request ID is not of Latchkey, and says nothing. */
export function noteFrozen(response: Response): Response {
  const next = response.headers.get('x-frozen') ?? ''
  if (next !== frozen && response.headers.has('x-request-id')) {
    frozen = next
    notify()
  }
  return response
}

/** @returns the kinds, separated by commas; empty: nothing is frozen */
export const useFrozen = (): string => useSyncExternalStore(subscribe, () => frozen)
