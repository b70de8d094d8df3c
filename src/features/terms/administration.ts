/** What administrators and operators see: counts of each version, and who has accepted it. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { exportSource } from '../../core/export-source.ts'
import { cutPage, isAfter, maxPage, readPosition } from '../../core/pages.ts'
import { freshPermission, permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { countRows } from '../../core/statement.ts'
import type { Config } from '../index.ts'
import { findUserById } from '../users/index.ts'
import { subjectsOf } from './acceptance.ts'
import { documentView } from './challenge.ts'
import { documentsInForce, readDocuments } from './documents.ts'

export const permissions = { terms: ['read'] } as const

const required = { terms: ['read'] }

const countedVersion = documentView.pick({ id: true, version: true, title: true, requiredFrom: true, hash: true }).extend({
  url: z.string().nullable().describe('Null: the configuration has this version no more'),
  state: z.enum(['in-force', 'announced', 'former']),
  accepted: z.int().describe('Users who have accepted it'),
  postponed: z.int().describe('Users who have postponed it'),
  outstanding: z.int().nullable().describe('Users who have done neither; null unless it is in force'),
  deleted: z.int().describe('Acceptances of users who were deleted since'),
})

export const statusView = z.object({ users: z.int(), versions: z.array(countedVersion) })

interface Counts {
  readonly accepted: number
  readonly deleted: number
  readonly postponed: number
}

/** By `id version`, also of versions that the configuration has no more. */
async function readCounts({ db }: App): Promise<Map<string, Counts>> {
  const all = db.selectFrom('termsAcceptance').groupBy(['document', 'version']).orderBy('document').orderBy('version')
  const accepted = await all
    .select(['document', 'version', (eb) => eb.fn.countAll<number | string>().as('rows')])
    .select((eb) => eb.fn.count<number | string>('userId').as('users'))
    .execute()
  const postponed = await db
    .selectFrom('termsPostponement')
    .groupBy(['document', 'version'])
    .select(['document', 'version', (eb) => eb.fn.countAll<number | string>().as('rows')])
    .execute()
  const later = new Map(postponed.map(({ document, version, rows }) => [`${document} ${version}`, Number(rows)]))
  const found = new Map<string, Counts>()
  for (const { document, version, rows, users } of accepted) {
    const key = `${document} ${version}`
    found.set(key, { accepted: Number(users), deleted: Number(rows) - Number(users), postponed: later.get(key) ?? 0 })
  }
  for (const [key, count] of later) if (!found.has(key)) found.set(key, { accepted: 0, deleted: 0, postponed: count })
  return found
}

/** Counts of each version: those of the configuration in its order, and then former ones. */
export async function readStatus(app: App): Promise<z.input<typeof statusView>> {
  const counts = await readCounts(app)
  const users = await countRows(app.db.selectFrom('user'))
  const inForce = documentsInForce(app)
  const configured = readDocuments(app.config).documents.map((document) => {
    const { id, version, title, url, hash, requiredFrom } = document
    const { accepted = 0, deleted = 0, postponed = 0 } = counts.get(`${id} ${version}`) ?? {}
    counts.delete(`${id} ${version}`)
    const isLater = requiredFrom !== null && new Date(requiredFrom) > app.now()
    const state = inForce.includes(document) ? 'in-force' : isLater ? 'announced' : 'former'
    const outstanding = state === 'in-force' ? Math.max(0, users - accepted - postponed) : null
    const from = requiredFrom === null ? null : new Date(requiredFrom)
    return { ...{ id, version, title, url, hash, requiredFrom: from }, state, accepted, postponed, outstanding, deleted } as const
  })
  const former = [...counts].map(([key, count]) => {
    const [id = '', version = ''] = key.split(' ')
    const known = { id, version, title: id, url: null, hash: null, requiredFrom: null }
    return { ...known, state: 'former', ...count, outstanding: null } as const
  })
  return { users, versions: [...configured, ...former] }
}

const acceptance = z.object({
  id: z.string(),
  userId: z.string().nullable().describe('Null: the user was deleted'),
  email: z.string().nullable().describe('Null: the user was deleted'),
  document: z.string().meta({ examples: ['privacy'] }),
  version: z.string().meta({ examples: ['2027-01'] }),
  hash: z.string().nullable(),
  acceptedAt: isoDate,
  ipAddress: z.string().nullable(),
  device: z.string().nullable(),
})

const filter = z
  .object({
    document: z.string().max(40).optional().describe('With `version`: who has accepted this version of the document'),
    version: z.string().max(40).optional(),
    userId: z.string().max(36).optional().describe('What this user has accepted; also a user who was deleted, if that was kept'),
  })
  .refine(({ document, version }) => (document === undefined) === (version === undefined), 'Give document and version')
const listQuery = filter.safeExtend({
  limit: z.coerce.number().int().min(1).max(maxPage).default(50),
  cursor: z.string().max(2048).optional(),
})

interface Listed extends z.output<typeof filter> {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Newest first. */
export async function listAcceptances(app: App, { document, version, userId, limit, cursor }: Listed) {
  const position = await readPosition({ cursor }, 'time')
  const isDeleted = userId !== undefined && !(await findUserById(app, userId))
  const found = await app.db
    .selectFrom('termsAcceptance as a')
    .leftJoin('user', 'user.id', 'a.userId')
    .select(['a.id', 'a.userId', 'a.document', 'a.version', 'a.hash', 'a.acceptedAt', 'a.ipAddress', 'a.device', 'user.email'])
    .$if(document !== undefined, (rows) => rows.where('a.document', '=', document ?? '').where('a.version', '=', version ?? ''))
    .$if(userId !== undefined, (rows) =>
      isDeleted ? rows.where('a.subject', 'in', subjectsOf(app, userId ?? '')) : rows.where('a.userId', '=', userId ?? ''),
    )
    .$if(position !== null, (rows) => rows.where(isAfter(['a.acceptedAt', 'a.id'], position ?? [new Date(0), ''], 'desc')))
    .orderBy('a.acceptedAt', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { rows, next } = cutPage(found, limit, ({ acceptedAt, id }) => [acceptedAt, id])
  return { rows, nextCursor: next }
}

const withAdministration = ({ admin }: Config): boolean => admin.enabled

export const exportSources = {
  'terms-acceptances': exportSource({
    access: freshPermission(required),
    filter,
    view: () => acceptance,
    readPage: (app, given, page) => listAcceptances(app, { ...given, ...page }),
  }),
}

export const administrationRoutes = {
  'GET /admin/terms': route({
    summary: 'Count accepted terms',
    description:
      'Returns each version of each document with the number of users who have accepted it, postponed it, and done neither.',
    area: 'Administration',
    access: permission(required),
    exists: withAdministration,
    returns: statusView,
    handler: (ctx) => readStatus(ctx),
  }),
  'GET /admin/list-terms-acceptances': route({
    summary: 'List who accepted terms',
    description: 'Returns which user has accepted which version of a document, when and from where; newest first.',
    area: 'Administration',
    access: permission(required),
    exists: withAdministration,
    query: listQuery,
    returns: z.object({
      acceptances: z.array(acceptance),
      nextCursor: z.string().nullable().describe('For `cursor`; null: this is the last page'),
    }),
    handler: async (ctx) => {
      const { rows, nextCursor } = await listAcceptances(ctx, ctx.query)
      return { acceptances: rows, nextCursor }
    },
  }),
}
