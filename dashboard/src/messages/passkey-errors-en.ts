/** A sentence for each error code of passkeys. Only the pages that use them load it. */
export const messages = {
  CHALLENGE_NOT_FOUND: 'This took too long. Try again.',
  PASSKEY_NOT_FOUND: 'This passkey is not known here any more. Sign in another way.',
  AUTHENTICATION_FAILED: 'The passkey could not be used. Try again, or sign in another way.',
  UNABLE_TO_CREATE_SESSION: 'You could not be signed in. Try again in a moment.',
  SESSION_REQUIRED: 'Sign in again to add a passkey.',
  RESOLVED_USER_INVALID: 'No passkey can be added to this account now.',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'This passkey belongs to another account.',
  PREVIOUSLY_REGISTERED: 'This passkey was added already.',
  FAILED_TO_VERIFY_REGISTRATION: 'The passkey could not be added. Try again, or use another device or security key.',
  TOO_MANY_PASSKEYS: 'You have as many passkeys as you can have. Delete one before you add another.',
  YOU_CANT_DELETE_YOUR_LAST_PASSKEY: 'This passkey is your only sign-in method. Add another one before you delete it.',
} as const
