/** The query of `GET /admin/list-users` (contract 05 §3), and the columns that it may name. */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { parameterError } from '../../core/errors.ts'
import { comparableTime, invalidQuery, maxPage, parsePosition, positionTime } from '../../core/pages.ts'
import type { VisibleRow } from '../../core/schemas.ts'
import { type Column, columnsOf } from '../../core/table.ts'
import { isObject } from '../../lib/objects.ts'
import type { DeclaredTables } from '../index.ts'

/** 0 and what is not a number count as absent (contract 05 §3). */
const count = (max: number) =>
  z
    .union([z.string(), z.number()])
    .transform((given) => Number(given) || undefined)
    .pipe(z.int().min(1).max(max).optional())
    .optional()

/** An empty text counts as absent, as a form sends it. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .transform((given) => given || undefined)
    .optional()

const time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform((given) => new Date(given))
  .pipe(comparableTime)
  .optional()

const value = z.union([z.string().max(1000), z.number(), z.boolean()])

/** Times are in UTC. */
export const userQuery = z.object({
  searchValue: text(320).describe('Text in `searchField`, in any case'),
  searchField: z.enum(['email', 'name']).default('email'),
  searchOperator: z.enum(['contains', 'starts_with', 'ends_with']).default('contains'),
  filterField: z
    .string()
    .max(64)
    .transform((given) => given || 'email')
    .default('email')
    .describe('A visible column of users'),
  filterValue: z
    .union([value, z.array(value).max(100)])
    .optional()
    .describe('A list for `in` and `not_in`: repeat the parameter'),
  filterOperator: z
    .enum(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'not_in', 'contains', 'starts_with', 'ends_with'])
    .default('eq'),
  sortBy: text(64).describe('A visible column of users, or `lastSignInAt`; default: `createdAt`'),
  sortDirection: z.enum(['asc', 'desc']).default('asc'),
  limit: count(Number.MAX_SAFE_INTEGER).describe(`Number of users; default: 100. A response has ${maxPage} at most`),
  offset: count(Number.MAX_SAFE_INTEGER).describe('Users to skip; slow for long lists, unlike `cursor`'),
  cursor: text(2048).describe('Continue after a page: its `nextCursor`, with the same parameters'),
  search: text(320).describe(
    'An ID, the start of an email address, name, username or phone number, or the starts of words of a name, in any order',
  ),
  status: z
    .enum(['active', 'banned', 'locked', 'unverified'])
    .optional()
    .describe(
      '`banned`: the ban has not expired; `locked`: the account is locked; `active`: neither; `unverified`: the email address is not verified',
    ),
  role: text(255).describe('Users with one of these roles, separated by commas'),
  provider: text(64).describe('Users who sign in with this provider; `credential`: with a password'),
  secondFactor: z
    .enum(['with', 'without'])
    .optional()
    .describe('`with`: users whose sign-ins demand a second factor; `without`: all others'),
  organizationId: text(36).describe('Members of this organization'),
  createdAfter: time,
  createdBefore: time,
  lastSignInAfter: time,
  lastSignInBefore: time,
  include: z.literal('organizations').optional().describe('Also return the number of organizations of each user'),
})
export type UserQuery = z.output<typeof userQuery>

/** The part of the query that decides who matches. */
export const userFilter = userQuery.omit({
  sortBy: true,
  sortDirection: true,
  limit: true,
  offset: true,
  cursor: true,
  include: true,
})
export type UserFilter = z.output<typeof userFilter>

/** Hidden columns that administrators see: the last sign-in, and the lock. */
export const shownColumns = ['lastSignInAt', 'lockedAt', 'lockReason'] as const
type Shown = Readonly<Record<'lastSignInAt' | 'lockedAt', Column<Date | null>> & Record<'lockReason', Column<string | null>>>
/** The columns of users in lists: those that are not hidden, and these. */
export type ListedColumns = Omit<DeclaredTables['user'], keyof Shown> & Shown
export type ListedUser = VisibleRow<ListedColumns>

