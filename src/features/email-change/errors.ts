import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  CHANGE_EMAIL_IS_DISABLED: [400, 'Change email is disabled'],
  EMAIL_IS_THE_SAME: [400, 'Email is the same'],
  COULDNT_UPDATE_YOUR_EMAIL: [400, "Couldn't update your email"],
})
