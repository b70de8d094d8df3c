/**
 * Records in the audit log who reads personal data of others, and to whom secrets are handed out. One place for all calls: a test
 * derives them from the declared routes.
 */

import type { CallContext } from '../../core/request.ts'
import type { AfterStep } from '../../core/steps.ts'
import { isObject } from '../../lib/objects.ts'
import { type AuditAction, type AuditEvent, recordRepeated } from '../audit/index.ts'

export const auditActions = {
  'users.listed': 'An administrator listed users; `filters` are the names of the parameters',
  'user.read':
    'An administrator read a user, their accounts, second factors or organizations, or an explanation of their sign-in',
  'user.sessions-read': 'An administrator listed the sessions of a user',
  'organizations.listed': 'An administrator listed organizations',
  'organization.read': 'An administrator read an organization or its members',
  'events.read': 'Events of the audit log were read',
  'mails.listed': 'An administrator listed outgoing emails with their recipients',
  'waiting-list.listed': 'An administrator listed the applicants on the waiting list',
  'limits.read': 'An administrator read the rate limits and lockouts of an IP address or account',
  'account.token-issued': 'The access token of a linked account was handed out',
  'jwt.issued': 'A JSON Web Token was handed out',
  'one-time-token.created': 'A one-time token for the session was handed out',
} as const

type Input = CallContext & Readonly<Record<'query' | 'body', Readonly<Record<string, unknown>> | undefined>>
type Described = Pick<AuditEvent, 'target' | 'organizationId' | 'userId' | 'details'>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const userTarget = (id: unknown): Described => ({ target: { type: 'user', id: textOf(id).slice(0, 36) } })
const organizationTarget = (id: unknown): Described => {
  const organizationId = textOf(id).slice(0, 36)
  return organizationId === '' ? {} : { target: { type: 'organization', id: organizationId }, organizationId }
}
const own = async (ctx: CallContext): Promise<Described> => userTarget((await ctx.identify())?.user.id)

/** Only the names of parameters: their values are personal data, and events outlive users. */
const list =
  (name: string) =>
  ({ query }: Input, result: unknown): Described => {
    const rows = isObject(result) ? result[name] : undefined
    const paging = ['limit', 'offset', 'cursor', 'newer', 'total']
    const filters = Object.entries(query ?? {}).flatMap(([key, value]) =>
      value === undefined || paging.includes(key) ? [] : [key],
    )
    return { details: { filters, rows: Array.isArray(rows) ? rows.length : 0 } }
  }

const step =
  (route: string, action: AuditAction, describe: (ctx: Input, result: unknown) => Described | Promise<Described>): AfterStep =>
  async (ctx, result) => {
    const { details, ...described } = await describe(ctx as Input, result)
    await recordRepeated(ctx, { action, ...described, details: { route, ...details } })
  }

const disclosing: Readonly<Record<string, readonly [AuditAction, Parameters<typeof step>[2]]>> = {
  'GET /admin/list-users': ['users.listed', list('users')],
  'GET /admin/list-bulk-action-targets': ['users.listed', list('targets')],
  'GET /admin/list-terms-acceptances': ['users.listed', list('acceptances')],
  'GET /admin/get-user': ['user.read', ({ query }) => userTarget(query?.id)],
  'GET /admin/list-user-accounts': ['user.read', ({ query }) => userTarget(query?.userId)],
  'GET /admin/list-user-organizations': ['user.read', ({ query }) => userTarget(query?.userId)],
  'GET /admin/list-user-factors': ['user.read', ({ query }) => userTarget(query?.userId)],
  'GET /admin/explain-sign-in': ['user.read', ({ query }) => userTarget(query?.userId)],
  'GET /admin/user-lock': ['user.read', ({ query }) => userTarget(query?.userId)],
  'POST /admin/list-user-sessions': ['user.sessions-read', ({ body }) => userTarget(body?.userId)],
  'GET /admin/list-organizations': ['organizations.listed', list('organizations')],
  'GET /admin/get-organization': ['organization.read', ({ query }) => organizationTarget(query?.id)],
  'GET /admin/list-organization-members': ['organization.read', ({ query }) => organizationTarget(query?.organizationId)],
  'GET /admin/list-events': ['events.read', list('events')],
  'GET /admin/get-event': ['events.read', ({ query }) => ({ target: { type: 'event', id: textOf(query?.id) } })],
  'GET /organization/list-events': ['events.read', ({ query }) => organizationTarget(query?.organizationId)],
  'GET /admin/explain': ['events.read', (_, result) => describeExplained(result)],
  'GET /admin/list-mails': ['mails.listed', list('mails')],
  'GET /admin/list-waiting-list': ['waiting-list.listed', list('entries')],
  'GET /admin/explain-limits': ['limits.read', list('lockouts')],
  'GET /admin/list-lockouts': ['limits.read', list('lockouts')],
  'POST /get-access-token': ['account.token-issued', async (ctx) => describeTokens(ctx)],
  'POST /refresh-token': ['account.token-issued', async (ctx) => describeTokens(ctx)],
  'GET /token': ['jwt.issued', own],
  'GET /one-time-token/generate': ['one-time-token.created', own],
}

/** Without what was looked up, which may be an email address. */
function describeExplained(result: unknown): Described {
  const { userId, subject } = Object(result)
  return textOf(userId) === '' ? { details: { filters: [textOf(Object(subject).kind)] } } : userTarget(userId)
}

async function describeTokens(ctx: Input): Promise<Described> {
  const { providerId, userId } = ctx.body ?? {}
  const of = typeof userId === 'string' ? userTarget(userId) : await own(ctx)
  return { ...of, details: { providerId: textOf(providerId).slice(0, 64) } }
}

export const after = Object.fromEntries(
  Object.entries(disclosing).map(([route, [action, describe]]) => [route, step(route, action, describe)]),
)
