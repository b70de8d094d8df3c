/** Searches of users by parts of their names and email addresses, and by what belongs to them. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { escapeLike } from '../../core/pages.ts'
import { beginsWith, isBetween, type Search } from '../../core/search.ts'
import { storedForm } from '../phone-number/index.ts'
import { nameStarts, sortNameOf } from '../users/index.ts'

export type Condition = RawBuilder<SqlBool>

/** A condition of the list, in two forms. */
export interface Criterion {
  /** For rows that are read in the order of the list: an index for it would only be in the way. */
  readonly byRow: Condition
  /** For finding all rows that match, by an index if there is one. */
  readonly byIndex: Condition
  /** The column that it compares with a constant; `isEqual`: for equality. */
  readonly column?: string
  readonly isEqual?: boolean
  /** The ids that match, if there are few. */
  readonly ids?: readonly string[]
  /** The query of all ids that match, if there are many, and they are found in one or several other places. */
  readonly source?: readonly RawBuilder<unknown>[]
}

/** A condition that has one form for both. */
export const criterion = (condition: Condition, more: Pick<Criterion, 'column' | 'isEqual'> = {}): Criterion => ({
  byRow: condition,
  byIndex: condition,
  ...more,
})

export const column = (name: string) => sql.ref(`user.${name}`)
export const anyOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

export const isOneOf = (name: string, values: readonly unknown[]): Condition =>
  values.length === 0 ? anyOf([]) : sql<SqlBool>`${column(name)} in (${sql.join(values)})`

/** One of several conditions of a search. */
interface Forms {
  /** A query of the ids that match, which reads an index only. */
  readonly ids: RawBuilder<unknown>
  /** For the rows of a list that is read in another order: an index for it would only be in the way. */
  readonly byRow: Condition
}

/** The users who match one of these conditions. @throws ApiError SEARCH_TOO_SLOW */
async function findMatches({ app, search, most }: Finding, forms: readonly Forms[]): Promise<Criterion> {
  const some = forms.map(({ ids }) => sql`select id from (${ids} limit ${sql.lit(most + 1)}) as part`)
  const query = sql<{ id: string }>`${sql.join(some, sql` union all `)}`
  const found = await search.run({ compile: () => query.compile(app.db) })
  const ids = [...new Set(found.map(({ id }) => id))]
  if (ids.length <= most) return { ...criterion(isOneOf('id', ids)), ids }
  const source = forms.map((form) => form.ids)
  // A whole query in parentheses: a database runs a bare union once for each row.
  const byIndex = sql<SqlBool>`${column('id')} in (select id from (${sql.join(source, sql` union `)}) as matching)`
  return { byRow: anyOf(forms.map(({ byRow }) => byRow)), byIndex, source }
}

/** How a search finds matches. */
export interface Finding {
  readonly app: App
  readonly search: Search
  /** Matches that are found before the list is read. With more, the list has one so often that it is read in its own order. */
  readonly most: number
}

const select = ({ isInTime }: Search, condition: Condition) =>
  sql`select id from ${sql.table('user')} where ${isInTime} and ${condition}`

/** Users with this id, or whose email address, name, username or phone number begins with the text. */
export const findByStart = (finding: Finding, text: string): Promise<Criterion> => {
  const { app, search } = finding
  const hasId = sql<SqlBool>`${column('id')} = ${text}`
  const byId = { ids: select(search, hasId), byRow: hasId }
  const starts = [columnStart(search, 'email', text.toLowerCase()), ...nameStart(search, text), ...otherStarts(app, search, text)]
  return findMatches(finding, [byId, ...starts])
}

