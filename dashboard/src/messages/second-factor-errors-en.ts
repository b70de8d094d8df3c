/** The sentences of error codes of second factors. */
export const messages = {
  INVALID_CODE: 'The code is wrong, or was used already.',
  TOTP_ISNT_CONFIGURED: 'Authenticator apps are not available here.',
  OTP_ISNT_CONFIGURED: 'Codes cannot be sent here.',
  TOTP_NOT_ENABLED: 'There is no authenticator app to verify. Set it up again, or use another way.',
  OTP_NOT_ENABLED: 'No code can be sent to you. Use another way.',
  OTP_HAS_EXPIRED: 'This code has expired, or was replaced by a newer one. Request a new one.',
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: 'There were too many wrong codes. Start again with a new code.',
  BACKUP_CODES_ARENT_ENABLED: 'There are no backup codes left. Use another way.',
  INVALID_BACKUP_CODE: 'The backup code is wrong, or was used already.',
  TWO_FACTOR_ISNT_ENABLED: 'There is no second factor. Set one up first.',
  INVALID_TWO_FACTOR_COOKIE: 'The sign-in took too long, or was completed in another tab. Sign in again.',
  EMAIL_CODE_REQUIRED: 'Enter the code that was sent to you first.',
  SECOND_FACTOR_SETUP_REQUIRED: 'Your account needs a second factor. Set one up to sign in.',
  SECOND_FACTOR_CANNOT_BE_DISABLED: 'Your account needs a second factor. Set up another one before you remove this one.',
  RESETTING_SECOND_FACTORS_IS_DISABLED: 'Your second factors can only be reset by an administrator.',
  ACCOUNT_TEMPORARILY_LOCKED: 'There were too many wrong codes. Wait, or use a backup code.',
} as const
