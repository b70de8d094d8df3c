/**
 * The audit log: one event for each authentication, each denied access and each change, written in the transaction of what it
 * reports. Events name users by id only, so that they are pseudonymous once a user is erased.
 */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { group } from '../../core/config.ts'
import { event } from '../../core/events.ts'
import { type Job, ofAccount } from '../../core/feature.ts'
import { bigint, id, index, json, nullable, string, text, timestamp, uniqueIndex } from '../../core/table.ts'
import { chainJob } from './chain.ts'
import { closeDenials } from './denials.ts'
import { erasures, tables as erasureTables } from './erasure.ts'
import type { EventRow } from './event.ts'
import { closeRepeated } from './repeated.ts'
import { sweepEvents } from './retention.ts'
import { verifyJob } from './verification.ts'

export { denied, flushDenials, noteDenied } from './denials.ts'
export { eraseAddresses, on, readErasures } from './erasure.ts'
export {
  type AuditAction,
  type AuditEvent,
  type EventRow,
  isByOther,
  isSecurityAction,
  recordEvent,
  recordEvents,
  securityActions,
} from './event.ts'
export {
  type EventFilter,
  type EventPosition,
  findEvents,
  readChained,
  readEvents,
  readUnchained,
} from './event-list.ts'
export { gauges, readUnnumbered } from './gauges.ts'
export { recordRepeated } from './repeated.ts'
export { type Problem, problemView } from './state.ts'
export { readAuditStatus, readEvent, verifyEvents } from './verification.ts'

export const area = 'Audit log'

export const config = {
  audit: group('The audit log: authentications, denied accesses and changes', {
    retention: z.int().min(86_400).default(34_560_000).describe('Seconds after which events are deleted; default: 400 days'),
    log: z
      .boolean()
      .default(true)
      .describe(
        'Log each event, and once a minute the end of the chain, as one line too, so that it is shipped with the log; without details. `latchkey dev` logs none',
      ),
  }),
}

/**
 * `code` is a keyed hash of the other columns, made with the row; of the IP address it covers the keyed hash `ipHash`, so that the
 * address can be erased. A job then gives each row its `sequence` in the chain, and `hash`, a
 * keyed hash of its code and of the row before it; nothing else ever changes. Ids have no foreign keys, because events outlive rows.
 */
export const tables = {
  ...erasureTables,
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
    ipHash: nullable(string({ length: 64 })),
    requestId: nullable(string({ length: 36 })),
    details: json<Record<string, unknown>>(),
    code: string({ length: 64 }),
    sequence: nullable(bigint()),
    hash: nullable(string({ length: 64 })),
  },
  /** The ends of the chain, and the result of its last verification; `code` is a keyed hash of the other columns. */
  auditState: {
    id: id(),
    sequence: bigint(),
    hash: string({ length: 64 }),
    updatedAt: timestamp(),
    details: text(),
    code: string({ length: 64 }),
  },
}

export const indexes = {
  auditEvent: [
    uniqueIndex('sequence'),
    index('createdAt', 'id'),
    index('userId', 'createdAt', 'id'),
    // With `action`, so that the frequent pair of filters is read from the index alone.
    index('actorId', 'createdAt', 'id', 'action'),
    index('organizationId', 'createdAt', 'id'),
    index('action', 'createdAt', 'id'),
    index('outcome', 'createdAt', 'id'),
    index('actorKind', 'createdAt', 'id'),
    index('targetType', 'createdAt', 'id'),
    index('targetId', 'createdAt', 'id'),
    index('ipAddress', 'createdAt', 'id'),
    index('requestId'),
  ],
}

export async function close(app: App): Promise<void> {
  await closeDenials(app)
  await closeRepeated(app)
}

export const events = {
  /** In the transaction that gives events their numbers: each event is part of exactly one of these. */
  'events.chained': event<{ readonly events: readonly EventRow[] }>(),
}

export const jobs: Readonly<Record<string, Job>> = {
  chain: chainJob,
  erasures,
  retention: { every: 3600, run: sweepEvents },
  verification: verifyJob,
}

/** Who may read the audit log of the installation. */
export const permissions = { event: ['list'] } as const

export const auditActions = {
  'access.denied': 'A call was rejected: no session, no permission, or not from an allowed origin',
  'sign-in.failed': ofAccount('A password, code or link did not authenticate a user'),
  'rate-limit.reached': 'A call was rejected by a rate limit or by backoff',
  'audit.events-discarded': 'Rejected calls were counted but not recorded: there were too many, or the database was unavailable',
  'audit.head-changed': 'The end of the audit log was changed by something other than Latchkey',
  'audit.verified': 'The audit log was verified',
  'audit.events-deleted': 'Events past the retention time were deleted',
}
