/** The recent security events of the current user: what happened to their account, without who else did it. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { isoDate } from '../../core/schemas.ts'
import { type EventRow, isByOther, securityActions } from '../audit/index.ts'
import type { SecurityAction } from '../index.ts'
import { readPage } from './pages.ts'
import { outcomes } from './views.ts'

const actors = ['user', 'administrator', 'system', 'anonymous'] as const

export const securityEventView = z
  .object({
    id: z.string(),
    createdAt: isoDate,
    action: z.string().meta({ examples: ['user.signed-in'] }),
    outcome: z.enum(outcomes),
    actor: z
      .enum(actors)
      .describe('`user`: the current user; `anonymous`: a client without a session; `administrator`: also an operator'),
    ipAddress: z.string().nullable().describe('Null for events by an administrator'),
    device: z
      .string()
      .nullable()
      .meta({
        description: 'Browser and system, if they are known; null for events by an administrator',
        examples: ['Chrome 142 on Windows'],
      }),
    method: z
      .string()
      .nullable()
      .meta({ description: 'Sign-in method, provider or kind of second factor', examples: ['password'] }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'Why sessions or trust ended, or a second factor was demanded or not; never a text that someone has written',
        examples: ['password-changed'],
      }),
    count: z.int().describe('Of equal events, or of sessions that ended'),
  })
  .meta({ title: 'SecurityEvent' })

/** Their reasons are codes. Those of others may be texts of administrators. */
const coded: ReadonlySet<string> = new Set<SecurityAction>([
  'user.signed-in',
  'sessions.revoked',
  'password.removed',
  'trusted-device.removed',
  'two-factor.challenged',
])

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * A page of the security events about a user, the newest first.
 * @throws ApiError VALIDATION_ERROR for an invalid cursor
 */
export async function listSecurityEvents(
  app: App,
  userId: string,
  page: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const { rows, nextCursor } = await readPage(app, { aboutId: userId, action: securityActions(app) }, page)
  return { events: rows.map((row) => describe(row, userId)), nextCursor }
}

function describe(row: EventRow, userId: string): z.input<typeof securityEventView> {
  const { id, createdAt, action, details } = row
  const hasOtherClient = isByOther(row, userId)
  return {
    ...{ id, createdAt, action },
    outcome: outcomes.find((outcome) => outcome === row.outcome) ?? 'succeeded',
    actor: actorOf(row, userId),
    ipAddress: hasOtherClient ? null : row.ipAddress,
    device: hasOtherClient ? null : textOf(details.device),
    method: textOf(details.method) ?? textOf(details.providerId) ?? textOf(details.kind),
    reason: reasonOf(row),
    count: typeof details.count === 'number' ? details.count : 1,
  }
}

const reasonOf = ({ action, details }: EventRow): string | null => (coded.has(action) ? textOf(details.reason) : null)

function actorOf(row: EventRow, userId: string): (typeof actors)[number] {
  if (row.actorKind === 'operator') return 'administrator'
  if (row.actorKind === 'anonymous') return 'anonymous'
  if (row.actorKind === 'system') return 'system'
  if (!isByOther(row, userId)) return 'user'
  // A consequence, such as of a sign-in of another user in the same browser.
  return reasonOf(row) === null ? 'administrator' : 'system'
}
