/** Why there is no response of a passkey, as far as pages say it. */

/**
 * The user has cancelled or has no passkey here; the authenticator has one already; the page is not on the domain of the passkeys;
 * another request took its place; anything else.
 */
export type PasskeyProblem = 'cancelled' | 'registered' | 'wrongDomain' | 'replaced' | 'notPossible'
export const shownProblems = ['cancelled', 'notPossible', 'wrongDomain'] as const
