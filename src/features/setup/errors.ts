import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  INVALID_TOKEN: [400, 'invalid token'],
})
