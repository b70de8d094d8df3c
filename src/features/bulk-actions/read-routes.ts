/** Calls with which administrators watch bulk actions. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { exportSource } from '../../core/export-source.ts'
import { cutPage, isAfter, maxPage, readPosition } from '../../core/pages.ts'
import { freshPermission, permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { errors as adminErrors } from '../admin/index.ts'
import { errors, outcomes } from './model.ts'
import { bulkAction, getAction, oneAction, selectActions, viewOf } from './view.ts'

const mayList = permission({ user: ['list'] }, adminErrors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS)

const target = z.object({
  id: z.string(),
  userId: z.string(),
  email: z.string().nullable().describe('Null: the user was deleted'),
  outcome: z.enum(outcomes),
  code: z
    .string()
    .nullable()
    .describe('Of an error; of a skipped target the reason')
    .meta({ examples: ['FAILED_TO_UPDATE_USER'] }),
})
const pageOf = { limit: z.coerce.number().int().min(1).max(maxPage).default(50), cursor: z.string().max(2048).optional() }
const nextCursor = z.string().nullable().describe('For `cursor`; null: this is the last page')

const targetFilter = z.object({ ...oneAction.shape, outcome: z.enum(outcomes).default('failed') })
type TargetQuery = z.output<typeof targetFilter> & { readonly limit: number; readonly cursor?: string | undefined }

async function listTargets({ db }: App, { id, outcome, limit, cursor }: TargetQuery) {
  const position = await readPosition({ cursor }, 'text')
  const all = db
    .selectFrom('bulkActionTarget')
    .leftJoin('user', 'user.id', 'bulkActionTarget.userId')
    .select(['bulkActionTarget.id', 'bulkActionTarget.userId', 'bulkActionTarget.code', 'user.email'])
    .where('bulkActionId', '=', id)
    .where('outcome', '=', outcome)
    .orderBy('bulkActionTarget.id')
    .limit(limit + 1)
  const found = await (position ? all.where('bulkActionTarget.id', '>', position[1]) : all).execute()
  const { rows, next } = cutPage(found, limit, (row) => ['', row.id])
  return { rows: rows.map((row) => ({ ...row, outcome })), nextCursor: next }
}

export const exportSources = {
  'bulk-action-targets': exportSource({
    access: freshPermission({ user: ['list'] }, adminErrors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS),
    filter: targetFilter,
    view: () => target,
    readPage: async (app, filter, page) => {
      const [targets, action] = await Promise.all([listTargets(app, { ...filter, ...page }), getAction(app, filter.id)])
      return { ...targets, total: action[filter.outcome] }
    },
  }),
}

export const readRoutes = {
  'GET /admin/list-bulk-actions': route({
    summary: 'List bulk actions',
    description: 'Returns the bulk actions of all administrators in the last 30 days, newest first.',
    access: mayList,
    query: z.object(pageOf),
    returns: z.object({ actions: z.array(bulkAction), nextCursor }),
    handler: async (ctx) => {
      const { limit, cursor } = ctx.query
      const position = await readPosition({ cursor }, 'time')
      const ordered = selectActions(ctx).orderBy('bulkAction.createdAt', 'desc').orderBy('bulkAction.id', 'desc')
      const all = ordered.limit(limit + 1)
      const columns = ['bulkAction.createdAt', 'bulkAction.id'] as const
      const found = await (position ? all.where(isAfter(columns, position, 'desc')) : all).execute()
      const { rows, next } = cutPage(found, limit, ({ createdAt, id }) => [createdAt, id])
      return { actions: rows.map(viewOf), nextCursor: next }
    },
  }),
  'GET /admin/get-bulk-action': route({
    summary: 'Get a bulk action',
    description: 'Returns a bulk action with the number of users that were changed, failed and were skipped so far.',
    access: mayList,
    query: oneAction,
    returns: bulkAction,
    errors: [errors.BULK_ACTION_NOT_FOUND],
    handler: async (ctx) => viewOf(await getAction(ctx, ctx.query.id)),
  }),
  'GET /admin/list-bulk-action-targets': route({
    summary: 'List targets of a bulk action',
    description: 'Returns the targets of a bulk action with one outcome: those that failed, with the code of the error.',
    access: mayList,
    query: targetFilter.extend(pageOf),
    returns: z.object({ targets: z.array(target), nextCursor }),
    handler: async (ctx) => {
      const { rows, nextCursor: next } = await listTargets(ctx, ctx.query)
      return { targets: rows, nextCursor: next }
    },
  }),
}
