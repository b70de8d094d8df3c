/** Users as operators see them: every column, one user after the other, however many there are. */
import type { App } from '../../core/app.ts'
import { mergeTables } from '../../core/merged-tables.ts'
import type { UserRow } from '../../core/request.ts'

/** Rows that are read in one statement. */
const page = 500

export interface UserFilter {
  /** What name or address must hold, in any case; left out: everybody. */
  readonly search?: string | undefined
}

/** Everybody in the order of the primary key, so that any number is read in constant memory. */
export async function* streamUserPages(app: App): AsyncGenerator<UserRow[], void, undefined> {
  for (let after: string | null = ''; after !== null; ) {
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

/** Each user who fits once. Users who come meanwhile may be missing. */
export async function* streamUsers(app: App, { search = '' }: UserFilter = {}): AsyncGenerator<UserRow, void, undefined> {
  const wanted = search.toLowerCase()
  // Here and not in the query: a statement that looks for a rare word among millions would run into the time limit.
  for await (const users of streamUserPages(app)) for (const user of users) if (holds(user, wanted)) yield user
}

const holds = ({ email, name }: UserRow, wanted: string): boolean =>
  wanted === '' || email.includes(wanted) || name.toLowerCase().includes(wanted)

/** Every column under the name that the API has for it, also those that no client is shown. */
export function describeUserRecord(app: App, user: object): Readonly<Record<string, unknown>> {
  const columns = mergeTables(app.features).user ?? {}
  const told = Object.entries(user).filter(([name]) => !columns[name]?.internal)
  return Object.fromEntries(told.map(([name, value]) => [columns[name]?.shownAs ?? name, value]))
}

/** What functions of the configuration are told of a user: the row, but for what is nobody's business. */
export type UserRecord = Omit<UserRow, 'accessRevision'>

export const userRecord = ({ accessRevision: _, ...user }: UserRow): UserRecord => user
