/**
 * The audit log: one event for each authentication, each denied access and each change, written in the transaction of what it
 * reports. Events name users by id only, so that they are pseudonymous once a user is erased.
 */

import type { Selectable } from 'kysely'
import { z } from 'zod'
import { group } from '../../core/config.ts'
import { event } from '../../core/events.ts'
import { bigint, id, index, json, nullable, string, timestamp, uniqueIndex } from '../../core/table.ts'
import type { Database } from '../index.ts'

export { denied, flushDenials } from './denials.ts'
export { type AuditAction, type AuditEvent, recordEvent, recordEvents } from './event.ts'

export const area = 'Audit log'

export const events = {
  /** In the transaction that gives these events their place in the chain: once for each event. */
  'events.chained': event<{ readonly events: readonly Selectable<Database['auditEvent']>[] }>(),
}

export const config = {
  audit: group('The audit log: authentications, denied accesses and changes', {
    retention: z.int().min(86_400).default(34_560_000).describe('Seconds after which events are deleted; default: 400 days'),
  }),
}

/**
 * `code` is a keyed hash of the other columns, made with the row. A job then gives each row its `sequence` in the chain, and `hash`, a
 * keyed hash of its code and of the row before it; nothing else ever changes. Ids have no foreign keys, because events outlive rows.
 */
export const tables = {
  auditEvent: {
    id: id(),
    createdAt: timestamp(),
    action: string({ length: 64 }),
    /** `succeeded`, `failed` (a wrong password, an expired link) or `denied` (a missing permission, a rate limit). */
    outcome: string({ length: 16 }),
    /** `user`, `operator`, `system` or `anonymous`. */
    actorKind: string({ length: 16 }),
    actorId: nullable(string({ length: 36 })),
    /** The name of the operator or of the job. */
    actorName: nullable(string({ length: 64 })),
    /** The administrator who acts as `actorId`. */
    impersonatedBy: nullable(string({ length: 36 })),
    /** Such as `user`, `session` or `team`. */
    targetType: nullable(string({ length: 32 })),
    targetId: nullable(string({ length: 64 })),
    /** The user whom the event is about, also when the target is one of their sessions or accounts. */
    userId: nullable(string({ length: 36 })),
    organizationId: nullable(string({ length: 36 })),
    ipAddress: nullable(string({ length: 64 })),
    requestId: nullable(string({ length: 36 })),
    details: json<Record<string, unknown>>(),
    code: string({ length: 64 }),
    sequence: nullable(bigint()),
    hash: nullable(string({ length: 64 })),
  },
}

export const indexes = {
  auditEvent: [
    uniqueIndex('sequence'),
    index('createdAt', 'id'),
    index('userId', 'createdAt', 'id'),
    index('actorId', 'createdAt', 'id'),
    index('organizationId', 'createdAt', 'id'),
    index('action', 'createdAt', 'id'),
  ],
}

/** Who may read the audit log of the installation. */
export const permissions = { event: ['list'] } as const

export const auditActions = {
  'access.denied': 'A call was rejected: no session, no permission, or not from an allowed origin',
  'sign-in.failed': 'A password, code or link did not authenticate a user',
  'rate-limit.reached': 'A call was rejected by a rate limit or by backoff',
  'audit.events-discarded': 'Rejected calls were counted but not recorded: there were too many, or the database was unavailable',
}
