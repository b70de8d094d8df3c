import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  USER_ALREADY_HAS_A_PASSWORD: [400, 'user already has a password'],
})
