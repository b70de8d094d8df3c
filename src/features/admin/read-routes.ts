/** The calls that read users (contract 05 §3). */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { exportSource } from '../../core/export-source.ts'
import { freshPermission, permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate, viewOf } from '../../core/schemas.ts'
import { columnsOf, type Tables } from '../../core/table.ts'
import type { Config } from '../index.ts'
import { findUserById } from '../users/index.ts'
import { errors } from './model.ts'
import { listUserOrganizations } from './organizations.ts'
import { listUsers } from './user-list.ts'
import { type ListedColumns, shownColumns, userQuery } from './user-query.ts'

const mayList = permission({ user: ['list'] }, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS)

/** A user with every visible column, the time of the last sign-in, and the lock. */
function listedUser({ user = {} }: Tables) {
  const shown = shownColumns.flatMap((name) => (user[name] ? [[name, { ...user[name], hidden: false }] as const] : []))
  return viewOf<ListedColumns, { organizations?: number | undefined }>(
    { ...user, ...Object.fromEntries(shown) },
    { organizations: z.int().optional().describe('With `include=organizations`') },
  ).meta({ title: 'ListedUser' })
}

export const exportSources = {
  users: exportSource({
    access: freshPermission({ user: ['list'] }, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS),
    filter: userQuery.omit({ limit: true, offset: true, cursor: true, include: true }),
    view: memo((app: App) => listedUser({ user: columnsOf(app, 'user') })),
    readPage: async (app, filter, page) => {
      const { users, ...found } = await listUsers(app, { ...filter, ...page })
      return { rows: users, ...found }
    },
  }),
}

export const readRoutes = {
  'GET /admin/list-users': route({
    summary: 'List users',
    description:
      'Returns a page of users: searched, filtered and sorted by columns of users. `total` is exact up to 10,000 and an estimate above, or when an exact count would read many other users. Fails with 503 when the search takes longer than `admin.listTimeout`: narrow it down, or search for the start of an email address or for words of a name.',
    access: mayList,
    query: userQuery,
    returns: (_config: Config, tables: Tables) =>
      z.object({
        users: z.array(listedUser(tables)),
        total: z.int(),
        totalIsEstimate: z.boolean(),
        limit: z.int().optional().describe('As it was given'),
        offset: z.int().optional().describe('As it was given'),
        nextCursor: z.string().nullable().describe('For `cursor`; null: this is the last page'),
      }),
    errors: [errors.SEARCH_TOO_SLOW],
    handler: async (ctx) => ({ ...(await listUsers(ctx, ctx.query)), limit: ctx.query.limit, offset: ctx.query.offset }),
  }),
  'GET /admin/get-user': route({
    summary: 'Get a user',
    description: 'Returns a user by ID. Fails when there is none.',
    access: mayList,
    query: z.object({ id: z.string().max(255) }),
    returns: (_config: Config, tables: Tables) => listedUser(tables),
    errors: [errors.USER_NOT_FOUND],
    handler: async (ctx) => {
      const user = await findUserById(ctx, ctx.query.id)
      if (!user) throw new ApiError(errors.USER_NOT_FOUND)
      return user
    },
  }),
  'GET /admin/list-user-organizations': route({
    summary: 'List the organizations of a user',
    description:
      'Returns the organizations that a user is a member of, with their role in each, in the order in which they joined.',
    access: mayList,
    query: z.object({ userId: z.string().max(255) }),
    returns: z.object({
      organizations: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          slug: z.string(),
          role: z.string().describe('Role names, separated by commas'),
          teamId: z.string().nullable().optional(),
          joinedAt: isoDate,
        }),
      ),
    }),
    errors: [errors.USER_NOT_FOUND],
    handler: async (ctx) => {
      if (!(await findUserById(ctx, ctx.query.userId))) throw new ApiError(errors.USER_NOT_FOUND)
      return { organizations: await listUserOrganizations(ctx, ctx.query.userId) }
    },
  }),
}
