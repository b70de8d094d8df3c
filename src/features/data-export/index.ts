/** Exports and erases what is stored about a user (GDPR articles 15, 17 and 20). Derived from the declared tables. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, defineErrors } from '../../core/errors.ts'
import { ofAccount } from '../../core/feature.ts'
import { freshPermission, freshSession } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate, viewOf } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { type Authority, errors as adminErrors, lockForChange } from '../admin/index.ts'
import { recordEvent } from '../audit/index.ts'
import type { Config } from '../index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { findUserById, fullUser } from '../users/index.ts'
import { eraseUser, exportPerson, readInvitations, readMails, readOwnRows, streamEvents, tablesOfUser } from './person.ts'

export { eraseUser, exportPerson } from './person.ts'

export const area = 'User profile'

export const permissions = { user: ['export', 'erase'] } as const

export const auditActions = {
  'user.exported': ofAccount('All data about a user was exported'),
  'user.erased': 'A user was deleted, and their personal data were erased',
}

/** Own events only: those of administrators have their names and reasons. */
const ownEvent = z.object({
  createdAt: isoDate,
  action: z.string().meta({ examples: ['user.signed-in'] }),
  outcome: z.string().meta({ examples: ['succeeded'] }),
  ipAddress: z.string().nullable(),
})
const ownInvitation = z.object({ id: z.string(), organizationId: z.string(), role: z.string().nullable(), status: z.string() })
const ownMail = z.object({ id: z.string(), kind: z.string(), createdAt: isoDate, sentAt: isoDate.nullable() })

/** Visible columns only: no hash, no token, and nothing that the configuration does not return. */
export const exportView = (tables: Tables) => {
  const rows = tablesOfUser(tables).map(({ table }) => [table, z.array(viewOf(tables[table]))])
  const view = z.object({
    exportedAt: isoDate,
    user: fullUser(tables),
    ...Object.fromEntries(rows),
    invitations: z.array(ownInvitation).describe('Invitations to the email address'),
    mails: z.array(ownMail).describe('Emails to the user that are still stored, without their content'),
    events: z.array(ownEvent).describe('Actions of the user in the audit log, the newest 10,000'),
  })
  // The shape is built from data, so the compiler cannot check that it matches the type.
  return view as unknown as z.ZodType<DataExport<string>, DataExport<Date>>
}

/** As `readData` returns it, and as a response has it. */
export interface DataExport<T> {
  readonly exportedAt: T
  readonly user: object
  /** The rows of each table that belong to the user. */
  readonly [table: string]: unknown
}

const maxEvents = 10_000

/** What a user gets of their own data, by `exportView`. */
export async function readData(app: App, user: UserRow): Promise<DataExport<Date>> {
  const events: object[] = []
  for await (const batch of streamEvents(app, user, 'by')) {
    events.push(...batch)
    if (events.length >= maxEvents) break
  }
  return {
    exportedAt: app.now(),
    user,
    ...(await readOwnRows(app, user)),
    invitations: await readInvitations(app, user),
    mails: await readMails(app, user),
    events: events.slice(0, maxEvents),
  }
}

export const errors = defineErrors({
  YOU_ARE_NOT_ALLOWED_TO_EXPORT_USERS: [403, 'You are not allowed to export users'],
  YOU_ARE_NOT_ALLOWED_TO_ERASE_USERS: [403, 'You are not allowed to erase users'],
})

const withAdministration = ({ admin }: Config): boolean => admin.enabled

const required = { export: { user: ['export'] }, erase: { user: ['erase'] } }
const exportsBy = (administrator: UserRow): Authority => ({
  administrator,
  required: required.export,
  refusal: errors.YOU_ARE_NOT_ALLOWED_TO_EXPORT_USERS,
})
const erasuresBy = (administrator: UserRow): Authority => ({
  administrator,
  required: required.erase,
  refusal: errors.YOU_ARE_NOT_ALLOWED_TO_ERASE_USERS,
})

