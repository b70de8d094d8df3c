/** Passkeys in the browser: it asks an authenticator, and says in one word why there is no response. */
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { PasskeyProblem } from './passkey-problems.ts'

const problems: Readonly<Record<string, PasskeyProblem>> = {
  NotAllowedError: 'cancelled',
  InvalidStateError: 'registered',
  SecurityError: 'wrongDomain',
  AbortError: 'replaced',
}

const problemOf = (error: unknown): PasskeyProblem => (error instanceof Error && problems[error.name]) || 'notPossible'

/** As long as the API accepts the response, in milliseconds: nobody has to hurry (WCAG 2.2.1). */
const timeout = 300_000

/** @param options as the API responds @param isOffered shown in the list of the browser at a field, until the user chooses */
export const signWithPasskey = (options: object, isOffered = false): Promise<object | PasskeyProblem> =>
  startAuthentication({
    optionsJSON: { ...(options as PublicKeyCredentialRequestOptionsJSON), timeout },
    useBrowserAutofill: isOffered,
    // The field may be on the page without being focused.
    verifyBrowserAutofillInput: false,
  }).catch(problemOf)

/**
 * @param options as the API responds
 * @param isStored on the authenticator, so that it signs in alone; a security key may have no room, and is a second factor only
 */
export function createPasskey(options: object, isStored = true): Promise<object | PasskeyProblem> {
  const given = options as PublicKeyCredentialCreationOptionsJSON
  const residentKey = isStored ? ('required' as const) : ('discouraged' as const)
  const authenticatorSelection = { ...given.authenticatorSelection, residentKey, requireResidentKey: isStored }
  return startRegistration({ optionsJSON: { ...given, timeout, authenticatorSelection } }).catch(problemOf)
}

/** Ends a request that waits for the user. */
export const endRequest = (): void => WebAuthnAbortService.cancelCeremony()

/** Whether the browser offers passkeys at a field. */
export const canOffer = async (): Promise<boolean> =>
  (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.().catch(() => false)) ?? false

export interface Accepted {
  readonly rpId: string
  readonly userId: string
  readonly allAcceptedCredentialIds: readonly string[]
}

/** Reports to password managers which passkeys the user has. What a browser does not know is left out. */
export async function reportPasskeys({ rpId, userId, allAcceptedCredentialIds }: Accepted): Promise<void> {
  const signal = { rpId, userId, allAcceptedCredentialIds: [...allAcceptedCredentialIds] }
  await Promise.resolve(
    (globalThis.PublicKeyCredential as unknown as Signals | undefined)?.signalAllAcceptedCredentials?.(signal),
  ).catch(() => undefined)
}

interface Signals {
  readonly signalAllAcceptedCredentials?: (signal: object) => Promise<void>
}
