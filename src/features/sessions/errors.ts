import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  FAILED_TO_GET_SESSION: [400, 'Failed to get session'],
  FAILED_TO_CREATE_SESSION: [401, 'Failed to create session'],
})
