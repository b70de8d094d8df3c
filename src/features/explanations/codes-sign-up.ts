/** Codes of rules about sign-up, of terms, locked accounts and incidents. */
import type { Entries } from './entry.ts'

const role = 'The role of the administrator does not permit it.'
const rejected = 'The sign-up policy rejects the user, or the new email address. The event `sign-up.rejected` has the reason.'
const check = 'Ask for the decision with `latchkey sign-up check ADDRESS`. It names the rule, and its file and line.'
const locked = 'The account is locked.'
const unlock = 'The user resets their password if the lock allows it. Otherwise run `latchkey users unlock`.'
const frozen = 'See what is frozen and why: `latchkey incident status`. End it with `latchkey incident unfreeze`.'
const terms = 'The application reads the documents again: `GET /terms/documents`.'

// biome-ignore format: one line for each code
export const signUpCodes: Entries = {
  SIGN_UP_NOT_ALLOWED: [rejected, check, 'signUp.mode', 'signUp.allow', 'signUp.allowFile', 'signUp.block', 'signUp.blockFile', 'signUp.disposable', 'signUp.oneMailbox'],
  INVITE_LINK_NOT_FOUND: ['The invite link is unknown, used up, expired or revoked.', 'See its state with `latchkey invite-links list`, or create another one.', 'signUp.inviteLinks.expiresIn'],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_INVITE_LINKS: [role, 'The role needs `inviteLink:create`.', 'admin.roles'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_INVITE_LINKS: [role, 'The role needs `inviteLink:list`.', 'admin.roles'],
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_INVITE_LINKS: [role, 'The role needs `inviteLink:revoke`.', 'admin.roles'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_THE_WAITING_LIST: [role, 'The role needs `waitingList:list`.', 'admin.roles'],
  YOU_ARE_NOT_ALLOWED_TO_DECIDE_ON_THE_WAITING_LIST: [role, 'The role needs `waitingList:decide`.', 'admin.roles'],

  INVALID_TERMS_COOKIE: ['The sign-in that waits for the terms is over, or belongs to another browser.', 'The user signs in again.', 'terms.pendingMaxAge'],
  TERMS_CANNOT_BE_POSTPONED: ['The version can be postponed no longer.', 'The user accepts or declines it.', 'terms.documents'],
  TERMS_DOCUMENT_NOT_FOUND: ['There is no such document or version.', terms, 'terms.documents'],
  TERMS_VERSION_IS_NOT_CURRENT: ['Another version of the document is in force.', terms, 'terms.documents'],

  ACCOUNT_LOCKED: [locked, unlock, 'notices.lockLink'],
  YOU_ARE_NOT_ALLOWED_TO_LOCK_USERS: [role, 'The role needs `user:lock`.', 'admin.roles'],
  YOU_CANNOT_LOCK_YOURSELF: ['Administrators cannot lock their own account here.', 'Another administrator locks it, or the link in a notice.'],

  READ_ONLY: ['The installation is read-only: an operator has frozen changes.', frozen],
  SIGN_IN_FROZEN: ['An operator has frozen sign-in.', frozen],
  SIGN_UP_FROZEN: ['An operator has frozen sign-up.', frozen],
  INCIDENT_FILTER_REQUIRED: ['The revocation names no sessions.', 'Give at least one of its filters.'],
}

// biome-ignore format: one line for each code
export const signUpRedirects: Entries = {
  signup_not_allowed: [rejected, check, 'signUp.mode', 'signUp.allow', 'signUp.block', 'signUp.disposable', 'signUp.oneMailbox'],
  account_locked: [locked, unlock, 'notices.lockLink'],
  sign_in_frozen: ['An operator has frozen sign-in.', frozen],
  sign_up_frozen: ['An operator has frozen sign-up.', frozen],
}
