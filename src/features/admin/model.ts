/** Columns and errors of administration (contract 05 §1, §2). */
import { z } from 'zod'
import { defineErrors, type ErrorEntry } from '../../core/errors.ts'
import { errors as searchErrors } from '../../core/search.ts'
import { boolean, index, internal, nullable, references, string, text, timestamp } from '../../core/table.ts'
import { errors as userErrors } from '../users/index.ts'

/**
 * `banned` is null until a first ban. An impersonation ends with the administrator who started it, and with `impersonatorSessionId`,
 * the session in which they did.
 */
export const tables = {
  user: { banned: nullable(boolean()), banReason: nullable(text()), banExpires: nullable(timestamp()) },
  session: {
    impersonatedBy: nullable(references('user')),
    impersonatorSessionId: internal(nullable(string({ length: 36 }))),
  },
}

/** The orders and filters of the list of users. Each insert of a user writes them, so that each must be worth it. */
export const indexes = {
  user: [
    index('createdAt', 'id'),
    index('updatedAt', 'id'),
    index('sortName', 'id'),
    index('lastSignInAt', 'id'),
    index('banned', 'createdAt', 'id'),
    index('emailVerified', 'createdAt', 'id'),
    index('role', 'createdAt', 'id'),
    index('banExpires', 'id'),
  ],
  session: [index('impersonatedBy')],
}

const ownErrors = defineErrors({
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: [403, 'You are not allowed to change users role'],
  YOU_CANNOT_DEMOTE_YOURSELF: [400, 'You cannot demote yourself'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS: [403, 'You are not allowed to update users'],
  NO_DATA_TO_UPDATE: [400, 'No data to update'],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS: [403, 'You are not allowed to create users'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS: [403, 'You are not allowed to list users'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS: [403, 'You are not allowed to list users sessions'],
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: [403, 'You are not allowed to ban users'],
  YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS: [403, 'You are not allowed to impersonate users'],
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: [403, 'You are not allowed to revoke users sessions'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS: [403, 'You are not allowed to delete users'],
  YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD: [403, 'You are not allowed to set users password'],
  USER_NOT_FOUND: [404, 'User not found'],
  YOU_CANNOT_BAN_YOURSELF: [400, 'You cannot ban yourself'],
  YOU_CANNOT_REMOVE_YOURSELF: [400, 'You cannot remove yourself'],
  SETTING_PASSWORDS_IS_DISABLED: [403, 'Setting passwords is disabled'],
  YOU_CANNOT_IMPERSONATE_YOURSELF: [400, 'You cannot impersonate yourself'],
  YOU_CANNOT_IMPERSONATE_ADMINS: [403, 'You cannot impersonate admins'],
  REASON_IS_REQUIRED: [400, 'Reason is required'],
  YOU_ARE_NOT_IMPERSONATING_ANYONE: [400, 'You are not impersonating anyone'],
  FAILED_TO_FIND_USER: [500, 'Failed to find user'],
  FAILED_TO_FIND_ADMIN_SESSION: [500, 'Failed to find admin session'],
})
export const errors = { ...searchErrors, ...ownErrors }

/** With the statuses of the contract of these calls, which differ from those of sign-up. */
export const userExists: ErrorEntry = { ...userErrors.USER_ALREADY_EXISTS, status: 400 }
export const creationFailed: ErrorEntry = { ...userErrors.FAILED_TO_CREATE_USER, status: 500 }

/** An id of any kind; a number is converted to text (contract 00 §12). */
export const userId = z.union([z.string().min(1).max(255), z.number().transform(String)])
