/** The codes with which a callback redirects when it fails (contract 03 §3, §8). */

/** The codes of one of the paths. */
export interface Codes {
  readonly rejectedCode: string
  readonly noProfile: string
  /** The provider did not respond with a profile. */
  readonly failedProfile: string
  readonly noEmail: string
  readonly differentEmail: string
}

export const coreCodes: Codes = {
  rejectedCode: 'invalid_code',
  noProfile: 'unable_to_get_user_info',
  failedProfile: 'unable_to_get_user_info',
  noEmail: 'email_not_found',
  differentEmail: 'account_not_linked',
}
export const genericCodes: Codes = {
  rejectedCode: 'oauth_code_verification_failed',
  noProfile: 'user_info_is_missing',
  failedProfile: 'email_is_missing',
  noEmail: 'email_is_missing',
  differentEmail: "email_doesn't_match",
}

/** Errors that providers send (RFC 6749 §4.1.2.1, and what some of them send in addition), by which a rejected call is recorded. */
export const providerErrors = [
  'access_denied',
  'server_error',
  'temporarily_unavailable',
  'user_cancelled_authorize',
  'user_cancelled_login',
]

/** Stands for other errors that providers send, and for messages of hooks. */
export const foreignError = '<error>'

const sharedRedirects = [
  'please_restart_the_process',
  'account_not_linked',
  'unable_to_link_account',
  'account_already_linked_to_different_user',
  'signup_disabled',
  'unable_to_create_user',
  'unable_to_create_session',
  'internal_server_error',
  'invalid_callback_request',
  'banned',
  'account_locked',
  'sign_in_frozen',
  'sign_up_frozen',
  ...providerErrors,
  foreignError,
]
export const coreRedirects = [
  ...sharedRedirects,
  'state_not_found',
  'no_code',
  'oauth_provider_not_found',
  ...Object.values(coreCodes),
]
export const genericRedirects = [...sharedRedirects, 'oAuth_code_missing', ...Object.values(genericCodes)]
