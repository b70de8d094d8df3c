/** Columns and errors of administration (contract 05 §1, §2). */
import { defineErrors } from '../../core/errors.ts'
import { boolean, index, nullable, references, text, timestamp } from '../../core/table.ts'

/** `banned` is null until a first ban. An impersonation ends with the administrator who started it. */
export const tables = {
  user: { banned: nullable(boolean()), banReason: nullable(text()), banExpires: nullable(timestamp()) },
  session: { impersonatedBy: nullable(references('user')) },
}

/** The orders and filters of the list of users. Each insert of a user writes them, so that each must be worth it. */
export const indexes = {
  user: [
    index('createdAt', 'id'),
    index('sortName', 'id'),
    index('lastSignInAt', 'id'),
    index('banned', 'createdAt', 'id'),
    index('emailVerified', 'createdAt', 'id'),
    index('role', 'createdAt', 'id'),
  ],
}

export const errors = defineErrors({
  SEARCH_TOO_SLOW: [503, 'The search took too long. Narrow it down.'],
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: [403, 'You are not allowed to change users role'],
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
  YOU_ARE_NOT_IMPERSONATING_ANYONE: [400, 'You are not impersonating anyone'],
})
