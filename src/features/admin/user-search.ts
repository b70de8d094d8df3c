/** Searches of users by parts of their names and email addresses, and by what belongs to them. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { escapeLike } from '../../core/pages.ts'
import { beginsWith, isBetween, type Search, startSearch } from '../../core/search.ts'
import { storedForm } from '../phone-number/index.ts'
import { nameStarts, searchedWords, sortNameOf, wordsAs } from '../users/index.ts'

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
  /** The ids that match, if they were found in one or several other places, and are no more than are counted. */
  readonly ids?: readonly string[]
  /** The queries of the ids that match, if there are more: they read indexes only. */
  readonly source?: readonly RawBuilder<unknown>[]
}

/** Up to here matches are counted exactly. */
export const mostCounted = 10_000

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
  /** Whether it reads more than it finds. */
  readonly isJoined?: boolean
  /** For the rows of a list that is read in another order: an index for it would only be in the way. */
  readonly byRow: Condition
}

/** The users who match one of these conditions. @throws ApiError SEARCH_TOO_SLOW */
async function findMatches(finding: Finding, forms: readonly Forms[]): Promise<Criterion> {
  const ids = await findIds(finding, forms)
  if (ids) return { ...criterion(isOneOf('id', ids)), ids }
  const source = forms.map((form) => form.ids)
  // A whole query in parentheses: a database runs a bare union once for each row.
  const byIndex = sql<SqlBool>`${column('id')} in (select id from (${sql.join(source, sql` union `)}) as matching)`
  return { byRow: anyOf(forms.map(({ byRow }) => byRow)), byIndex, source }
}

/** @returns null when there are more than are counted */
async function findIds({ app, search, most }: Finding, forms: readonly Forms[]): Promise<readonly string[] | null> {
  const read = async (query: RawBuilder<{ id: string }>) => {
    const found = await search.run({ compile: () => query.compile(app.db) })
    return found.map(({ id }) => id)
  }
  const few = forms.map(({ ids }) => sql`select id from (${ids} limit ${sql.lit(firstMatches + 1)}) as part`)
  const first = await read(sql`${sql.join(few, sql` union all `)}`)
  if (first.length <= Math.min(firstMatches, most)) return [...new Set(first)]
  // One after the other, so that the first with too many is the last that is read.
  for (const { ids, isJoined = false } of forms)
    if (!isJoined && (await read(sql`select id from (${ids} limit 1 offset ${sql.lit(most)}) as beyond`)).length > 0) return null
  const some = forms.map(({ ids, isJoined = false }) =>
    isJoined ? sql`select id from (${ids} limit ${sql.lit(most + 1)}) as part` : ids,
  )
  const all = await read(sql`${idsOf(some)} limit ${sql.lit(most + 1)}`)
  return all.length > most ? null : all
}

/** Matches of each condition that are read at first: more are counted before they are read. */
const firstMatches = 1000

/** A query of the ids that others find, each once. */
export const idsOf = (source: readonly RawBuilder<unknown>[]) =>
  source.length === 1 ? sql`select distinct id from (${source[0]}) as matching` : sql.join(source, sql` union `)

/** How a search finds matches. */
export interface Finding {
  readonly app: App
  readonly search: Search
  /** Matches that are found before the list is read, `mostCounted` at most. */
  readonly most: number
}

const select = ({ isInTime }: Search, condition: Condition) =>
  sql`select id from ${sql.table('user')} where ${isInTime} and ${condition}`

/** Users with this id, or whose email address, name, username or phone number begins with the text, or whose name has its words. */
export async function findByStart(finding: Finding, text: string): Promise<Criterion> {
  const { app, search } = finding
  const hasId = sql<SqlBool>`${column('id')} = ${text}`
  const byId = { ids: select(search, hasId), byRow: hasId }
  const starts = [columnStart(search, 'email', text.toLowerCase()), ...nameStart(search, text), ...otherStarts(app, search, text)]
  return findMatches(finding, [byId, ...starts, ...(await wordStarts(finding, text))])
}

/** Users whose name has, for each word of the text, a word that begins with it. */
async function wordStarts({ app, search }: Finding, text: string): Promise<Forms[]> {
  // The start of an email address or username: its parts are words of many names.
  if (/^\S*[.@_+]\S*$/.test(text)) return []
  const words = await orderWords(app, search, searchedWords(text))
  const [first, ...others] = words
  if (first === undefined) return []
  const { isInTime } = startSearch(app, 'found.userId')
  const joined = others.map((word, at) => {
    const other = `other${at}`
    const isOfUser = sql`${sql.ref(`${other}.userId`)} = ${sql.ref('found.userId')}`
    return sql`inner join ${wordsAs(other)} on ${isOfUser} and ${wordBegins(other, word)}`
  })
  // A scalar, because a database turns `exists` into a join that may read all such words first.
  const has = (word: string) => sql`coalesce((select 1 from ${wordsAs('other')}
    where ${sql.ref('other.userId')} = ${column('id')} and ${wordBegins('other', word)} limit 1), 0) = 1`
  return [
    {
      ids: sql`select ${app.database.inJoinOrder} distinct ${sql.ref('found.userId')} as id
        from ${wordsAs('found')} ${sql.join(joined, sql` `)} where ${isInTime} and ${wordBegins('found', first)}`,
      isJoined: others.length > 0,
      byRow: sql<SqlBool>`(${sql.join(words.map(has), sql` and `)})`,
    },
  ]
}

const wordBegins = (alias: string, word: string) => isBetween(sql.ref(`${alias}.word`), word)

/** Rows of a word that are counted, so that the rarest word comes first. */
const countedRows = 10_000

async function orderWords(app: App, search: Search, words: readonly string[]): Promise<readonly string[]> {
  if (words.length < 2) return words
  const counts = words.map((word) => {
    const rows = sql`select 1 as one from ${wordsAs('found')} where ${wordBegins('found', word)} limit ${sql.lit(countedRows)}`
    return sql`select ${word} as word, count(*) as count from (${rows}) as counted`
  })
  const query = sql<{ word: string; count: number | string | bigint }>`${sql.join(counts, sql` union all `)}`
  const found = await search.run({ compile: () => query.compile(app.db) })
  const countOf = new Map(found.map(({ word, count }) => [word, Number(count)]))
  return words.toSorted((one, other) => (countOf.get(one) ?? 0) - (countOf.get(other) ?? 0))
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
