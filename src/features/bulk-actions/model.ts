/** Bulk actions: their rows, and what each kind of them requires and does. */
import type { Selectable } from 'kysely'
import type { App } from '../../core/app.ts'
import { defineErrors, type ErrorEntry } from '../../core/errors.ts'
import type { RequiredPermissions } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { id, index, integer, json, nullable, references, string, timestamp, uniqueIndex } from '../../core/table.ts'
import {
  errors as adminErrors,
  banUser,
  isBanned,
  removeUser,
  revokeSessionsOf,
  setRoleOf,
  type UserFilter,
  type UserMatch,
  unbanUser,
} from '../admin/index.ts'
import type { Database } from '../index.ts'

/** `ended` states are final; `stopped`: the administrator lost the permission, was banned or deleted. */
export const states = ['running', 'paused', 'completed', 'canceled', 'stopped'] as const
export type State = (typeof states)[number]
export const outcomes = ['done', 'failed', 'skipped'] as const
export type Outcome = (typeof outcomes)[number]

/** What an action does to each target. */
export interface ActionInput {
  readonly banReason?: string | undefined
  /** ISO 8601: the same end for all targets. Absent: as configured. */
  readonly banExpires?: string | undefined
  readonly role?: string | undefined
}

/**
 * The targets are fixed when an action is created: users who match later are not touched. A target is done, failed or skipped in the
 * transaction that changes the user, so that no daemon, alive or dead, changes a user twice or leaves one out. The rows name users by
 * ID only and without a foreign key, because a deleted user was a target too.
 */
export const tables = {
  bulkAction: {
    id: id(),
    action: string({ length: 32 }),
    state: string({ length: 16 }),
    input: json<ActionInput>(),
    /** Null: the targets were chosen by ID. */
    filter: nullable(json<UserFilter>()),
    createdBy: string({ length: 36 }),
    idempotencyKey: string({ length: 64 }),
    total: integer(),
    done: integer({ default: 0 }),
    failed: integer({ default: 0 }),
    skipped: integer({ default: 0 }),
    createdAt: timestamp(),
    endedAt: nullable(timestamp()),
    expiresAt: timestamp(),
  },
  bulkActionTarget: {
    id: id(),
    bulkActionId: references('bulkAction'),
    userId: string({ length: 36 }),
    /** Null: it waits. */
    outcome: nullable(string({ length: 16 })),
    /** Of an error, or why it was skipped. */
    code: nullable(string({ length: 100 })),
    expiresAt: timestamp(),
  },
}

export const indexes = {
  bulkAction: [
    uniqueIndex('createdBy', 'idempotencyKey'),
    index('state', 'createdAt'),
    index('createdAt', 'id'),
    index('expiresAt'),
  ],
  bulkActionTarget: [uniqueIndex('bulkActionId', 'userId'), index('bulkActionId', 'outcome', 'id'), index('expiresAt')],
}

export type BulkAction = Selectable<Database['bulkAction']>

export const errors = defineErrors({
  NO_USER_MATCHES: [400, 'No user matches'],
  TOO_MANY_USERS_MATCH: [400, 'Too many users match'],
  BULK_ACTION_NOT_FOUND: [404, 'Bulk action not found'],
  BULK_ACTION_HAS_ENDED: [400, 'Bulk action has ended'],
})

interface ActionKind {
  /** Those of the call that does it for one user. */
  readonly required: RequiredPermissions
  readonly refusal: ErrorEntry
  /** Whether the action would change nothing. */
  readonly isUnchanged: (app: App, user: UserMatch, input: ActionInput) => boolean
  /** What the call for one user does, by the same function. */
  readonly act: (app: App, administrator: UserRow, userId: string, input: ActionInput) => Promise<unknown>
}

const bans = { required: { user: ['ban'] }, refusal: adminErrors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS }

export const actionKinds = {
  ban: {
    ...bans,
    isUnchanged: isBanned,
    act: (app, administrator, userId, { banReason: reason, banExpires }) =>
      banUser(app, administrator, { userId, reason, ...(banExpires !== undefined && { expiresAt: new Date(banExpires) }) }),
  },
  unban: {
    ...bans,
    isUnchanged: (app, user) => !isBanned(app, user),
    act: unbanUser,
  },
  'revoke-sessions': {
    required: { session: ['revoke'] },
    refusal: adminErrors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS,
    isUnchanged: () => false,
    act: (app, administrator, userId) => revokeSessionsOf(app, administrator, userId),
  },
  'set-role': {
    required: { user: ['set-role'] },
    refusal: adminErrors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE,
    isUnchanged: ({ config }, { role }, input) => (role || config.admin.defaultRole) === input.role,
    act: (app, administrator, userId, { role = '' }) => setRoleOf(app, administrator, userId, role),
  },
  remove: {
    required: { user: ['delete'] },
    refusal: adminErrors.YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS,
    isUnchanged: () => false,
    act: removeUser,
  },
} as const satisfies Record<string, ActionKind>

export type ActionName = keyof typeof actionKinds
export const actionNames = Object.keys(actionKinds) as [ActionName, ...ActionName[]]
export const kindOf = (action: string): ActionKind => actionKinds[action as ActionName]
