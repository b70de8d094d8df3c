import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  PASSWORD_COMPROMISED: [400, 'The password you entered has been compromised. Please choose a different password.'],
  PASSWORD_TOO_PERSONAL: [400, 'The password is made of words about you or this site. Please choose a different password.'],
})
