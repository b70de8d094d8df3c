/** The list of all organizations: newest first, or those that a search finds. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { cutPage, isAfter, type Position, readPosition } from '../../core/pages.ts'
import { beginsWith, isBetween, type Search, startSearch } from '../../core/search.ts'
import { nameStarts } from '../users/index.ts'

interface OrganizationQuery {
  readonly search?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Up to here totals are exact. */
const mostCounted = 10_000
/** Matches that are found before the list is read; with more, it is read in its own order. */
const mostMatches = 1000
/** Organizations that are read in the order of the list for each one of a page: a few first, then more. */
const walked = [4, 40]

/** Organizations, newest first. `search`: an exact ID, or the start of a slug or name, in any case */
export async function listOrganizations(app: App, { search: text, limit, cursor }: OrganizationQuery) {
  const search = startSearch(app, 'organization.id')
  const position = await readPosition({ cursor: cursor || undefined }, 'time')
  const reading = { app, search, position, limit: limit + 1 }
  const matching = text ? matchesOf(search, text) : [sql`select id from organization where ${search.isInTime} and ${exists}`]
  const count = await countIn(reading, matching)
  const found = text ? await findMatches(reading, text, matching) : await search.run(newest(reading))
  const page = cutPage(found, limit, ({ createdAt, id }) => [createdAt, id])
  const totalIsEstimate = count > mostCounted
  const total = totalIsEstimate && !text ? Math.max(count, await app.database.estimateRows(app.db, 'organization')) : count
  return { organizations: page.rows, nextCursor: page.next, total, totalIsEstimate }
}

interface Reading {
  readonly app: App
  readonly search: Search
  readonly position: Position | null
  readonly limit: number
}

const column = (name: string) => sql.ref(`organization.${name}`)
const exists = sql<SqlBool>`${column('deletedAt')} is null`
const columns = ['id', 'name', 'slug', 'logo', 'createdAt', 'memberCount'] as const

function following({ app, search, position }: Reading) {
  const all = app.db.selectFrom('organization').where(search.isInTime).where(exists)
  return position ? all.where(isAfter(['organization.createdAt', 'organization.id'], position, 'desc')) : all
}

const newest = (reading: Reading) =>
  following(reading)
    .select(columns)
    .orderBy('organization.createdAt', 'desc')
    .orderBy('organization.id', 'desc')
    .limit(reading.limit)

/** Older slugs may have capital letters. */
const slugStarts = (text: string): string[] => [...new Set([text.toLowerCase(), text])]

/** Queries of the ids that match, of which each reads an index. */
function matchesOf({ isInTime }: Search, text: string): RawBuilder<unknown>[] {
  const conditions = [
    sql`${column('id')} = ${text}`,
    ...nameStarts('organization', text),
    ...slugStarts(text).map((slug) => isBetween(column('slug'), slug)),
  ]
  return conditions.map((condition) => sql`select id from organization where ${isInTime} and ${exists} and ${condition}`)
}

const lowerName = sql`lower(${column('name')})`

/** For rows that are read in the order of the list. */
const isMatch = (text: string): RawBuilder<SqlBool> => {
  const slugs = slugStarts(text).map((slug) => beginsWith(column('slug'), slug))
  return sql<SqlBool>`(${sql.join([sql`${column('id')} = ${text}`, beginsWith(lowerName, text.toLowerCase()), ...slugs], sql` or `)})`
}

const someOf = (matching: readonly RawBuilder<unknown>[], most: number) =>
  sql`(${sql.join(
    matching.map((ids) => sql`select id from (${ids} limit ${sql.lit(most)}) as part`),
    sql` union `,
  )})`

async function countIn({ app, search }: Reading, matching: readonly RawBuilder<unknown>[]): Promise<number> {
  const query = sql<{
    count: number | string | bigint
  }>`select count(*) as count from ${someOf(matching, mostCounted + 1)} as some`
  const [row] = await search.run({ compile: () => query.compile(app.db) })
  return Number(row?.count ?? 0)
}

async function findMatches(reading: Reading, text: string, matching: readonly RawBuilder<unknown>[]) {
  const { app, search, limit } = reading
  const query = sql<{ id: string }>`select id from ${someOf(matching, mostMatches + 1)} as some`
  const ids = (await search.run({ compile: () => query.compile(app.db) })).map(({ id }) => id)
  if (ids.length === 0) return []
  if (ids.length <= mostMatches) return search.run(sorted(reading, sql`(${sql.join(ids)})`))
  for (const each of walked) {
    const slice = newest({ ...reading, limit: each * limit }).as('organization')
    const found = await search.run(
      app.db.selectFrom(slice).selectAll().where(isMatch(text)).orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit),
    )
    if (found.length === limit) return found
  }
  return search.run(sorted(reading, sql`(select id from (${sql.join(matching, sql` union `)}) as matching)`))
}

/** Matches in the order of the list, for which no index is read. */
function sorted(reading: Reading, ids: RawBuilder<unknown>) {
  const order = (name: string) => sql`coalesce(${column(name)}, ${column(name)})`
  const rows = following(reading)
    .where(sql<SqlBool>`${column('id')} in ${ids}`)
    .select(columns)
  return rows.orderBy(order('createdAt'), 'desc').orderBy(order('id'), 'desc').limit(reading.limit)
}
