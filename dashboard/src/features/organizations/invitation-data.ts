/** The invitations of an organization: what the screen reads, and what it changes. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useSettings } from '../../api/calls.ts'
import { listWithTotal, organizationKey, pageSize, refreshOrganization } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'
import { type Member, membersByUserQuery } from './data.ts'

export const statuses = ['pending', 'accepted', 'rejected', 'expired', 'canceled'] as const
export type Status = (typeof statuses)[number]

interface Filter {
  readonly search: string | undefined
  readonly status: Status | undefined
  readonly after: string | undefined
}

const list = (client: typeof call, query: Filter & { readonly organizationId: string }) =>
  client('GET /organization/list-invitations', { query: { ...query, limit: pageSize } })
export type Invitation = Awaited<ReturnType<typeof list>>[number]

export const invitationsQuery = (organizationId: string, filter: Filter) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'invitations', filter],
    queryFn: () => listWithTotal((client) => list(client, { organizationId, ...filter })),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })

/** Of so many pending invitations, those that end first are known. */
const mostCompared = 100

/** The pending invitations that end first; none if there are too many to compare. */
export const endingQuery = (organizationId: string, count: number) =>
  queryOptions({
    queryKey: [...organizationKey(organizationId), 'ending-invitations', count],
    queryFn: async () => {
      const query = { organizationId, status: 'pending', limit: mostCompared } as const
      const { rows, hasMore } = await listWithTotal((client) => client('GET /organization/list-invitations', { query }))
      return hasMore ? [] : rows.toSorted((one, other) => (one.expiresAt < other.expiresAt ? -1 : 1)).slice(0, count)
    },
  })

/** Without emails, members pass the links on. */
export const useSendsInvitations = (): boolean => useSettings().organization?.sendsInvitations === true

/** The names of the members who sent these invitations; without those who have left. */
export function useInviters(organizationId: string, invitations: readonly Invitation[]): ReadonlyMap<string, string> {
  const ids = invitations.map(({ inviterId }) => inviterId)
  const { data = new Map<string, Member>() } = useQuery(membersByUserQuery(organizationId, ids))
  return new Map([...data].map(([userId, { user }]) => [userId, user.name]))
}

/** An expired invitation has the status `pending` on the wire. */
export function statusOf({ status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>): Status {
  if (status === 'pending' && new Date(expiresAt) <= new Date()) return 'expired'
  return statuses.find((known) => known === status) ?? 'canceled'
}

interface NewInvitation {
  readonly organizationId: string
  readonly email: string
  readonly role: string
  readonly teamId?: string | null | undefined
  /** Renew one that is pending. */
  readonly resend: boolean
}

export async function invite({ teamId, ...body }: NewInvitation): Promise<void> {
  await call('POST /organization/invite-member', { body: { ...body, ...(teamId && { teamId }) } })
}

/** Renews an invitation and sends it again; one that has ended is sent as a new one. */
export async function resendInvitation({ organizationId, email, role, teamId }: Invitation): Promise<void> {
  await invite({ organizationId, email, role: role ?? '', teamId, resend: true })
  await refreshOrganization(organizationId)
}

export async function cancelInvitation({ id, organizationId }: Invitation): Promise<void> {
  await call('POST /organization/cancel-invitation', { body: { invitationId: id } })
  await refreshOrganization(organizationId)
}
