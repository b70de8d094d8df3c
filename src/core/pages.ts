/** Pages of lists by keyset: a page continues after a row, however many rows there are before it. */
import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { type ErrorEntry, errors as kernelErrors, parameterError } from './errors.ts'
import type { CallContext } from './request.ts'

/** Most rows of a page. */
export const maxPage = 1000

const count = z.coerce.number().int().min(1).max(maxPage)

/** Parameters of a list. Without `limit`, calls of better-auth return all rows. */
export const pageQuery = {
  limit: count.optional().describe('Number of rows; default: all'),
  after: z
    .string()
    .max(1024)
    .optional()
    .describe('Continue after the row with this ID, the last one of the previous page, or at a position that a response named'),
}

/** Parameters of a list whose response has `total` and `hasMore`. */
export const objectPageQuery = {
  limit: count.default(100).describe('Number of rows'),
  after: pageQuery.after,
}

/** The part of a response that says whether there are more rows. */
export const pageView = {
  total: z.int().describe('Number of all rows'),
  hasMore: z.boolean().describe('Whether there are rows after this page'),
  next: z
    .string()
    .nullable()
    .describe('Position after this page, for `after`; unlike an ID it stays valid when its row is deleted. Null: the last page'),
}

export const invalidQuery: ErrorEntry = { ...kernelErrors.VALIDATION_ERROR, message: 'Invalid query parameters' }

/** Text for a pattern of `like … escape '!'`, in which every character stands for itself. */
export const escapeLike = (text: string): string => text.replaceAll(/[!%_]/g, '!$&')

/** The position of a row: its value in the column that the list is ordered by, and its id, which decides between equal values. */
export type Position = readonly [value: Date | string | number, id: string]

/** A position as text: it has no secret, and clients must not rely on its form. */
export const positionText = ([value, id]: Position): string =>
  Buffer.from(JSON.stringify([value instanceof Date ? value.getTime() : value, id])).toString('base64url')

/** A time that can be compared with stored ones: MySQL rejects years with more than four digits. */
export const comparableTime = z.date().min(new Date('1000-01-01T00:00:00.000Z')).max(new Date('9999-12-31T23:59:59.999Z'))

const positions = {
  time: z.tuple([
    z
      .number()
      .transform((time) => new Date(time))
      .pipe(comparableTime),
    z.string().max(36),
  ]),
  text: z.tuple([z.string(), z.string()]),
  number: z.tuple([z.number(), z.string()]),
}

type PositionOf<K extends keyof typeof positions> = Readonly<z.output<(typeof positions)[K]>>

type GivenPosition = { readonly cursor: string | undefined } | { readonly after: string | undefined }

/**
 * The position after which a page begins.
 * @param after the parameter and its value
 * @param kind of the column that the list is ordered by
 * @param findRow the position of the row with this id, null when the list has none; default: only positions continue a list
 * @returns null for the first page
 * @throws ApiError VALIDATION_ERROR for a text that is neither an id of the list nor a position. The list must not begin again: its
 * reader would get the same rows twice
 */
export function readPosition<K extends keyof typeof positions>(after: GivenPosition, kind: K): Promise<PositionOf<K> | null>
export function readPosition(
  after: GivenPosition,
  kind: keyof typeof positions,
  findRow: (id: string) => Promise<Position | null>,
): Promise<Position | null>
export async function readPosition(
  after: GivenPosition,
  kind: keyof typeof positions,
  findRow: (id: string) => Promise<Position | null> = async () => null,
): Promise<Position | null> {
  const [[parameter, text] = []] = Object.entries(after)
  if (parameter === undefined || text === undefined) return null
  const position = (await findRow(text)) ?? positions[kind].safeParse(parseJSON(text)).data
  if (!position) throw parameterError(invalidQuery, [parameter])
  return position
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}

/**
 * A condition: whether a row comes after a position. Not as a comparison of tuples, for which MySQL reads the index from its start.
 * @param columns the column that the list is ordered by, and the column of the id, which decides between equal values
 */
export function isAfter([column, idColumn]: readonly [string, string], [value, id]: Position, direction: 'asc' | 'desc' = 'asc') {
  const [ordered, unique] = [sql.ref(column), sql.ref(idColumn)]
  return direction === 'asc'
    ? sql<SqlBool>`(${ordered} >= ${value} and (${ordered} > ${value} or ${unique} > ${id}))`
    : sql<SqlBool>`(${ordered} <= ${value} and (${ordered} < ${value} or ${unique} < ${id}))`
}

/**
 * The same in two conditions, for a column in which many rows may have the same value: rows of that value, then those of others. Each
 * reads the index from its place, in the order of the list.
 */
export function partsAfter([column, idColumn]: readonly [string, string], [value, id]: Position, direction: 'asc' | 'desc') {
  const [ordered, unique] = [sql.ref(column), sql.ref(idColumn)]
  const isBeyond = sql.raw(direction === 'asc' ? '>' : '<')
  return [sql<SqlBool>`(${ordered} = ${value} and ${unique} ${isBeyond} ${id})`, sql<SqlBool>`${ordered} ${isBeyond} ${value}`]
}

/** A row more than a page was read: whether there is one decides about the next page. */
export function cutPage<R>(rows: readonly R[], limit: number | undefined, positionOf: (row: R) => Position) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > shown.length
  return { rows: shown, hasMore, next: hasMore && last !== undefined ? positionText(positionOf(last)) : null }
}

/** The `responseHeaders` of a call that describes its page. */
export const pageHeaders = {
  'x-total-count': 'Number of rows on all pages',
  link: 'The next page, with the relation `next` (RFC 8288). Missing on the last page',
} as const

/**
 * For a response that is a list and has no place for them: the total, and whether there is more, as headers (RFC 8288).
 * @param after the last row: its id, or its position; null: this is the last page
 */
export function describePage(ctx: CallContext, total: number, after: string | null): void {
  ctx.headers['x-total-count'] = String(total)
  if (after === null) return
  const query = ctx.request.queryParameters()
  query.set('after', after)
  ctx.headers.link = `<?${query}>; rel="next"`
}