const isListed = ([name, { hidden }]: readonly [string, Column]): boolean =>
  !hidden || shownColumns.some((shown) => shown === name)

/** Their names in the database. */
export const listedColumns = memo(
  (app: Pick<App, 'features' | 'memo'>) =>
    Object.entries(columnsOf(app, 'user'))
      .filter(isListed)
      .map(([name]) => name) as (keyof ListedUser)[],
)

/** A column as queries name it. */
export interface ListColumn extends Column {
  /** In the database. */
  readonly column: string
}

/** What a query may name, by its name in responses. */
const listColumns = memo(
  (app: Pick<App, 'features' | 'memo'>): ReadonlyMap<string, ListColumn> =>
    new Map(
      Object.entries(columnsOf(app, 'user'))
        .filter((entry) => isListed(entry) && entry[1].kind !== 'json')
        .map(([name, column]) => [column.outputName ?? name, { ...column, column: name }]),
    ),
)

/** @throws ApiError VALIDATION_ERROR for an unknown column */
export function columnOf(app: App, name: string, parameter: 'filterField' | 'sortBy'): ListColumn {
  const column = listColumns(app).get(name)
  if (!column) throw parameterError(invalidQuery, [parameter])
  return column
}

export const isText = ({ kind }: Column): boolean => kind === 'id' || kind === 'string' || kind === 'text'

const booleans: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/**
 * A value of a query in the type of the column: from a query string, every value is text.
 * @throws ApiError VALIDATION_ERROR
 */
export function readValue(column: ListColumn, given: string | number | boolean): string | number | boolean | Date {
  const text = String(given)
  const read = isText(column)
    ? // Stored in lower case.
      column.column === 'email'
      ? text.toLowerCase()
      : text
    : column.kind === 'boolean'
      ? booleans.get(text)
      : column.kind === 'timestamp'
        ? time.safeParse(text).data
        : text.trim() === '' || !Number.isFinite(Number(text))
          ? undefined
          : Number(text)
  if (read === undefined) throw parameterError(invalidQuery, ['filterValue'])
  return read
}

/** The values of a list: repeated parameters, or one with a JSON array. @throws ApiError VALIDATION_ERROR */
export function readList(column: ListColumn, given: NonNullable<UserFilter['filterValue']>) {
  const list = Array.isArray(given) ? given : typeof given === 'string' && given.startsWith('[') ? parseList(given) : [given]
  return list.map((one) => readValue(column, one))
}

function parseList(text: string) {
  const { data } = z.array(value).max(100).safeParse(parseJSON(text))
  if (!data) throw parameterError(invalidQuery, ['filterValue'])
  return data
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The place of a row in a list: its value in the column that the list is sorted by, and what decides between equal values. */
export interface Position {
  readonly value: unknown
  readonly id: string
  /** In lists that have equal values in the order of creation; else null. */
  readonly createdAt: Date | null
}

/** Daemons of the version before write times as text, and may serve the page before. */
const readTime = (given: unknown): Date | undefined => z.union([positionTime, time]).safeParse(given).data

/**
 * @param cursor the list, and the value, id and (with `isByTime`) time of creation of a row
 * @param isByTime whether the list has equal values in the order of creation
 * @throws ApiError VALIDATION_ERROR for a text that is not a cursor of this list: the list must not begin again
 */
export function readCursor(cursor: string, sortBy: string, column: ListColumn, isByTime: boolean): Position {
  const parsed = parsePosition(cursor)
  const length = isByTime ? 4 : 3
  if (!Array.isArray(parsed) || parsed.length !== length || isObject(parsed[1])) throw parameterError(invalidQuery, ['cursor'])
  const [list, given, id, created] = parsed
  const createdAt = isByTime ? (readTime(created) ?? null) : null
  if (list !== sortBy || typeof id !== 'string' || (isByTime && !createdAt)) throw parameterError(invalidQuery, ['cursor'])
  const value = given === null ? null : column.kind === 'timestamp' ? readTime(given) : readValue(column, given)
  if (value === undefined) throw parameterError(invalidQuery, ['cursor'])
  return { value, id, createdAt }
}
