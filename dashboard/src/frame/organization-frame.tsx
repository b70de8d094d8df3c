/** The frame of one organization, in that of the account area: it loads the organization, and says so when it cannot be opened. */
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useEffect } from 'react'
import { hasCode, queryClient } from '../api.ts'
import { ReadOnlyNote } from '../components/blocked.tsx'
import { ButtonLink } from '../components/button.tsx'
import { LoadError, Placeholder, Skeleton } from '../components/feedback.tsx'
import { Card } from '../components/layout.tsx'
import { messages } from '../features/organizations/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { noteRecent, organizationQuery, useOrganizationId } from '../organizations.ts'

export function OrganizationFrame() {
  const id = useOrganizationId() ?? ''
  const { data, error, refetch } = useQuery(organizationQuery(id))
  const isOpen = data !== undefined
  const path = useLocation({ select: ({ pathname }) => pathname })
  // Another member may have changed the role: the next page must know.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is when, not what
  useEffect(() => {
    const query = organizationQuery(id)
    if (queryClient.getQueryData(query.queryKey)) void queryClient.invalidateQueries(query)
  }, [id, path])
  useEffect(() => {
    if (isOpen) noteRecent(id)
  }, [id, isOpen])
  if (hasCode(error, 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION')) return <NotAMember />
  if (data) {
    return (
      <>
        <ReadOnlyNote />
        <Outlet key={id} />
      </>
    )
  }
  return error ? <LoadError heading="h1" error={error} retry={() => void refetch()} /> : <Skeleton />
}

/** Whether the organization exists is not said: only its members know. */
function NotAMember() {
  const t = useMessages(messages)
  return (
    <Card>
      <Placeholder
        heading="h1"
        icon={Building2}
        title={t('notAMember')}
        actions={<ButtonLink to="/organizations">{t('allOrganizations')}</ButtonLink>}
      >
        {t('notAMemberText')}
      </Placeholder>
    </Card>
  )
}
