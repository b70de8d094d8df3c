/** Calls on behalf of the signed-in user. When the session has expired, the user signs in again in place and the call is repeated. */
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Call } from '../../src/client.ts'
import { ClientError, discardSession, lastSession, queryClient, type Session, send, sessionQuery } from './api.ts'

/** Why the user must enter the password: the session has ended, or the call requires a recent sign-in. */
type SignInReason = 'expired' | 'not-fresh'

export interface SignInRequest {
  readonly reason: SignInReason
  /** @param isSignedIn false when the user gave up */
  readonly finish: (isSignedIn: boolean) => void
}

let request: SignInRequest | null = null
let pending: Promise<boolean> | null = null
const listeners = new Set<() => void>()

function setRequest(next: SignInRequest | null): void {
  request = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useSignInRequest = (): SignInRequest | null => useSyncExternalStore(subscribe, () => request)

/** One dialog for all calls that fail at the same time. */
function signInAgain(reason: SignInReason): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    setRequest({
      reason,
      finish: (isSignedIn) => {
        pending = null
        setRequest(null)
        resolve(isSignedIn)
      },
    })
  })
  return pending
}

function reasonOf(error: unknown): SignInReason | null {
  if (!(error instanceof ClientError)) return null
  if (error.status === 401 && error.code === 'UNAUTHORIZED') return 'expired'
  return error.code === 'SESSION_IS_NOT_FRESH' || error.code === 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION'
    ? 'not-fresh'
    : null
}

/**
 * Makes a call that needs a session.
 * @throws ClientError, also when the user did not sign in again
 */
export const call: Call = async (key, input) => {
  try {
    return await send(key, input)
  } catch (error) {
    const reason = reasonOf(error)
    if (!reason || !lastSession() || !(await signInAgain(reason))) throw error
    return send(key, input)
  }
}

/** The session of the current user. Only for screens with `access: 'session'`. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  const last = lastSession()
  // The data of an ended session stays on the screen until the user has signed in again or left.
  const session = data ?? last
  if (!session) throw new Error('This screen needs a session')
  return session
}

/** Asks to sign in again when the session ended, such as from another device. @returns whether it has ended */
export function useSessionEnd(leave: () => void): void {
  const { data } = useSuspenseQuery(sessionQuery)
  const hasEnded = data === null && lastSession() !== null
  const latest = useEffectEvent(leave)
  useEffect(() => {
    if (hasEnded) void signInAgain('expired').then((isSignedIn) => isSignedIn || latest())
  }, [hasEnded])
}

/** Ends the session and removes its data from this browser tab. */
export async function signOut(): Promise<void> {
  await send('POST /sign-out', {})
  discardSession()
  queryClient.clear()
}
