import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  ACCOUNT_NOT_FOUND: [400, 'Account not found'],
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: [400, "You can't unlink your last account"],
  FAILED_TO_CREATE_ACCOUNT: [400, 'Failed to create account'],
  FAILED_TO_UPDATE_ACCOUNT: [400, 'Failed to update account'],
})
