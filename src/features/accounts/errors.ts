import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  FAILED_TO_CREATE_ACCOUNT: [400, 'Failed to create account'],
})
