/** Calls with which users export what they may list. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { requireFresh, session } from '../../core/permissions.ts'
import { download } from '../../core/reply.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { transaction } from '../../core/transaction.ts'
import { errors as adminErrors } from '../admin/index.ts'
import { recordEvent } from '../audit/index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { type FormatName, formatNames, formats } from './formats.ts'
import { errors, type ListExport, states } from './model.ts'
import { writePage } from './run.ts'
import { checkAllowed, readFilter, sourceOf, subjectOf } from './sources.ts'

/** Of one user, until they are deleted. */
const mostExports = 5
const retentionMs = 86_400_000

const listExport = z
  .object({
    id: z.string(),
    source: z.string().meta({ examples: ['users'] }),
    format: z.enum(formatNames),
    state: z.enum(states).describe('`failed`: see `code`'),
    code: z
      .string()
      .nullable()
      .describe('Of the error, such as that of a missing permission')
      .meta({ examples: ['YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'] }),
    filter: z.record(z.string(), z.unknown()),
    total: z.int().nullable().describe('Number of rows that match, which may be an estimate; null: unknown'),
    rows: z.int().describe('Number of rows in the file'),
    bytes: z.int(),
    createdAt: isoDate,
    endedAt: isoDate.nullable(),
    expiresAt: isoDate.describe('When it is deleted'),
  })
  .meta({ title: 'ListExport' })

const viewOf = (row: ListExport): z.input<typeof listExport> => ({
  ...row,
  format: row.format as FormatName,
  state: states.find((one) => one === row.state) ?? 'failed',
  total: row.total === null ? null : Number(row.total),
  ...{ rows: Number(row.rows), bytes: Number(row.bytes) },
})

const ownExports = ({ db, now }: App, { id }: UserRow) =>
  db.selectFrom('listExport').where('createdBy', '=', id).where('expiresAt', '>', now())

/** @throws ApiError EXPORT_NOT_FOUND, also for the export of another user */
async function getExport(app: App, user: UserRow, id: string): Promise<ListExport> {
  const found = await ownExports(app, user).selectAll().where('id', '=', id).executeTakeFirst()
  if (!found) throw new ApiError(errors.EXPORT_NOT_FOUND)
  return found
}

interface NewExport {
  readonly source: string
  readonly format: FormatName
  readonly filter: Readonly<Record<string, unknown>>
}

/** @throws ApiError TOO_MANY_EXPORTS */
async function insertExport(tx: App, user: UserRow, { source, format, filter }: NewExport): Promise<string> {
  // Locked, so that calls at the same time are counted.
  await tx.db.selectFrom('user').select('id').where('id', '=', user.id).forUpdate().execute()
  const own = await ownExports(tx, user).select('id').limit(mostExports).execute()
  if (own.length === mostExports) throw new ApiError(errors.TOO_MANY_EXPORTS, { details: { limit: mostExports } })
  const [id, createdAt] = [tx.random.id(), tx.now()]
  const row = { id, source, format, state: 'running', filter: JSON.stringify(filter), createdBy: user.id, createdAt }
  const expiresAt = new Date(createdAt.getTime() + retentionMs)
  await tx.db
    .insertInto('listExport')
    .values({ ...row, expiresAt })
    .execute()
  // Only the names of filters: their values are personal data, and events outlive users.
  const details = { source, format, filters: Object.keys(filter) }
  await recordEvent(tx, { action: 'list-export.created', ...subjectOf(tx, { id, source, filter }), details })
  return id
}

/** Pauses or resumes an export. It changes nothing that is so already, or has ended. */
async function setState(app: App, user: UserRow, id: string, state: 'running' | 'paused'): Promise<ListExport> {
  await getExport(app, user, id)
  const from = state === 'running' ? 'paused' : 'running'
  await app.db.updateTable('listExport').set({ state }).where('id', '=', id).where('state', '=', from).execute()
  return getExport(app, user, id)
}

/** A few parts at a time, so that a large file needs little memory. @throws Error when parts are missing */
async function* readParts({ db }: App, { id, parts }: ListExport): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < parts; from += partsPerRead) {
    const all = db.selectFrom('listExportPart').select('content').where('exportId', '=', id)
    const some = all.where('number', '>=', from).where('number', '<', from + partsPerRead)
    const found = await some.orderBy('number').execute()
    if (found.length < Math.min(partsPerRead, parts - from)) throw new Error('Parts of an export are missing')
    yield Buffer.from(found.map(({ content }) => content).join(''))
  }
}
const partsPerRead = 16

const oneExport = z.object({ id: z.string().max(36) })
const every = { access: session(), rejectsApiKeys: true } as const
const one = { ...every, returns: listExport, errors: [errors.EXPORT_NOT_FOUND] } as const
/** Of the lists; others are FORBIDDEN. */
const refusals = [adminErrors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS, organizationErrors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION]
const filterValue = z.union([z.string().max(1024), z.number(), z.boolean(), z.array(z.string().max(1024)).max(100)])

