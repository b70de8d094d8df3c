/** Pages of lists by keyset: a page continues after a row, however many rows there are before it. */
import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { type ErrorEntry, errors as kernelErrors, parameterError } from './errors.ts'

/** Most rows of a page. */
export const maxPage = 1000

export const invalidQuery: ErrorEntry = { ...kernelErrors.VALIDATION_ERROR, message: 'Invalid query parameters' }

/** Text for a pattern of `like … escape '!'`, in which every character stands for itself. */
export const escapeLike = (text: string): string => text.replaceAll(/[!%_]/g, '!$&')

/** The position of a row: its value in the column that the list is ordered by, and its id, which decides between equal values. */
export type Position = readonly [value: Date | string | number, id: string]

/** The parts of a position; a user has up to four. */
type PositionParts = readonly (Date | string | number | boolean | null)[]

/** A position as text, with times in milliseconds: it has no secret, and clients must not rely on its form. */
export const positionText = (position: PositionParts): string =>
  Buffer.from(JSON.stringify(position.map((part) => (part instanceof Date ? part.getTime() : part)))).toString('base64url')

/** @returns what `positionText` was given, with times in milliseconds; null for any other text */
export function parsePosition(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}

/** A time that can be compared with stored ones: MySQL rejects years with more than four digits. */
export const comparableTime = z.date().min(new Date('1000-01-01T00:00:00.000Z')).max(new Date('9999-12-31T23:59:59.999Z'))

/** As `positionText` writes it. */
export const positionTime = z
  .number()
  .transform((time) => new Date(time))
  .pipe(comparableTime)

const positions = {
  time: z.tuple([positionTime, z.string().max(36)]),
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
  const position = (await findRow(text)) ?? positions[kind].safeParse(parsePosition(text)).data
  if (!position) throw parameterError(invalidQuery, [parameter])
  return position
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

/** A row more than a page was read: whether there is one decides about the next page. */
export function cutPage<R>(rows: readonly R[], limit: number | undefined, positionOf: (row: R) => PositionParts) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > shown.length
  return { rows: shown, hasMore, next: hasMore && last !== undefined ? positionText(positionOf(last)) : null }
}

/**
 * All rows of a table along its primary key, a page at a time, so that any number is read in constant memory.
 * @param size of a page
 * @param first the id after which to start; the empty text for all
 * @param read the first `size` rows with ids after this one, in their order
 */
export async function* streamPages<R extends { readonly id: string }>(
  size: number,
  first: string,
  read: (after: string) => Promise<R[]>,
): AsyncGenerator<R[], void, undefined> {
  for (let after: string | null = first; after !== null; ) {
    const rows: R[] = await read(after)
    if (rows.length > 0) yield rows
    after = rows.length < size ? null : (rows.at(-1)?.id ?? null)
  }
}
