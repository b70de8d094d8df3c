import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED: [400, 'Email and password sign up is not enabled'],
  EMAIL_AND_PASSWORD_IS_NOT_ENABLED: [400, 'Email and password is not enabled'],
  PASSWORD_TOO_SHORT: [400, 'Password too short'],
  PASSWORD_TOO_LONG: [400, 'Password too long'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: [400, 'Credential account not found'],
  INVALID_PASSWORD: [400, 'Invalid password'],
  EMAIL_NOT_VERIFIED: [403, 'Email not verified'],
  INVALID_EMAIL_OR_PASSWORD: [401, 'Invalid email or password'],
})
