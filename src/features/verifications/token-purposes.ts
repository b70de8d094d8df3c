/** What tokens are for, and whose they are: a new purpose does not compile without an entry. */

/**
 * A lock of an account deletes the tokens `ofUser`, whose subject is the id of the user; the others must not give access to an account
 * that exists.
 */
const purposes = {
  'reset-password': 'ofUser',
  'set-up': 'ofUser',
  'delete-account': 'ofUser',
  'one-time-token': 'ofUser',
  'magic-link': 'ofUser',
  // Of a user who does not exist yet.
  'passkey-sign-up': 'ofNewUser',
  'passkey-context': 'ofNewUser',
  // Of a browser: a link needs the session that asked for it, and a sign-in is rejected while the account is locked.
  'oauth-start': 'ofBrowser',
  'oauth-state': 'ofBrowser',
  'oauth-finished': 'ofBrowser',
} as const
export type TokenPurpose = keyof typeof purposes

/** Those of tokens of users. */
export const ownPurposes = (Object.keys(purposes) as TokenPurpose[]).filter((purpose) => purposes[purpose] === 'ofUser')
