import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  EMAIL_CAN_NOT_BE_UPDATED: [400, 'Email can not be updated'],
})
