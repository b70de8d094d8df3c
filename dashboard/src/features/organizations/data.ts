/** What the screens of an organization read. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useSettings } from '../../api/calls.ts'
import { creatorsQuery, listWithTotal, type Organization, organizationKey, pageSize } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'

export interface MemberFilter {
  readonly search?: string | undefined
  readonly role?: string | undefined
  readonly teamId?: string | undefined
  readonly after?: string | undefined
  readonly limit?: number
  /** Whether the members have `lastSignInAt`; only for members who may update others. */
  readonly lastSignIn?: boolean
}

const ofRole = (role: string) => ({ filterField: 'role', filterOperator: 'contains', filterValue: role }) as const

/** What the API calls the filters. */
export const memberFilter = ({ role, lastSignIn, ...filter }: Omit<MemberFilter, 'after' | 'limit'>) => ({
  ...filter,
  ...(role !== undefined && ofRole(role)),
  ...(lastSignIn && { lastSignIn: 'true' as const }),
})

/** A page of the members, oldest membership first. */
function readMembers(organizationId: string, { limit = pageSize, after, ...filter }: MemberFilter, signal?: AbortSignal) {
  return call(
    'GET /organization/list-members',
    { query: { organizationId, limit, after, teams: 'true', ...memberFilter(filter) } },
    signal && { signal },
  )
}

export const membersQuery = (organizationId: string, filter: MemberFilter) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'members', filter],
    queryFn: ({ signal }) => readMembers(organizationId, filter, signal),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })
export type Member = Awaited<ReturnType<typeof listMembers>>['members'][number]
const listMembers = () => call('GET /organization/list-members', { query: {} })

/** The members who joined last, the newest first. */
export const newestMembersQuery = (organizationId: string, limit: number) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'newest-members', limit],
    queryFn: () => {
      const query = { organizationId, limit, sortBy: 'createdAt', sortDirection: 'desc' } as const
      return call('GET /organization/list-members', { query })
    },
  })

/** Those of these users who are members, by their ID. */
export const membersByUserQuery = (organizationId: string, userIds: readonly string[]) => {
  const ids = [...new Set(userIds)].sort()
  return queryOptions({
    queryKey: [...organizationKey(organizationId), 'members-by-user', ids],
    queryFn: async () => {
      const filter = { filterField: 'userId', filterOperator: 'in', filterValue: ids } as const
      const { members } = await call('GET /organization/list-members', {
        query: { organizationId, ...filter, limit: ids.length },
      })
      return new Map(members.map((member) => [member.userId, member]))
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
}

/** Teams, oldest first: as many as one response has. */
const mostTeams = 1000

export const teamsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'teams'],
    queryFn: () => call('GET /organization/list-teams', { query: { organizationId, limit: mostTeams, memberCounts: 'true' } }),
  })
export type Team = Awaited<ReturnType<typeof listTeams>>[number]
const listTeams = () => call('GET /organization/list-teams', { query: {} })

/** The teams of an organization; none while they load, and when teams are disabled. */
export function useTeams({ id }: Organization): readonly Team[] {
  const enabled = useSettings().organization?.teams ?? false
  return useQuery({ ...teamsQuery(id), enabled }).data ?? []
}

/** Number of invitations that can be accepted. */
export const pendingQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'pending'],
    queryFn: async () => {
      const query = { organizationId, status: 'pending', limit: 1 } as const
      return (await listWithTotal((client) => client('GET /organization/list-invitations', { query }))).total
    },
  })

interface ActivityFilter {
  /** A position that the page before named. */
  readonly cursor?: string | undefined
  readonly action?: string | undefined
  readonly limit?: number
}

export const activityQuery = (organizationId: string, { cursor, action, limit = pageSize }: ActivityFilter) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'activity', cursor ?? '', action ?? '', limit],
    queryFn: ({ signal }) =>
      call('GET /organization/list-events', { query: { organizationId, cursor, action, limit } }, { signal }),
    placeholderData: keepPreviousData,
  })
export type Activity = Awaited<ReturnType<typeof listActivity>>['events'][number]
const listActivity = () => call('GET /organization/list-events', { query: {} })

/** Whether the organization has only one member with the role that it must keep; false while that is not known. */
export function useHasOneCreator({ id }: Organization): boolean {
  const creatorRole = useSettings().organization?.creatorRole ?? ''
  return useQuery(creatorsQuery(id, creatorRole)).data === 1
}
