import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  FAILED_TO_CREATE_VERIFICATION: [400, 'Failed to create verification'],
})
