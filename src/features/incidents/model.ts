/** What is frozen, and the revocations that administrators have started: their rows, and the errors of rejected calls. */
import type { Selectable } from 'kysely'
import { defineErrors, type ErrorEntry } from '../../core/errors.ts'
import { id, index, integer, json, nullable, string, timestamp, unique } from '../../core/table.ts'
import type { Database } from '../index.ts'

/** Of which sessions a revocation is; all filters that are given must match. */
export interface RevocationFilter {
  /** ISO 8601: signed in at this time or later. */
  readonly since?: string | undefined
  /** An IP address, or a network such as `192.0.2.0/24`. */
  readonly ip?: string | undefined
  /** As in the audit log, such as `password`; without what follows a colon, all of its kind. */
  readonly method?: string | undefined
  readonly organizationId?: string | undefined
}

/** `stopped`: the command was interrupted, or the administrator lost the permission, was banned or deleted. */
export const revocationStates = ['running', 'completed', 'stopped'] as const
export type RevocationState = (typeof revocationStates)[number]

/** Users are named by ID only, because they may be deleted before the rows are. */
export const tables = {
  incidentFreeze: {
    id: id(),
    kind: unique(string({ length: 16 })),
    since: timestamp(),
    reason: nullable(string({ length: 200 })),
    /** The administrator; null for an operator at the command line. */
    actorId: nullable(string({ length: 36 })),
    actorName: nullable(string({ length: 64 })),
    /** Null: until it is lifted. */
    expiresAt: nullable(timestamp()),
  },
  incidentRevocation: {
    id: id(),
    filter: json<RevocationFilter>(),
    reason: nullable(string({ length: 200 })),
    state: string({ length: 16 }),
    /** The administrator; null for an operator, whose command does the work itself. */
    createdBy: nullable(string({ length: 36 })),
    actorName: nullable(string({ length: 64 })),
    revoked: integer({ default: 0 }),
    createdAt: timestamp(),
    endedAt: nullable(timestamp()),
    expiresAt: timestamp(),
  },
}

export const indexes = {
  incidentRevocation: [index('state', 'createdAt'), index('createdAt', 'id'), index('expiresAt')],
}

export type FreezeRow = Selectable<Database['incidentFreeze']>
export type RevocationRow = Selectable<Database['incidentRevocation']>

export const errors = defineErrors({
  READ_ONLY: [503, 'Changes are not possible at the moment. Please try again later.'],
  INCIDENT_FILTER_REQUIRED: [400, 'At least one filter is required'],
})

/** Of the family of FAILED_TO_CREATE_SESSION, so that each call that creates sessions declares it. */
export const signInFrozen: ErrorEntry = {
  status: 403,
  code: 'SIGN_IN_FROZEN',
  message: 'Sign-in is paused at the moment. Please try again later.',
  family: 'FAILED_TO_CREATE_SESSION',
}

/** Of the family of FAILED_TO_CREATE_USER, so that each call that creates users declares it. */
export const signUpFrozen: ErrorEntry = {
  status: 403,
  code: 'SIGN_UP_FROZEN',
  message: 'Sign-up is paused at the moment. Please try again later.',
  family: 'FAILED_TO_CREATE_USER',
}
