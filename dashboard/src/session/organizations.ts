/** The organizations of the current user: the open one with what its member may do, and those that were opened last. */

import { queryOptions, useQueries, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { createClient } from '../../../src/client.ts'
import { listedNames } from '../../../src/lib/text.ts'
import { apiPath, lastSession, queryClient, refreshSession } from '../api/calls.ts'
import { call, callWith } from './session.ts'

/** How many rows a page of a list has. */
export const pageSize = 50

const listRoles = (organizationId: string) =>
  call('GET /organization/list-roles', { query: { organizationId, predefined: 'true' } })
export type ListedRole = Awaited<ReturnType<typeof listRoles>>[number]

/** The role first: without membership, the other calls would clear the active organization of the session. */
async function readOrganization(organizationId: string) {
  const { role } = await call('GET /organization/get-active-member-role', { query: { organizationId } })
  const [found, roles] = await Promise.all([
    call('GET /organization/get-full-organization', { query: { organizationId, membersLimit: 1 } }),
    listRoles(organizationId),
  ])
  if (!found) throw new Error('The API returned no organization')
  const { id, name, slug, logo, createdAt, metadata, total } = found
  const {
    twoFactorRequired = false,
    twoFactorGraceDays = null,
    twoFactorDueAt = null,
    twoFactorShowAdministrators = false,
  } = found
  const own = roles.filter((one) => listedNames(role).includes(one.role))
  return {
    ...{ id, name, slug, logo, createdAt, total, role, roles },
    ...{ twoFactorRequired, twoFactorGraceDays, twoFactorDueAt, twoFactorShowAdministrators },
    metadata: typeof metadata === 'string' ? (JSON.parse(metadata) as Readonly<Record<string, unknown>>) : metadata,
    /** Whether the member has the role that every organization keeps. */
    isCreator: own.some(({ isCreatorRole }) => isCreatorRole),
    /** Whether one of the roles of the current user permits this. */
    allows: (resource: string, action: string): boolean => own.some(({ permission }) => permission[resource]?.includes(action)),
  }
}
export type Organization = Awaited<ReturnType<typeof readOrganization>>

/** What belongs to an organization has a key that starts with this one, so that a change reads all of it again. */
export const organizationKey = (id: string) => ['organization', id] as const

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: [...organizationKey(id), 'itself'],
    queryFn: () => readOrganization(id),
    // Another member may have changed the role.
    refetchOnWindowFocus: 'always',
  })

/** The ID in the address of an organization's page; undefined on other pages. */
export function useOrganizationId(): string | undefined {
  const { organizationId }: { readonly organizationId?: string } = useParams({ strict: false })
  return organizationId
}

/** The open organization. Only for screens in its frame, which has loaded it. */
export function useOrganization(): Organization {
  const id = useOrganizationId()
  if (id === undefined) throw new Error('This screen needs an organization')
  return useSuspenseQuery(organizationQuery(id)).data
}

/** The address of a page of an organization. */
export const organizationPath = (id: string, page = ''): string =>
  `/organizations/${encodeURIComponent(id)}${page === '' ? '' : `/${page}`}`

/** Reads all data of an organization again that a page shows. */
export const refreshOrganization = (id: string): Promise<void> => queryClient.invalidateQueries({ queryKey: organizationKey(id) })

/** Pages of organizations that the user has left or deleted have nothing to show. */
export async function discardOrganization(id: string): Promise<void> {
  storeRecent(readRecent().filter((one) => one !== id))
  queryClient.removeQueries({ queryKey: organizationKey(id) })
  await Promise.all([refreshSession(), queryClient.invalidateQueries({ queryKey: ['memberships'] })])
}

interface MembershipPage {
  readonly search?: string | undefined
  readonly after?: string | undefined
  readonly limit?: number
}

/** The organizations of the current user, by name. */
export const membershipsQuery = ({ search, after, limit = pageSize }: MembershipPage = {}) =>
  queryOptions({
    queryKey: ['memberships', search ?? '', after ?? '', limit],
    queryFn: ({ signal }) => call('GET /organization/list-memberships', { query: { search, after, limit } }, { signal }),
  })
export type Membership = Awaited<ReturnType<NonNullable<ReturnType<typeof membershipsQuery>['queryFn']>>>['memberships'][number]

/** The number of members with the role that every organization keeps. */
export const creatorsQuery = (organizationId: string, creatorRole: string) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'creators'],
    queryFn: async () => {
      const filter = { filterField: 'role', filterOperator: 'contains', filterValue: creatorRole } as const
      const { total } = await call('GET /organization/list-members', { query: { organizationId, limit: 1, ...filter } })
      return total
    },
  })

const recentCount = 5
const recentKey = () => `latchkey.organizations.${lastSession()?.user.id ?? ''}`

/** IDs of the organizations that were opened last in this browser, the newest first. */
function readRecent(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(recentKey()) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, recentCount) : []
  } catch {
    // Another program has written it.
    return []
  }
}
const storeRecent = (ids: readonly string[]) => localStorage.setItem(recentKey(), JSON.stringify(ids))
export const noteRecent = (id: string): void =>
  storeRecent([id, ...readRecent().filter((one) => one !== id)].slice(0, recentCount))

export interface MembershipGroup {
  readonly value: 'recent' | 'others'
  readonly items: readonly Membership[]
}

export interface MembershipGroups {
  readonly groups: readonly MembershipGroup[]
  /** Of all that match. */
  readonly total: number | undefined
  readonly shown: number
  readonly error: unknown
}

/** The organizations that the switcher offers. Recently opened ones may be beyond the first page of all. */
export function useMembershipGroups(search: string, isOpen: boolean): MembershipGroups {
  const searched = useDeferredValue(search.trim()) || undefined
  const { data, error } = useQuery({
    ...membershipsQuery({ search: searched }),
    enabled: isOpen,
    placeholderData: (former) => former,
  })
  const recent = isOpen && !searched ? readRecent() : []
  const listed = data?.memberships ?? []
  const missing = data?.hasMore ? recent.filter((id) => !listed.some(({ organization }) => organization.id === id)) : []
  const others = useQueries({ queries: missing.map((id) => membershipsQuery({ search: id, limit: 1 })) })
  const known = [...listed, ...others.flatMap((query) => query.data?.memberships ?? [])]
  const first = recent.flatMap((id) => known.find(({ organization }) => organization.id === id) ?? [])
  const rest = listed.filter((one) => !first.includes(one))
  const groups = [
    { value: 'recent', items: first },
    { value: 'others', items: rest },
  ] as const
  return { groups: groups.filter(({ items }) => items.length > 0), total: data?.total, shown: first.length + rest.length, error }
}

/** Makes an organization the active one of the session: apps show their data of it. */
export async function activateOrganization(organizationId: string): Promise<void> {
  await call('POST /organization/set-active', { body: { organizationId } })
  await refreshSession()
}

/** A list whose total stands in a header of the response. */
export async function listWithTotal<T>(
  list: (client: typeof call) => Promise<readonly T[]>,
): Promise<{ rows: readonly T[]; total: number; hasMore: boolean }> {
  let headers = new Headers()
  const client = createClient({
    baseURL: `${location.origin}${apiPath}`,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      headers = response.headers
      return response
    },
  })
  const rows = await list(callWith(client))
  return { rows, total: Number(headers.get('x-total-count') ?? rows.length), hasMore: headers.has('link') }
}