/** @throws ApiError USER_NOT_FOUND; YOU_ARE_NOT_ALLOWED_TO_EXPORT_USERS, also when the user's roles permit more than the administrator's */
const recordExport = (app: App, administrator: UserRow, userId: string): Promise<UserRow> =>
  transaction(app, async (tx) => {
    const user = await lockForChange(tx, exportsBy(administrator), userId)
    if (!user) throw new ApiError(adminErrors.USER_NOT_FOUND)
    await recordEvent(tx, { action: 'user.exported', target: { type: 'user', id: userId } })
    return user
  })

const fileHeaders = { 'content-disposition': 'The name under which a browser saves the document' }

export const routes = {
  'GET /export-data': route({
    summary: 'Export the data of the user',
    description:
      'Returns everything that is stored about the current user as one JSON document: the user, their sessions and sign-in methods, and what they did. Contains no password hash and no token. Requires a fresh session.',
    access: freshSession(),
    sensitive: true,
    returns: (_config, tables) => exportView(tables),
    responseHeaders: fileHeaders,
    rateLimit: { window: 60, max: 3 },
    handler: async (ctx) => {
      await recordEvent(ctx, { action: 'user.exported', target: { type: 'user', id: ctx.user.id } })
      ctx.headers['content-disposition'] = 'attachment; filename="data-export.json"'
      return readData(ctx, ctx.user)
    },
  }),
  'GET /admin/export-user': route({
    summary: 'Export the data of any user',
    description:
      'Returns everything that is stored about a user as one JSON document, like `latchkey privacy export`, with at most 10,000 events. Contains no password hash and no token. Fails for a user whose roles permit more than those of the current user.',
    area: 'Administration',
    access: freshPermission(required.export, errors.YOU_ARE_NOT_ALLOWED_TO_EXPORT_USERS),
    stepUp: 'recent',
    exists: withAdministration,
    query: z.object({ userId: z.string() }),
    returns: z.record(z.string(), z.unknown()),
    responseHeaders: fileHeaders,
    errors: [errors.YOU_ARE_NOT_ALLOWED_TO_EXPORT_USERS, adminErrors.USER_NOT_FOUND],
    rateLimit: { window: 60, max: 30 },
    handler: async (ctx) => {
      const user = await recordExport(ctx, ctx.user, ctx.query.userId)
      let document = ''
      for await (const part of exportPerson(ctx, user, { maxEvents })) document += part
      ctx.headers['content-disposition'] = 'attachment; filename="data-export.json"'
      return JSON.parse(document)
    },
  }),
  'POST /admin/erase-user': route({
    summary: 'Erase a user and their personal data',
    description:
      'Deletes a user with all their data, and what else is stored under their email address. The events of the audit log stay and name them by ID only. Fails when the user is the only owner of an organization with other members, and for a user whose roles permit more than those of the current user.',
    area: 'Administration',
    access: freshPermission(required.erase, errors.YOU_ARE_NOT_ALLOWED_TO_ERASE_USERS),
    stepUp: 'recent',
    exists: withAdministration,
    body: z.object({ userId: z.string(), reason: z.string().max(500).optional().describe('Kept in the audit log') }),
    returns: z.object({ success: z.literal(true) }),
    errors: [
      errors.YOU_ARE_NOT_ALLOWED_TO_ERASE_USERS,
      adminErrors.USER_NOT_FOUND,
      adminErrors.YOU_CANNOT_REMOVE_YOURSELF,
      organizationErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    handler: async (ctx) => {
      const { userId, reason } = ctx.body
      if (userId === ctx.user.id) throw new ApiError(adminErrors.YOU_CANNOT_REMOVE_YOURSELF)
      const user = await findUserById(ctx, userId)
      const check = (tx: App) => lockForChange(tx, erasuresBy(ctx.user), userId)
      if (!user || !(await eraseUser(ctx, user, { reason, check }))) throw new ApiError(adminErrors.USER_NOT_FOUND)
      return { success: true as const }
    },
  }),
}
