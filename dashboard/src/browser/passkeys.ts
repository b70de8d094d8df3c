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

/** As long as the API accepts the response, in milliseconds: users need not hurry (WCAG 2.2.1). */
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

/** Functions that report to password managers (WebAuthn Level 3 §5.1.10). */
interface Signals {
  readonly signalUnknownCredential?: (signal: object) => Promise<void>
  readonly signalAllAcceptedCredentials?: (signal: object) => Promise<void>
  readonly signalCurrentUserDetails?: (signal: object) => Promise<void>
}

/** What a browser does not know is left out, and nothing depends on whether it works. */
async function signal(name: keyof Signals, details: object): Promise<void> {
  try {
    await (globalThis.PublicKeyCredential as unknown as Signals | undefined)?.[name]?.(details)
  } catch {
    // The password manager stays as it is.
  }
}

/** As `GET /passkey/signal` responds. */
export interface Accepted {
  readonly rpId: string
  readonly userId: string
  readonly allAcceptedCredentialIds: readonly string[]
  readonly name: string
  readonly displayName: string
}

/**
 * Reports to password managers which passkeys the user has, and what the account is called.
 * @param read not called in browsers that report nothing
 */
export async function reportAccount(read: () => Promise<Accepted>): Promise<void> {
  if (!('signalAllAcceptedCredentials' in (globalThis.PublicKeyCredential ?? {}))) return
  const { rpId, userId, allAcceptedCredentialIds, name, displayName } = await read()
  await signal('signalAllAcceptedCredentials', { rpId, userId, allAcceptedCredentialIds: [...allAcceptedCredentialIds] })
  await signal('signalCurrentUserDetails', { rpId, userId, name, displayName })
}

/**
 * Reports that the API does not know a passkey, so that it is not offered again.
 * @param options for which it was used @param signed as `signWithPasskey` has returned it
 */
export const reportUnknown = (options: { readonly rpId?: string }, signed: { readonly id?: string }): Promise<void> =>
  signal('signalUnknownCredential', { rpId: options.rpId, credentialId: signed.id })
