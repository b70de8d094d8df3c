/** The invitations that the current user can accept. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient, refreshSession, useSettings } from '../../api/calls.ts'
import { call, useSession } from '../../session/session.ts'

const listOwn = () => call('GET /organization/list-user-invitations', {})
export type OwnInvitation = Awaited<ReturnType<typeof listOwn>>[number]

const ownInvitationsQuery = queryOptions({ queryKey: ['own-invitations'], queryFn: listOwn, staleTime: 60_000 })

/** With an unverified email address, the API lists none. */
export function useOwnInvitations() {
  const { organization } = useSettings()
  const { user } = useSession()
  const needsVerification = organization?.requiresVerifiedEmail === true && !user.emailVerified
  return { needsVerification, ...useQuery({ ...ownInvitationsQuery, enabled: !needsVerification }) }
}

export async function acceptInvitation({ id }: OwnInvitation): Promise<void> {
  await call('POST /organization/accept-invitation', { body: { invitationId: id } })
  // The organization is now the active one of the session.
  await refreshSession()
}

export const rejectInvitation = async ({ id }: OwnInvitation): Promise<void> => {
  await call('POST /organization/reject-invitation', { body: { invitationId: id } })
}

/** After an invitation was accepted or declined, or when that failed because it has changed. */
export const refreshOwn = (): Promise<unknown> =>
  Promise.all(['own-invitations', 'memberships'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
