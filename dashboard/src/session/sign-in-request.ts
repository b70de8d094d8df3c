/** The open request to sign in again in place: the frame shows it, and the code that makes it is loaded by pages with calls. */
import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react'
import type { PublicSettings } from '../../../src/features/index.ts'
import { type lastSession, pageURL, queryClient, refreshSession, setKeepsPage, settingsQuery } from '../api/calls.ts'
import { createListeners } from '../browser/listeners.ts'
import type { Account } from './accounts.ts'

/**
 * Why the user must enter the password: a change failed because the session has ended, or because it requires a recent sign-in; or the
 * session ended, or is about to, while nothing was being changed.
 */
export type SignInReason = 'expired' | 'not-fresh' | 'ended' | 'ending'

export interface SignInRequest {
  readonly reason: SignInReason
  /** @param isSignedIn false when the user gave up */
  readonly finish: (isSignedIn: boolean) => void
}

let request: SignInRequest | null = null
const { subscribe, notify } = createListeners()

export function setSignInRequest(next: SignInRequest | null): void {
  request = next
  setKeepsPage(next !== null)
  notify()
}

export const useSignInRequest = (): SignInRequest | null => useSyncExternalStore(subscribe, () => request)

export type KnownUser = NonNullable<ReturnType<typeof lastSession>>['user']

/** What is known of the user, although their session may have ended. */
export interface Known {
  readonly settings: PublicSettings
  readonly user: KnownUser | undefined
  /** Undefined when they were not read before. */
  readonly accounts: readonly Account[] | undefined
}

export interface SignInAgainProps extends Known {
  readonly request: SignInRequest
  /** Closes the dialog without signing in. */
  readonly cancel: ReactNode
}

/** How users sign in again in place, declared by the folder of a sign-in method. */
export interface SignInAgainMethod {
  /** Methods stand in this order, with a line between two of them. The last one has the button that cancels. */
  readonly order: number
  /** Key of the title of the dialog when it is the only one. */
  readonly question?: 'confirmIdentity'
  readonly exists: (known: Known) => boolean
  /** Loads its texts too. */
  readonly load: (locale: string) => Promise<{ readonly SignInAgain: ComponentType<SignInAgainProps> }>
}

/**
 * Goes on after a proven first factor: repeats what has failed without the session, or opens the page of what the API demands before it
 * creates one, which comes back to this page.
 * @param result as the call responds
 */
export async function finishSignIn({ finish }: SignInRequest, result: object | null): Promise<void> {
  const { signIn } = await queryClient.ensureQueryData(settingsQuery)
  const [challenge] = signIn.challenges
  if (challenge && !(result && 'user' in result)) {
    location.assign(pageURL(challenge.page, { callbackURL: location.href }))
    return new Promise<never>(() => undefined)
  }
  await refreshSession()
  finish(true)
  await queryClient.invalidateQueries()
}
