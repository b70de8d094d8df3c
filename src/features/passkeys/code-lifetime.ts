/** How long the code of a sign-up with a passkey is valid: its email says so too. */

/** In seconds. */
export const codeLifetime = 600
