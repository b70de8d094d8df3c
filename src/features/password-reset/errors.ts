import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  RESET_PASSWORD_ISNT_ENABLED: [400, "Reset password isn't enabled"],
  INVALID_TOKEN: [400, 'invalid token'],
})
