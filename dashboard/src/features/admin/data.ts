/** What the screens of users read. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryClient } from '../../api/calls.ts'
import { call } from '../../session/session.ts'

/** What administrators see of users has a key that starts with this one, so that a change reads all of it again. */
export const adminKey = ['admin'] as const
export const refreshAdmin = (): Promise<void> => queryClient.invalidateQueries({ queryKey: adminKey })

export const statuses = ['active', 'unverified', 'banned', 'locked'] as const
export type Status = (typeof statuses)[number]
export const factorStates = ['with', 'without'] as const
const sorts = ['createdAt', 'email', 'name', 'lastSignInAt'] as const
export type Sort = (typeof sorts)[number]
export const rowCounts = [25, 50, 100] as const
const defaultRows = 50

export const dayNames = ['createdAfter', 'createdBefore', 'lastSignInAfter', 'lastSignInBefore'] as const
type DayName = (typeof dayNames)[number]

/** What the list shows, as it stands in the address of its page. */
export interface UserFilter extends Partial<Record<DayName, string>> {
  readonly search?: string | undefined
  readonly status?: Status | undefined
  readonly role?: string | undefined
  readonly provider?: string | undefined
  readonly secondFactor?: (typeof factorStates)[number] | undefined
  readonly organization?: string | undefined
  readonly sortBy: Sort
  readonly sortDirection: 'asc' | 'desc'
  readonly rows: number
  /** Where the page starts. */
  readonly after?: string | undefined
}

const oneOf = <T>(values: readonly T[], value: unknown): T | undefined => values.find((each) => each === value)

/** @param text a day, such as `2026-11-22`; undefined for anything else */
const dayOf = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

/** Reads the parameters of the address. What they cannot contain is left out. */
export function readFilter(parameter: (name: string) => string | undefined): UserFilter {
  const sort = parameter('sort') ?? '-createdAt'
  const sortBy = oneOf(sorts, sort.replace(/^-/, ''))
  const days = dayNames.flatMap((name) => {
    const day = dayOf(parameter(name))
    return day === undefined ? [] : [[name, day] as const]
  })
  return {
    search: parameter('search'),
    status: oneOf(statuses, parameter('status')),
    role: parameter('role'),
    provider: parameter('provider'),
    secondFactor: oneOf(factorStates, parameter('secondFactor')),
    organization: parameter('organization'),
    ...Object.fromEntries(days),
    sortBy: sortBy ?? 'createdAt',
    sortDirection: sortBy === undefined || sort.startsWith('-') ? 'desc' : 'asc',
    rows: oneOf(rowCounts, Number(parameter('rows'))) ?? defaultRows,
    after: parameter('after'),
  }
}

/** The start of a day in the time zone of the browser. */
const instant = (day: string | undefined) => (day === undefined ? undefined : new Date(`${day}T00:00`).toISOString())

/** What the API calls the filters of the address. */
function queryOf({ rows: _, after: __, organization: organizationId, ...filter }: UserFilter) {
  const days = Object.fromEntries(dayNames.map((name) => [name, instant(filter[name])]))
  return { ...filter, ...days, organizationId }
}

/** The part of a filter that decides who matches. */
export function matchOf(filter: UserFilter) {
  const { sortBy: _, sortDirection: __, ...match } = queryOf(filter)
  return match
}

/** @param withOrganizations whether the number of organizations of each user is shown */
export const usersQuery = (filter: UserFilter, withOrganizations: boolean) =>
  queryOptions({
    queryKey: [...adminKey, 'users', filter, withOrganizations],
    queryFn: ({ signal }) => {
      const include = withOrganizations ? ({ include: 'organizations' } as const) : {}
      const query = { ...queryOf(filter), ...include, limit: filter.rows, cursor: filter.after }
      return call('GET /admin/list-users', { query }, { signal })
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
    // A search that is too slow is not faster the second time.
    retry: false,
  })

const listUsers = () => call('GET /admin/list-users', { query: {} })
export type UserPage = Awaited<ReturnType<typeof listUsers>>
export type ListedUser = UserPage['users'][number]

/** What the dialogs need to know of a user. */
export type User = Pick<
  ListedUser,
  'id' | 'name' | 'email' | 'emailVerified' | 'role' | 'banned' | 'banReason' | 'banExpires' | 'lockedAt' | 'lockReason'
>

/** A ban that has expired no longer counts. */
export const isBanned = ({ banned, banExpires }: Pick<User, 'banned' | 'banExpires'>): boolean =>
  banned === true && (!banExpires || Date.parse(banExpires) > Date.now())

export const statusOf = (user: Pick<User, 'banned' | 'banExpires' | 'emailVerified' | 'lockedAt'>): Status => {
  if (user.lockedAt) return 'locked'
  if (isBanned(user)) return 'banned'
  return user.emailVerified ? 'active' : 'unverified'
}

/** What is read of one user has a key that starts with this one. */
export const userKey = (id: string) => [...adminKey, 'user', id] as const

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...userKey(id), 'itself'],
    queryFn: () => call('GET /admin/get-user', { query: { id } }),
    refetchOnWindowFocus: 'always',
  })

const listSessions = (userId: string) => call('POST /admin/list-user-sessions', { body: { userId } })
export type UserSession = Awaited<ReturnType<typeof listSessions>>['sessions'][number]
export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'sessions'],
    queryFn: async () => {
      const { sessions } = await listSessions(userId)
      return sessions.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
    },
    refetchOnWindowFocus: 'always',
  })

const listAccounts = (userId: string) => call('GET /admin/list-user-accounts', { query: { userId } })
export type UserAccount = Awaited<ReturnType<typeof listAccounts>>['accounts'][number]
export const accountsQuery = (userId: string) =>
  queryOptions({ queryKey: [...userKey(userId), 'accounts'], queryFn: async () => (await listAccounts(userId)).accounts })

export const organizationsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'organizations'],
    queryFn: async () => (await call('GET /admin/list-user-organizations', { query: { userId } })).organizations,
  })

export const eventsQuery = (userId: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...userKey(userId), 'events', cursor ?? ''],
    queryFn: ({ signal }) => call('GET /admin/list-events', { query: { userId, cursor, limit: 50 } }, { signal }),
    placeholderData: keepPreviousData,
  })
