/** The shape of events in responses, and the filters of their lists. */
import { z } from 'zod'
import { comparableTime } from '../../core/pages.ts'
import { isoDate } from '../../core/schemas.ts'
import { problemView } from '../audit/index.ts'

const person = z
  .object({
    id: z.string(),
    name: z.string().nullable().describe('Null once the user is deleted'),
    email: z.string().nullable(),
  })
  .meta({ title: 'EventUser' })

const actorKinds = ['user', 'operator', 'system', 'anonymous'] as const
export const outcomes = ['succeeded', 'failed', 'denied'] as const

export const eventView = z
  .object({
    id: z.string(),
    createdAt: isoDate,
    action: z.string().meta({ examples: ['user.signed-in'] }),
    outcome: z.enum(outcomes),
    actor: z.object({
      kind: z.enum(actorKinds),
      id: z.string().nullable().describe('Of the user; during an impersonation of the impersonated user'),
      name: z.string().nullable().describe('Of the user, the operator or the job; null once the user is deleted'),
      email: z.string().nullable(),
      image: z.string().nullable(),
    }),
    impersonatedBy: person.nullable().describe('The administrator who acted as the user'),
    target: z
      .object({ type: z.string().meta({ examples: ['session'] }), id: z.string(), name: z.string().nullable() })
      .nullable()
      .describe('What the event is about'),
    user: person.nullable().describe('The user whom the event is about'),
    organization: z.object({ id: z.string(), name: z.string().nullable(), slug: z.string().nullable() }).nullable(),
    ipAddress: z.string().nullable(),
    requestId: z.string().nullable().describe('The request in the log of the daemon'),
    details: z.record(z.string(), z.unknown()).meta({ examples: [{ method: 'password' }] }),
    sequence: z.int().nullable().describe('Number in the chain; null for the first seconds'),
    hash: z.string().nullable().describe('Keyed hash of this event and of all before it'),
  })
  .meta({ title: 'Event' })

const lists = <T extends string>(allowed?: readonly T[]) =>
  z
    .string()
    .max(1024)
    .transform((text) => text.split(','))
    .pipe(z.array(allowed ? z.enum(allowed) : z.string().min(1).max(64)).max(100))
    .optional()

const exact = (max = 64) => z.string().min(1).max(max).optional()

const time = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .pipe(comparableTime)
  .optional()

/** The filters of a list of events. Several values are separated by commas. */
export const eventFilters = {
  action: lists()
    .describe('Only these actions, separated by commas')
    .meta({ examples: ['user.signed-in,sign-in.failed'] }),
  outcome: lists(outcomes).describe('Only these outcomes, separated by commas'),
  actorKind: lists(actorKinds).describe('Only actors of these kinds, separated by commas'),
  actorId: exact(36).describe('Only events by this user'),
  userId: exact(36).describe('Only events about or by this user'),
  targetType: exact(32),
  targetId: exact().describe('Only events about this target, such as a session'),
  organizationId: exact(36),
  ipAddress: exact(),
  requestId: exact(36),
  createdAfter: time.describe('Only events at or after this time'),
  createdBefore: time.describe('Only events before this time'),
  search: z.string().max(320).optional().describe('An exact email address, ID, IP address or request ID'),
}

export const pageOfEvents = {
  limit: z.coerce.number().int().min(1).max(1000).default(50).describe('Number of events'),
  cursor: z.string().max(1024).optional().describe('A position that a response named'),
  newer: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('Events newer than `cursor`, oldest first; default: older ones, newest first'),
}

export const cursors = {
  nextCursor: z.string().nullable().describe('Position after the last event, in the order of the list; null: there are no more'),
  previousCursor: z
    .string()
    .nullable()
    .describe(
      'With `newer=true`: what was recorded since, and again the events of the last 5 seconds, because some are recorded late; after a page with `cursor`, the events before it. Null: that page is empty',
    ),
}

export const statusView = z.object({
  events: z.int().describe('Number of events in the chain'),
  lastSequence: z.int(),
  verifiedAt: isoDate.nullable(),
  verifiedThrough: z.int().nullable().describe('The last number in the chain that was verified'),
  state: z.enum(['intact', 'broken', 'unverified']),
  problems: z.array(problemView).describe('The first ten'),
  retention: z.int().describe('Seconds after which events are deleted'),
})