/** Of columns that only some configurations have. Numbers are typed with and without `+` and punctuation. */
function otherStarts({ config }: App, search: Search, text: string): Forms[] {
  const number = storedForm(text)
  const numbers = /^\+?\d+$/.test(number) ? [...new Set([number, number.replace(/^\+?/, '+')])] : []
  return [
    ...(config.username.enabled ? [columnStart(search, 'username', text.normalize('NFKC').toLowerCase())] : []),
    ...(config.phoneNumber.enabled ? numbers.map((start) => columnStart(search, 'phoneNumber', start)) : []),
  ]
}

type Operator = 'contains' | 'starts_with' | 'ends_with'

/** Users whose email address or name has the text, in any case. */
export function findByPattern(finding: Finding, field: 'email' | 'name', operator: Operator, text: string): Promise<Criterion> {
  const { search } = finding
  if (operator === 'starts_with')
    return findMatches(finding, field === 'email' ? [columnStart(search, 'email', text.toLowerCase())] : nameStart(search, text))
  if (field === 'name') return findMatches(finding, namePattern(search, operator, text))
  const hasText = isLike(column('email'), operator, text)
  return findMatches(finding, [{ ids: select(search, hasText), byRow: hasText }])
}

const columnStart = (search: Search, name: string, start: string): Forms => ({
  ids: select(search, isBetween(column(name), start)),
  byRow: beginsWith(column(name), start),
})

const lowerName = sql`lower(${column('name')})`
/** Users whom an application inserted, until a job has read their names. */
const isUnread = sql<SqlBool>`${column('sortName')} is null`

function nameStart(search: Search, text: string): Forms[] {
  const start = text.toLowerCase()
  const short = sortNameOf(start)
  const rest = short.length < start.length ? sql`and ${beginsWith(lowerName, start)}` : sql``
  const [isRead = isUnread, unread = isUnread] = nameStarts('user', text)
  return [
    {
      ids: select(search, isRead),
      byRow: sql<SqlBool>`(${beginsWith(column('sortName'), short)} ${rest})`,
    },
    { ids: select(search, unread), byRow: unread },
  ]
}

/** By the start of the name, which an index has; of those found and of long names, all of it is read. */
function namePattern(search: Search, operator: Operator, text: string): Forms[] {
  const isLong = sql<SqlBool>`substr(${column('sortName')}, ${sql.lit(longest)}, 1) <> ''`
  const mayHaveText = anyOf([isUnread, isLong, isLike(column('sortName'), operator, text)])
  const candidates = sql`(${select(search, mayHaveText)}) as candidate`
  const hasText = isLike(lowerName, operator, text)
  const user = sql`${candidates} inner join ${sql.table('user')} on ${column('id')} = ${sql.ref('candidate.id')}`
  return [{ ids: sql`select ${column('id')} from ${user} where ${hasText}`, byRow: hasText }]
}

/** Names of which `sortName` may have only the start are at least that long. */
const longest = 63

const patterns = {
  contains: (text: string) => `%${text}%`,
  starts_with: (text: string) => `${text}%`,
  ends_with: (text: string) => `%${text}`,
}

export const isPattern = (operator: string): operator is Operator => operator in patterns

/** @param value in lower case */
export const isLike = (value: RawBuilder<unknown>, operator: Operator, text: string): Condition =>
  sql<SqlBool>`${value} like ${patterns[operator](escapeLike(text.toLowerCase()))} escape '!'`

/** Users who have a row of another table, such as a social account. */
export function findByRelation(
  finding: Finding,
  { table, name, value }: { readonly table: 'account' | 'member'; readonly name: string; readonly value: string },
): Promise<Criterion> {
  const [rows, compared, userId] = [sql.table(table), sql.ref(`${table}.${name}`), sql.ref(`${table}.userId`)]
  // A scalar, because a database turns `exists` into a join that may read the other table first.
  const byRow = sql<SqlBool>`coalesce((select 1 from ${rows} where ${userId} = ${column('id')} and ${compared} = ${value} limit 1), 0) = 1`
  return findMatches(finding, [{ ids: sql`select ${userId} as id from ${rows} where ${compared} = ${value}`, byRow }])
}
