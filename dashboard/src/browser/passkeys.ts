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

/** @param options as the API responds @param isOffered shown in the list of the browser at a field, until the user chooses */
export const signWithPasskey = (options: object, isOffered = false): Promise<object | PasskeyProblem> =>
  startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: isOffered,
    // The field may be on the page without being focused.
    verifyBrowserAutofillInput: false,
  }).catch(problemOf)

/** @param options as the API responds */
export const createPasskey = (options: object): Promise<object | PasskeyProblem> =>
  startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }).catch(problemOf)

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
