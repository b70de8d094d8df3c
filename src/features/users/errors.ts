import { defineErrors, type ErrorEntry } from '../../core/errors.ts'

export const errors = defineErrors({
  INVALID_EMAIL: [400, 'Invalid email'],
  USER_ALREADY_EXISTS: [422, 'User already exists'],
  FAILED_TO_CREATE_USER: [422, 'Failed to create user'],
  FAILED_TO_UPDATE_USER: [422, 'Failed to update user'],
})

/** A hook that refuses is no failure of ours: 400 where a failure is 422 (contract 01 §1 step 8). */
export const creationRefused: ErrorEntry = { ...errors.FAILED_TO_CREATE_USER, status: 400 }
export const updateRefused: ErrorEntry = { ...errors.FAILED_TO_UPDATE_USER, status: 400 }
