/** A sentence for each code with which a redirect ends on the error page, in addition to those of the API. */
export const messages = {
  access_denied: 'You did not allow the sign-in at the provider. Try again, or sign in another way.',
  account_already_linked_to_different_user: 'This social account is linked to another user here.',
  account_not_linked:
    'There is already an account with this email address. Sign in the way you did before, then link the social account in your account. Its email address must be verified at the provider.',
  banned: 'This account is blocked. Contact the operator of this site.',
  "email_doesn't_match": 'The social account has another email address than your account, so it cannot be linked.',
  email_is_missing: 'The provider did not share your email address, which is needed to sign in here.',
  email_not_found: 'The provider did not share your email address, which is needed to sign in here.',
  invalid_callback_request: 'The response of the sign-in provider is incomplete. Start again from the sign-in page.',
  invalid_code: 'The sign-in provider did not confirm the sign-in. Start again from the sign-in page.',
  no_code: 'The response of the sign-in provider is incomplete. Start again from the sign-in page.',
  oAuth_code_missing: 'The response of the sign-in provider is incomplete. Start again from the sign-in page.',
  oauth_code_verification_failed: 'The sign-in provider did not confirm the sign-in. Start again from the sign-in page.',
  oauth_provider_not_found: 'This sign-in provider is not available here.',
  please_restart_the_process:
    'The sign-in took too long, or was started in another tab or browser. Start again from the sign-in page.',
  server_error: 'The sign-in provider has a problem. Try again in a moment, or sign in another way.',
  signup_disabled: 'There is no account for this sign-in, and new accounts cannot be created here.',
  state_not_found: 'The sign-in was started in another browser. Start again from the sign-in page.',
  temporarily_unavailable: 'The sign-in provider has a problem. Try again in a moment, or sign in another way.',
  unable_to_create_session: 'You could not be signed in. Try again in a moment.',
  unable_to_create_user: 'The account could not be created. Try again in a moment.',
  unable_to_get_user_info: 'The sign-in provider did not return your profile. Try again in a moment.',
  unable_to_link_account:
    'The social account could not be linked. Make sure that its email address is verified at the provider, then try again.',
  unauthorized: 'Open the link in a browser in which you are signed in.',
  user_cancelled_authorize: 'You did not allow the sign-in at the provider. Try again, or sign in another way.',
  user_cancelled_login: 'You did not allow the sign-in at the provider. Try again, or sign in another way.',
  user_info_is_missing: 'The sign-in provider did not return your profile. Try again in a moment.',
  // Of calls that only apps make.
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED:
    'The social account has another email address than your account, so it cannot be linked.',
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: 'The social account cannot be linked here.',
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: 'The social account could not be linked. Try again in a moment.',
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: 'The provider did not renew the access. Sign in with it again.',
  FAILED_TO_REFRESH_ACCESS_TOKEN: 'The provider did not renew the access. Sign in with it again.',
  ID_TOKEN_NOT_SUPPORTED: 'This provider does not support this sign-in.',
  USER_EMAIL_NOT_FOUND: 'The provider did not share your email address, which is needed to sign in here.',
} as const
