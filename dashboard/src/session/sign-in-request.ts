/** The open request to sign in again in place: the frame shows it, and the code that makes it is loaded by pages with calls. */
import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react'
import type { PublicSettings } from '../../../src/features/index.ts'
import { ClientError, type lastSession, pageURL, queryClient, refreshSession, setKeepsPage, settingsQuery } from '../api/calls.ts'
import { createListeners } from '../browser/listeners.ts'
import type { Account } from './accounts.ts'

/**
 * Why the user must enter the password: a change failed because the session has ended, or because it requires a recent sign-in; or the
 * session ended, or is about to, while nothing was being changed.
 */
export type SignInReason = 'expired' | 'not-fresh' | 'ended' | 'ending'

/** A second factor of which one must be proven, as the API lists them. */
export interface DemandedFactor {
  readonly type: string
}

/** What the API demands of a user who has a second factor. */
export interface FactorDemand {
  /** The strongest first. */
  readonly factors: readonly DemandedFactor[]
  /** When the factor that was proven last counts for the call, if it was added a short time ago. */
  readonly availableAt?: string | undefined
}

export interface SignInRequest {
  readonly reason: SignInReason
  /** Null: the user signs in. */
  readonly demand: FactorDemand | null
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
  /** Of which one is demanded; empty: the user signs in. */
  readonly factors: readonly DemandedFactor[]
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
  /** What it proves; absent: a first factor. */
  readonly proves?: 'second-factor'
  /** Key of the title of the dialog when it is the only one. */
  readonly question?: 'confirmIdentity'
  readonly exists: (known: Known) => boolean
  /** Loads its texts too. Null: the user turns out to have none. */
  readonly load: (locale: string) => Promise<{ readonly SignInAgain: ComponentType<SignInAgainProps> } | null>
}

/** The second factors of a challenge that the dialog can ask for; null: another page has to. */
function demandIn(result: object | null): FactorDemand | null {
  const { methods } = Object(Object(result).challenge)
  return Array.isArray(methods) ? { factors: methods } : null
}

/** Opens another page. The result is never there, because this page ends. */
function open(url: string): Promise<never> {
  location.assign(url)
  return new Promise(() => undefined)
}

/** Opens a page that comes back to this one. */
function openAndReturn(page: string): Promise<never> {
  const url = new URL(page)
  url.searchParams.set('callbackURL', location.href)
  return open(url.href)
}

/** Opens the page on which a second factor is set up that a rule demands, and which comes back to this page. @throws any other error */
export function openSetup(error: unknown): Promise<never> {
  if (!(error instanceof ClientError && error.code === 'SECOND_FACTOR_SETUP_REQUIRED' && error.url)) throw error
  return openAndReturn(error.url)
}

/**
 * Goes on after a proven factor: repeats what has failed without the session, asks for the second factor that the API demands before it
 * creates one, or opens the page of what it demands else, which comes back to this page.
 * @param given as the call responds
 */
export async function finishSignIn(request: SignInRequest, given: object | null | Promise<object | null>): Promise<void> {
  const result = await Promise.resolve(given).catch(openSetup)
  const demand = demandIn(result)
  if (demand) return setSignInRequest({ ...request, demand })
  // Such as the page of terms.
  const { challenge: waits, url } = Object(result)
  if (waits && url) return openAndReturn(url)
  const { signIn } = await queryClient.ensureQueryData(settingsQuery)
  const [challenge] = signIn.challenges
  if (challenge && !(result && 'user' in result)) return open(pageURL(challenge.page, { callbackURL: location.href }))
  await refreshSession()
  request.finish(true)
  await queryClient.invalidateQueries()
}
