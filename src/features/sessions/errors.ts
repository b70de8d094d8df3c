import { defineErrors, type ErrorEntry } from '../../core/errors.ts'

export const errors = defineErrors({
  FAILED_TO_GET_SESSION: [400, 'Failed to get session'],
  SESSION_NOT_FOUND: [400, 'Session not found'],
  FAILED_TO_CREATE_SESSION: [401, 'Failed to create session'],
  FAILED_TO_UPDATE_SESSION: [422, 'Failed to update session'],
})

/** A hook that refuses is no failure of ours. */
export const updateRefused: ErrorEntry = { ...errors.FAILED_TO_UPDATE_SESSION, status: 400 }

/** Whatever goes wrong while a session is looked for (contract 02 §2); signing out without one is 400. */
export const failedToShow: ErrorEntry = { ...errors.FAILED_TO_GET_SESSION, status: 500 }
