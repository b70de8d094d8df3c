/** Reading the audit log: events with the names of those whom they are about, for administrators and for organizations. */
import { z } from 'zod'
import { ApiError, defineErrors, errors as kernelErrors } from '../../core/errors.ts'
import { exportSource } from '../../core/export-source.ts'
import { invalidQuery } from '../../core/pages.ts'
import { freshPermission, permission, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { errors as searchErrors, startSearch } from '../../core/search.ts'
import { readAuditStatus, readEvent } from '../audit/index.ts'
import type { Config } from '../index.ts'
import { memberAllows, errors as organizationErrors, requireMembership } from '../organizations/index.ts'
import { describeEvents, forOrganization } from './description.ts'
import { listEvents } from './pages.ts'
import { listSecurityEvents, securityEventView } from './security-events.ts'
import { cursors, eventFilters, eventView, pageOfEvents, statusView } from './views.ts'

export type { DescribedEvent } from './description.ts'
export { followEvents, streamEvents } from './stream.ts'

export const area = 'Audit log'
export const plugin = 'admin'

export const errors = defineErrors({ EVENT_NOT_FOUND: [404, 'Event not found'] })

const exists = ({ admin }: Config): boolean => admin.enabled
const mayList = permission({ event: ['list'] })

export const exportSources = {
  events: exportSource({
    access: freshPermission({ event: ['list'] }),
    filter: z.object(eventFilters),
    view: () => eventView,
    readPage: async (app, filter, page) => {
      const { events: rows, nextCursor } = await listEvents(app, { ...filter, ...page }, startSearch(app, 'auditEvent.id'))
      return { rows, nextCursor }
    },
  }),
}

export const routes = {
  'GET /list-security-events': route({
    summary: 'List recent security events',
    description:
      'Returns a page of what happened to the security of the account of the current user, newest first: sign-ins, sign-in methods, second factors, sessions, API keys and resets. Names no administrator. A page may have fewer events than `limit`, also none, while `nextCursor` is not null. Contains events of the last `audit.retention` seconds.',
    area: 'User profile',
    access: session(),
    sensitive: true,
    query: z.object({ limit: z.coerce.number().int().min(1).max(50).default(20), cursor: pageOfEvents.cursor }),
    returns: z.object({ events: z.array(securityEventView), nextCursor: cursors.nextCursor }),
    errors: [invalidQuery],
    handler: (ctx) => listSecurityEvents(ctx, ctx.user.id, ctx.query),
  }),
  'GET /admin/list-events': route({
    summary: 'List events',
    description:
      'Returns a page of the audit log, newest first, with the names of users and organizations that still exist. A page of several filters may have fewer events than `limit`, also none, while `nextCursor` is not null: continue there. Fails with 503 when it takes longer than `admin.listTimeout`. Only for users whose role permits `event:list`.',
    access: mayList,
    exists,
    query: z.object({ ...pageOfEvents, ...eventFilters }),
    returns: z.object({ events: z.array(eventView), ...cursors }),
    errors: [invalidQuery, searchErrors.SEARCH_TOO_SLOW],
    handler: (ctx) => listEvents(ctx, ctx.query, startSearch(ctx, 'auditEvent.id')),
  }),
  'GET /admin/get-event': route({
    summary: 'Get an event',
    description:
      'Returns an event, and whether its keyed hashes match its content. Only for users whose role permits `event:list`.',
    access: mayList,
    exists,
    query: z.object({ id: z.string().max(36) }),
    returns: eventView.extend({
      previousHash: z.string().nullable().describe('Hash of the event before it'),
      isValid: z.boolean().describe('Whether the content is as recorded'),
    }),
    errors: [errors.EVENT_NOT_FOUND],
    handler: async (ctx) => {
      const found = await readEvent(ctx, ctx.query.id)
      const [event] = found ? await describeEvents(ctx, [found.row]) : []
      if (!found || !event) throw new ApiError(errors.EVENT_NOT_FOUND)
      return { ...event, previousHash: found.previousHash, isValid: found.isValid }
    },
  }),
  'GET /admin/audit-status': route({
    summary: 'Get the state of the audit log',
    description:
      'Returns the size of the audit log and the result of its last verification. Only for users whose role permits `event:list`.',
    access: mayList,
    exists,
    returns: statusView,
    handler: (ctx) => readAuditStatus(ctx),
  }),
  'GET /organization/list-events': route({
    summary: 'List events of an organization',
    description:
      'Returns a page of what happened in an organization, newest first; default: the active one. Requires the permission `organization:update`. A page may have fewer events than `limit`, also none, while `nextCursor` is not null. Contains no IP address, and no email address of a user.',
    access: session(),
    exists: ({ organization }: Config) => organization.enabled,
    query: z.object({
      ...pageOfEvents,
      organizationId: eventFilters.organizationId,
      action: eventFilters.action,
      outcome: eventFilters.outcome,
    }),
    returns: z.object({ events: z.array(eventView), ...cursors }),
    errors: [
      organizationErrors.NO_ACTIVE_ORGANIZATION,
      organizationErrors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION,
      kernelErrors.FORBIDDEN,
      invalidQuery,
      searchErrors.SEARCH_TOO_SLOW,
    ],
    handler: async (ctx) => {
      const member = await requireMembership(ctx, ctx.query)
      if (!(await memberAllows(ctx, member, { organization: ['update'] }))) throw new ApiError(kernelErrors.FORBIDDEN)
      const { organizationId } = member
      const { events, ...page } = await listEvents(ctx, { ...ctx.query, organizationId }, startSearch(ctx, 'auditEvent.id'))
      return { events: events.map(forOrganization), ...page }
    },
  }),
}
