/** Calls with which administrators freeze what is under attack, and revoke the sessions of an attacker. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { freezeKinds } from '../../core/freezes.ts'
import { freshPermission, permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { neverAborted } from '../../core/sweep.ts'
import type { Config } from '../index.ts'
import { revocationFilter } from './filter.ts'
import { freeze, readFreezes, unfreeze } from './freezes.ts'
import { errors, type RevocationRow, revocationStates } from './model.ts'
import { countSessions, createRevocation } from './revocation.ts'

const exists = ({ admin }: Config): boolean => admin.enabled

const kind = z.enum(freezeKinds).describe('`sign-up`: no new users; `sign-in`: no new sessions; `writes`: read-only mode')
const reason = z.string().max(200).optional().describe('For the audit log and other administrators')

const freezeView = z
  .object({
    kind,
    since: isoDate,
    reason: z.string().nullable(),
    by: z
      .string()
      .nullable()
      .describe('Email address of the administrator, or the name of the operator; null: the user was deleted')
      .meta({ examples: ['root@example.com'] }),
    expiresAt: isoDate.nullable().describe('Null: until it is lifted'),
  })
  .meta({ title: 'Freeze' })

const revocationView = z
  .object({
    id: z.string(),
    filter: z.record(z.string(), z.unknown()).meta({ examples: [{ ip: '192.0.2.0/24' }] }),
    reason: z.string().nullable(),
    state: z
      .enum(revocationStates)
      .describe('`stopped`: the command was interrupted, or the administrator lost the permission, was banned or was deleted'),
    revoked: z.int().describe('Sessions revoked so far'),
    by: z
      .string()
      .nullable()
      .describe('Email address of the administrator, or the name of the operator; null: the user was deleted')
      .meta({ examples: ['root@example.com'] }),
    createdAt: isoDate,
    endedAt: isoDate.nullable(),
  })
  .meta({ title: 'Revocation' })

const incident = z.object({
  frozen: z.array(freezeView),
  revocations: z.array(revocationView).describe('The last ten, newest first'),
})

/** Shown on one page. */
const mostShown = 10

type Emails = ReadonlyMap<string, string>

async function readEmails(app: App, ids: readonly (string | null)[]): Promise<Emails> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return new Map()
  const users = await app.db.selectFrom('user').select(['id', 'email']).where('id', 'in', known).execute()
  return new Map(users.map(({ id, email }) => [id, email]))
}

const authorOf = (userId: string | null, operator: string | null, emails: Emails): string | null =>
  userId === null ? operator : (emails.get(userId) ?? null)

async function describeFreezes(app: App): Promise<z.input<typeof freezeView>[]> {
  const rows = await readFreezes(app)
  const emails = await readEmails(
    app,
    rows.map(({ actorId }) => actorId),
  )
  return rows.map(({ actorId, actorName, ...row }) => ({ ...row, by: authorOf(actorId, actorName, emails) }))
}

const describeRevocation = ({ state, createdBy, actorName, filter, ...row }: RevocationRow, emails: Emails) => ({
  ...row,
  filter: { ...filter },
  state: revocationStates.find((one) => one === state) ?? 'stopped',
  by: authorOf(createdBy, actorName, emails),
})

async function describeIncident(app: App): Promise<z.input<typeof incident>> {
  const latest = app.db.selectFrom('incidentRevocation').selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc')
  const rows = await latest.limit(mostShown).execute()
  const emails = await readEmails(
    app,
    rows.map(({ createdBy }) => createdBy),
  )
  return { frozen: await describeFreezes(app), revocations: rows.map((row) => describeRevocation(row, emails)) }
}

/** Milliseconds for which a preview counts: a call must not wait for millions of rows. */
const previewMs = 2000

const isLateAfter = ({ now }: App, milliseconds: number): (() => boolean) => {
  const end = now().getTime() + milliseconds
  return () => now().getTime() >= end
}

const example = { since: '2026-01-31T12:00:00Z', ip: '192.0.2.0/24' }

export const routes = {
  'GET /admin/incident': route({
    summary: 'Get the state of an incident',
    description: 'Returns what is frozen, and the last revocations. Only for users whose role permits `incident:read`.',
    access: permission({ incident: ['read'] }),
    exists,
    returns: incident,
    handler: describeIncident,
  }),
  'POST /admin/incident/preview': route({
    summary: 'Count the sessions of a revocation',
    description:
      'Returns how many live sessions match all given filters, and of how many users. It counts for two seconds at most; `isComplete` says whether it came to the end. Changes nothing. Fails without a filter.',
    access: permission({ incident: ['revoke'] }),
    exists,
    isRead: true,
    body: revocationFilter.meta({ examples: [example] }),
    returns: z.object({ sessions: z.int(), users: z.int(), isComplete: z.boolean() }),
    errors: [errors.INCIDENT_FILTER_REQUIRED],
    handler: (ctx) => countSessions(ctx, ctx.body, { signal: neverAborted, isLate: isLateAfter(ctx, previewMs) }),
  }),
  'POST /admin/incident/revoke': route({
    summary: 'Revoke the sessions of an incident',
    description:
      'Revokes all sessions that match all given filters. Every daemon rejects them within about a second, and one deletes them after the response: `GET /admin/incident` has its progress. The own session may be among them. Records one event with the filters and the count. Fails without a filter.',
    access: freshPermission({ incident: ['revoke'] }),
    whileReadOnly: 'served',
    stepUp: 'recent',
    rejectsApiKeys: true,
    exists,
    body: revocationFilter.extend({ reason }).meta({ examples: [{ ...example, reason: 'Stolen laptop' }] }),
    returns: revocationView,
    errors: [errors.INCIDENT_FILTER_REQUIRED],
    handler: async (ctx) => {
      const { reason, ...filter } = ctx.body
      const row = await createRevocation(ctx, filter, reason)
      return describeRevocation(row, await readEmails(ctx, [row.createdBy]))
    },
  }),
  'POST /admin/incident/freeze': route({
    summary: 'Freeze sign-up, sign-in or writes',
    description:
      'Freezes one of them on every daemon within about a second, or changes reason and end of its freeze. `sign-up`: public calls create no users. `sign-in`: no new sessions, but for users whose role permits `incident:freeze`. `writes`: calls that change data fail with `READ_ONLY`. Returns what is frozen.',
    access: freshPermission({ incident: ['freeze'] }),
    whileReadOnly: 'served',
    stepUp: 'recent',
    rejectsApiKeys: true,
    exists,
    body: z.object({
      kind,
      reason,
      seconds: z.int().positive().max(31_536_000).optional().describe('Absent: until it is lifted'),
    }),
    returns: z.array(freezeView),
    handler: async (ctx) => {
      const { kind, reason, seconds } = ctx.body
      await freeze(ctx, kind, { reason, seconds })
      return describeFreezes(ctx)
    },
  }),
  'POST /admin/incident/unfreeze': route({
    summary: 'Lift freezes',
    description:
      'Lifts one freeze or, without `kind`, all of them. Succeeds also when nothing is frozen. Returns what is still frozen.',
    access: freshPermission({ incident: ['freeze'] }),
    whileReadOnly: 'served',
    stepUp: 'recent',
    rejectsApiKeys: true,
    exists,
    body: z.object({ kind: kind.optional(), reason }),
    returns: z.array(freezeView),
    handler: async (ctx) => {
      const { kind, reason } = ctx.body
      await unfreeze(ctx, kind ? [kind] : freezeKinds, reason)
      return describeFreezes(ctx)
    },
  }),
}
