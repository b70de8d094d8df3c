/** The open request to sign in again in place: the frame shows it, and the code that makes it is loaded by pages with calls. */
import { useSyncExternalStore } from 'react'
import { setKeepsPage } from './api.ts'

/**
 * Why the user must enter the password: a change failed because the session has ended, or because it requires a recent sign-in; or the
 * session ended while nothing was being changed.
 */
export type SignInReason = 'expired' | 'not-fresh' | 'ended'

export interface SignInRequest {
  readonly reason: SignInReason
  /** @param isSignedIn false when the user gave up */
  readonly finish: (isSignedIn: boolean) => void
}

let request: SignInRequest | null = null
const listeners = new Set<() => void>()

export function setSignInRequest(next: SignInRequest | null): void {
  request = next
  setKeepsPage(next !== null)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useSignInRequest = (): SignInRequest | null => useSyncExternalStore(subscribe, () => request)
