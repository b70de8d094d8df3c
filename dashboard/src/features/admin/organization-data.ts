/** What the screens of the organizations of the instance read. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../session/session.ts'
import { adminKey } from './data.ts'

export const pageSize = 50

interface OrganizationFilter {
  readonly search: string | undefined
  readonly cursor: string | undefined
}

export const allOrganizationsQuery = ({ search, cursor }: OrganizationFilter) =>
  queryOptions({
    queryKey: [...adminKey, 'organizations', search ?? '', cursor ?? ''],
    queryFn: ({ signal }) => call('GET /admin/list-organizations', { query: { search, cursor, limit: pageSize } }, { signal }),
    placeholderData: keepPreviousData,
    // A search that is too slow is not faster the second time.
    retry: false,
  })

const readOrganization = (id: string) => call('GET /admin/get-organization', { query: { id } })
export type AnyOrganization = Awaited<ReturnType<typeof readOrganization>>
const organizationKey = (id: string) => [...adminKey, 'organization', id] as const

export const anyOrganizationQuery = (id: string) =>
  queryOptions({ queryKey: [...organizationKey(id), 'itself'], queryFn: () => readOrganization(id) })

const readMembers = (organizationId: string, { search, cursor: after }: OrganizationFilter, signal: AbortSignal) =>
  call('GET /admin/list-organization-members', { query: { organizationId, search, after, limit: pageSize } }, { signal })
export type AnyMembers = Awaited<ReturnType<typeof readMembers>>

export const anyMembersQuery = (organizationId: string, filter: OrganizationFilter) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'members', filter.search ?? '', filter.cursor ?? ''],
    queryFn: ({ signal }) => readMembers(organizationId, filter, signal),
    placeholderData: keepPreviousData,
  })

export const organizationEventsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'events'],
    queryFn: () => call('GET /admin/list-events', { query: { organizationId, limit: 10 } }),
  })