export const routes = {
  'POST /list-export/create': route({
    ...one,
    summary: 'Export a list',
    description:
      'Exports the rows of a list that match, in its order: `users` (`/admin/list-users`), `events` (`/admin/list-events`), `bulk-action-targets` (`/admin/list-bulk-action-targets`), `members` (`/organization/list-members`), or `terms-acceptances` (`/admin/list-terms-acceptances`). The first 500 rows are written now; a daemon writes the others page by page, as long as the current user may read the list. Fails when the user has 5 exports already; each is deleted after a day.',
    body: z.object({
      source: z
        .string()
        .max(64)
        .describe('The list')
        .meta({ examples: ['users'] }),
      format: z.enum(formatNames).describe('`csv`: for spreadsheets, formulas escaped; `ndjson`: one JSON object per line'),
      filter: z
        .record(z.string().max(64), filterValue)
        .refine((filter) => Object.keys(filter).length <= 50, 'Expected at most 50 filters')
        .default({})
        .describe('Filters and order, as of the call that lists the rows')
        .meta({ examples: [{ search: 'wolfsgruber', sortBy: 'createdAt' }] }),
    }),
    errors: [errors.EXPORT_NOT_FOUND, errors.TOO_MANY_EXPORTS, ...refusals],
    rateLimit: { window: 60, max: 10 },
    handler: async (ctx) => {
      const source = sourceOf(ctx, ctx.body.source)
      await requireFresh(ctx, source.access.requiresFresh)
      await checkAllowed(ctx, ctx.user, source, readFilter(source, ctx.body.filter))
      const id = await transaction(ctx, (tx) => insertExport(tx, ctx.user, ctx.body))
      // A short list is complete immediately.
      await writePage(ctx, await getExport(ctx, ctx.user, id))
      return viewOf(await getExport(ctx, ctx.user, id))
    },
  }),
  'GET /list-export/list': route({
    ...every,
    summary: 'List own exports',
    description: 'Returns the exports of the current user in the last day, newest first.',
    query: z.object({ source: z.string().max(64).optional().describe('Only exports of this list') }),
    returns: z.object({ exports: z.array(listExport) }),
    handler: async (ctx) => {
      const own = await ownExports(ctx, ctx.user).selectAll().orderBy('createdAt', 'desc').limit(mostExports).execute()
      const { source } = ctx.query
      return { exports: own.filter((row) => source === undefined || row.source === source).map(viewOf) }
    },
  }),
  'GET /list-export/get': route({
    ...one,
    summary: 'Get an export',
    description: 'Returns an export of the current user with its progress.',
    query: oneExport,
    handler: async (ctx) => viewOf(await getExport(ctx, ctx.user, ctx.query.id)),
  }),
  'POST /list-export/pause': route({
    ...one,
    summary: 'Pause an export',
    description: 'Pauses a running export. When it returns, no further row is written.',
    body: oneExport,
    handler: async (ctx) => viewOf(await setState(ctx, ctx.user, ctx.body.id, 'paused')),
  }),
  'POST /list-export/resume': route({
    ...one,
    summary: 'Resume an export',
    description: 'Resumes a paused export.',
    body: oneExport,
    handler: async (ctx) => viewOf(await setState(ctx, ctx.user, ctx.body.id, 'running')),
  }),
  'POST /list-export/delete': route({
    ...one,
    summary: 'Delete an export',
    description: 'Ends an export and makes its file unavailable now; its rows are deleted within two hours.',
    body: oneExport,
    returns: z.object({ success: z.literal(true) }),
    handler: async (ctx) => {
      const { id } = await getExport(ctx, ctx.user, ctx.body.id)
      await ctx.db.updateTable('listExport').set({ state: 'failed', expiresAt: ctx.now() }).where('id', '=', id).execute()
      return { success: true } as const
    },
  }),
  'GET /list-export/download': route({
    ...one,
    summary: 'Download an export',
    query: oneExport,
    returns: z.never(),
    undocumented: true,
    errors: [errors.EXPORT_NOT_FOUND, errors.EXPORT_IS_NOT_COMPLETE, ...refusals],
    handler: async (ctx) => {
      const found = await getExport(ctx, ctx.user, ctx.query.id)
      const source = sourceOf(ctx, found.source)
      await checkAllowed(ctx, ctx.user, source, readFilter(source, found.filter))
      if (found.state !== 'completed') throw new ApiError(errors.EXPORT_IS_NOT_COMPLETE)
      const [{ contentType }, details] = [formats[found.format as FormatName], { source: found.source, rows: Number(found.rows) }]
      await recordEvent(ctx, { action: 'list-export.downloaded', ...subjectOf(ctx, found), details })
      const fileName = `${found.source}-${found.createdAt.toISOString().slice(0, 10)}.${found.format}`
      return download(readParts(ctx, found), contentType, Number(found.bytes), fileName)
    },
  }),
}
