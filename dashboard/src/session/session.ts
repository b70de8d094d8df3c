/** Calls on behalf of the signed-in user. When the session has expired, the user signs in again in place and the call is repeated. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Call } from '../../../src/client.ts'
import { ClientError, hasCode, lastSession, pageURL, readSession, type Session, send, sessionQuery } from '../api/calls.ts'
import { announceUser } from '../browser/user-channel.ts'
import { type FactorDemand, type SignInReason, setSignInRequest } from './sign-in-request.ts'

let pending: Promise<boolean> | null = null

/** One dialog for all calls that fail at the same time. Nothing is left to do on the page of an ended session. */
function signInAgain(reason: SignInReason, demand: FactorDemand | null = null): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    setSignInRequest({
      reason,
      demand,
      finish: (isSignedIn) => {
        if (!isSignedIn && reason === 'ended') return leave()
        pending = null
        setSignInRequest(null)
        resolve(isSignedIn)
      },
    })
  })
  return pending
}

/** Lets the user sign in again before the session ends, while the page stays as it is. */
export const extendSignIn = (): Promise<boolean> => signInAgain('ending')

/** @param next where the user comes back to */
export const leave = (next = location.href): void => location.replace(pageURL('/sign-in', { callbackURL: next }))

const signedOutCodes = new Set(['UNAUTHORIZED', 'UNAUTHORIZED_OR_INVALID_SESSION'])

function reasonOf(error: unknown): SignInReason | null {
  if (!(error instanceof ClientError)) return null
  if (error.status === 401 && signedOutCodes.has(error.code)) return 'expired'
  return error.code === 'SESSION_IS_NOT_FRESH' || error.code === 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION'
    ? 'not-fresh'
    : null
}

/** The second factors of which a call demands one; null for other errors. */
function demandOf(error: unknown): FactorDemand | null {
  const { methods, availableAt } = Object(error instanceof ClientError ? error.details : null)
  return Array.isArray(methods) ? { factors: methods, availableAt } : null
}

/**
 * Makes a call as the user of this page. Before a change it checks who is signed in: another tab may have signed in as another user,
 * who must not receive the input of this page.
 */
const asUser =
  (client: Call): Call =>
  async (key, input, options) => {
    if (key.startsWith('POST ')) await readSession()
    return client(key, input, options)
  }

/** Repeats a call that has failed after the user has signed in again, or has proven a second factor. @throws the error otherwise */
async function afterSignIn<T>(error: unknown, key: string, make: () => Promise<T>): Promise<T> {
  const reason = key.startsWith('GET ') && reasonOf(error) === 'expired' ? 'ended' : reasonOf(error)
  const isOwn = lastSession() !== null && !lastSession()?.session.impersonatedBy
  if (!reason || !isOwn || !(await signInAgain(reason, demandOf(error)))) throw error
  return make().catch((next: unknown) => {
    // The factor was added a short time ago, and does not count for this call: the user can prove another one.
    if (demandOf(next)?.availableAt === undefined) throw next
    return afterSignIn(next, key, make)
  })
}

/** Makes calls with this client as the user of this page, who signs in again when a call fails because there is no session. */
export const callWith =
  (client: Call): Call =>
  async (key, input, options) => {
    const make = () => asUser(client)(key, input, options)
    try {
      return await make()
    } catch (error) {
      return await afterSignIn(error, key, make)
    }
  }

/**
 * Makes a call that needs a session.
 * @throws ClientError, also when the user did not sign in again
 */
export const call: Call = callWith(send)

/** What the roles of the current user permit, so that pages show only what they may open. */
export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: () => send('GET /list-permissions', {}),
  staleTime: 60_000,
  retry: false,
})

/** The session of the current user. Only for screens with `access: 'session'`. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  const last = lastSession()
  // The data of an ended session stays on the screen until the user has signed in again or left.
  const session = data ?? last
  if (!session) throw new Error('This screen needs a session')
  return session
}

/** Asks to sign in again when the session ended, such as from another device. */
export function useSessionEnd(): void {
  const { data } = useSuspenseQuery(sessionQuery)
  const hasEnded = data === null && lastSession() !== null
  useEffect(() => {
    // The administrator who acted as the user does not know the password of the user.
    if (hasEnded && lastSession()?.session.impersonatedBy) leave(pageURL(`/admin/users/${lastSession()?.user.id ?? ''}`))
    // A change that failed has asked already. When the user cancels that, the page keeps the input.
    else if (hasEnded) void signInAgain('ended')
  }, [hasEnded])
}

/**
 * Ends the session. A new page replaces this one, so that nothing of the user stays in the memory of the tab.
 * @param next its URL
 */
export async function signOut(next: string = pageURL('/signed-out')): Promise<void> {
  await send('POST /sign-out', {}).catch((error: unknown) => {
    // The cookie has expired: there is nothing to sign out of.
    if (!hasCode(error, 'FAILED_TO_GET_SESSION')) throw error
  })
  announceUser(null)
  location.replace(next)
}
