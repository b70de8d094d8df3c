/** Users as operators see them: every column, one user after the other, however many there are. */
import type { App } from '../../core/app.ts'
import { mergeTables } from '../../core/merged-tables.ts'
import type { UserRow } from '../../core/request.ts'

/** Rows that are read in one statement. */
const page = 500

export interface UserFilter {
  /** What name or address must hold, in any case; left out: everybody. */
  readonly search?: string | undefined
  /** A role that the user must have, among others. */
  readonly role?: string | undefined
  /** Only those whose address is not proved. */
  readonly unverified?: boolean | undefined
  readonly createdSince?: Date | undefined
}

/**
 * Everybody in the order of the primary key, so that any number is read in constant memory.
 * @param from the id after which to begin; the empty text for all
 */
export async function* streamUserPages(app: App, from = ''): AsyncGenerator<UserRow[], void, undefined> {
  for (let after: string | null = from; after !== null; ) {
    const rows: UserRow[] = await app.db
      .selectFrom('user')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(page)
      .execute()
    if (rows.length > 0) yield rows
    after = rows.length < page ? null : (rows.at(-1)?.id ?? null)
  }
}

/** Each user who fits once, in the order of the ids. Users who come meanwhile may be missing. */
export async function* streamUsers(
  app: App,
  filter: UserFilter & { readonly after?: string | undefined } = {},
): AsyncGenerator<UserRow, void, undefined> {
  const wanted = { ...filter, search: filter.search?.toLowerCase() }
  // Here and not in the query: a statement that looks for a rare word among millions would run into the time limit.
  for await (const users of streamUserPages(app, filter.after)) for (const user of users) if (fits(user, wanted)) yield user
}

const fits = (user: UserRow, { search, role, unverified = false, createdSince }: UserFilter): boolean =>
  (search === undefined || user.email.includes(search) || user.name.toLowerCase().includes(search)) &&
  (role === undefined || (user.role ?? '').split(',').includes(role)) &&
  (!unverified || !user.emailVerified) &&
  (createdSince === undefined || user.createdAt >= createdSince)

/** Every column under the name that the API has for it, also those that no client is shown. */
export function describeUserRecord(app: App, user: object): Readonly<Record<string, unknown>> {
  const columns = mergeTables(app.features).user ?? {}
  const told = Object.entries(user).filter(([name]) => !columns[name]?.internal)
  return Object.fromEntries(told.map(([name, value]) => [columns[name]?.shownAs ?? name, value]))
}

/** What functions of the configuration are told of a user: the row, but for what is nobody's business. */
export type UserRecord = Omit<UserRow, 'accessRevision'>

export const userRecord = ({ accessRevision: _, ...user }: UserRow): UserRecord => user
