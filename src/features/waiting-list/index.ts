/** The waiting list: visitors leave their email address, and sign up once an administrator has approved it. */
import { z } from 'zod'
import { type ConfigIssue, group, section } from '../../core/config.ts'
import { ApiError, defineErrors } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { exportSource } from '../../core/export-source.ts'
import { type Job, settings } from '../../core/feature.ts'
import { invalidQuery, maxPage } from '../../core/pages.ts'
import { anyone, freshPermission, permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import type { SignUpRule } from '../../core/sign-up.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { isReachableEmail } from '../../lib/placeholder-email.ts'
import { hostedPath } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { mailTemplates } from '../outbox/index.ts'
import { typedEmail, errors as userErrors } from '../users/index.ts'
import {
  addEntry,
  countWaiting,
  type Decision,
  decideEntries,
  deleteEntry,
  type EntryRow,
  isApproved,
  listEntries,
  states,
} from './entries.ts'

export { countWaiting, decideEntries, findEntry, indexes, streamEntries, tables } from './entries.ts'
export { mails } from './mails.ts'

export const area = 'Administration'

export const config = {
  signUp: group('Who may sign up', {
    waitingList: section('A list on which visitors wait for an account; `signUp.mode: "waiting-list"` enables it too', {
      retention: z
        .int()
        .min(86_400)
        .default(31_536_000)
        .describe('Seconds after which an entry is deleted, whatever was decided; default: 365 days'),
      url: z
        .url({ protocol: /^https?$/ })
        .max(2048)
        .optional()
        .describe('Sign-up page of the application, for the email about an approval; default: the hosted page /sign-up'),
    }),
  }),
  ...mailTemplates<{ 'waiting-list-joined': object; 'waiting-list-approved': { readonly url: string } }>({
    'waiting-list-joined': 'that confirms a place on the waiting list',
    'waiting-list-approved': 'with the link to the sign-up, after an approval',
  }),
}

export const enabled = ({ signUp }: Config): boolean => signUp.waitingList.enabled || signUp.mode === 'waiting-list'

export const checkConfig = (config: Config): ConfigIssue[] =>
  config.signUp.waitingList.url === undefined && hostedPath(config, '/sign-up') === null
    ? [
        {
          id: 'waiting-list-without-page',
          path: 'signUp.waitingList.url',
          message: 'An approval leads to no page, because the hosted pages are disabled.',
          hint: 'Set signUp.waitingList.url to the sign-up page of the application, or enable the hosted pages.',
        },
      ]
    : []

export const errors = defineErrors({
  YOU_ARE_NOT_ALLOWED_TO_LIST_THE_WAITING_LIST: [403, 'You are not allowed to list the waiting list'],
  YOU_ARE_NOT_ALLOWED_TO_DECIDE_ON_THE_WAITING_LIST: [403, 'You are not allowed to decide on the waiting list'],
})

export const permissions = { waitingList: ['list', 'decide'] } as const

export const auditActions = {
  'waiting-list.joined': 'An email address was added to the waiting list',
  'waiting-list.approved': 'An entry of the waiting list was approved',
  'waiting-list.declined': 'An entry of the waiting list was declined',
}

export const jobs = {
  expired: {
    every: 86_400,
    run: (app, signal) =>
      sweepEnded(app, signal, {
        table: 'waitingListEntry',
        column: 'createdAt',
        before: ({ now, config: { signUp } }) => new Date(now().getTime() - signUp.waitingList.retention * 1000),
      }),
  },
} satisfies Record<string, Job>

export const publicSettings = settings(
  { waitingList: z.boolean().describe('Whether visitors can join a waiting list') },
  (config) => ({
    waitingList: enabled(config),
  }),
)

export const admitsSignUp: SignUpRule = {
  waives: async (app, { email }, { rejected }) =>
    rejected === 'not-approved' && (await isApproved(app, email)) ? { waived: 'waiting-list' } : null,
}

export const on: Listeners = {
  'user.created': (app, { user }) => deleteEntry(app, user.email),
  'user.erasing': (app, { user }) => deleteEntry(app, user.email),
}

const exists = ({ admin }: Config): boolean => admin.enabled
const list = { waitingList: ['list'] }
const mayDecide = freshPermission({ waitingList: ['decide'] }, errors.YOU_ARE_NOT_ALLOWED_TO_DECIDE_ON_THE_WAITING_LIST)

const entry = z.object({
  id: z.string(),
  email: z.string().meta({ examples: ['ann@example.com'] }),
  name: z.string().nullable(),
  state: z.enum(states),
  createdAt: isoDate,
  decidedAt: isoDate.nullable(),
  decidedBy: z.string().nullable().describe('ID of the administrator; null: not decided, or an operator'),
})
const filter = z.object({
  state: z.enum(states).optional().describe('Only entries in this state'),
  search: z.string().max(320).optional().describe('The start of an email address'),
})
const viewOf = ({ preferredLocale: _, preferredTimeZone: __, state, ...shown }: EntryRow) => ({
  ...shown,
  state: states.find((known) => known === state) ?? 'waiting',
})

export const exportSources = {
  'waiting-list': exportSource({
    access: freshPermission(list, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_THE_WAITING_LIST),
    filter,
    view: () => entry,
    readPage: async (app, given, page) => {
      const { rows, next } = await listEntries(app, { ...given, ...page })
      return { rows: rows.map(viewOf), nextCursor: next }
    },
  }),
}

const decided = (decision: Decision, summary: string, description: string) =>
  route({
    summary,
    description,
    exists,
    access: mayDecide,
    body: z.object({
      ids: z
        .array(z.string().min(1).max(36))
        .min(1)
        .max(500)
        .describe('IDs of entries')
        .meta({ examples: [['5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS']] }),
    }),
    returns: z.object({ changed: z.int().describe('Entries that had another state before') }),
    handler: async (ctx) => ({ changed: await decideEntries(ctx, [...new Set(ctx.body.ids)], decision, ctx.user.id) }),
  })

export const routes = {
  'POST /waiting-list/join': route({
    summary: 'Join the waiting list',
    description:
      'Adds an email address to the waiting list. The response is the same whether or not it is on the list, or belongs to a user. Fails when the text is not an email address.',
    area: 'Sign-up and sign-in',
    access: anyone(),
    body: z.object({ email: typedEmail, name: z.string().trim().min(1).max(200).optional() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [userErrors.INVALID_EMAIL],
    rateLimit: { window: 60, max: 5 },
    handler: async (ctx) => {
      if (!isReachableEmail(ctx.body.email)) throw new ApiError(userErrors.INVALID_EMAIL)
      await addEntry(ctx, ctx.body)
      return { status: true as const }
    },
  }),
  'GET /admin/list-waiting-list': route({
    summary: 'List the waiting list',
    description:
      'Returns a page of the entries, the oldest first, with a search by email address, and how many wait, 10,001 at most.',
    exists,
    access: permission(list, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_THE_WAITING_LIST),
    query: filter.extend({
      limit: z.coerce.number().int().min(1).max(maxPage).default(50).describe('Number of entries'),
      cursor: z.string().max(1024).optional().describe('Continue after a page: its `nextCursor`, with the same filters'),
    }),
    returns: z.object({
      entries: z.array(entry),
      waiting: z.int(),
      nextCursor: z.string().nullable().describe('For `cursor`; null: this is the last page'),
    }),
    errors: [invalidQuery],
    handler: async (ctx) => {
      const [{ rows, next }, waiting] = await Promise.all([listEntries(ctx, ctx.query), countWaiting(ctx)])
      return { entries: rows.map(viewOf), waiting, nextCursor: next }
    },
  }),
  'POST /admin/approve-waiting-list': decided(
    'approved',
    'Approve entries of the waiting list',
    'Lets the owners of these email addresses sign up, and sends each of them an email. Entries that are approved already stay as they are.',
  ),
  'POST /admin/decline-waiting-list': decided(
    'declined',
    'Decline entries of the waiting list',
    'Declines entries: their email addresses cannot sign up. No email is sent. A declined entry can be approved later.',
  ),
}
