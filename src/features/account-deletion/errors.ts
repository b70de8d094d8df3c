import { defineErrors, type ErrorEntry } from '../../core/errors.ts'

export const errors = defineErrors({
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: [400, 'Session expired. Re-authenticate to perform this action.'],
  FAILED_TO_GET_USER_INFO: [404, 'Failed to get user info'],
  INVALID_TOKEN: [400, 'invalid token'],
})

/** A link that deletes is looked for like a page (contract 02 §6): 404 where others answer 400. */
export const unknownToken: ErrorEntry = { ...errors.INVALID_TOKEN, status: 404 }
