/** The frame of one organization, in that of the account area: it loads the organization, and says so when it cannot be opened. */
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { hasCode, queryClient } from '../../api/calls.ts'
import { useTabTitle } from '../../browser/tab-title.ts'
import { ReadOnlyNote } from '../../components/blocked.tsx'
import { LoadError, Skeleton, UnavailablePage } from '../../components/feedback.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { noteRecent, organizationQuery, useOrganizationId } from '../../session/organizations.ts'
import { messages } from './messages.ts'

/** Most members never see the notices. */
const loadTexts = () => import('./policy-messages.ts').then(({ messages: texts }) => texts.load(document.documentElement.lang))
const Stopped = lazy(async () => {
  const [{ Stopped }] = await Promise.all([import('./policy-notices.tsx'), loadTexts()])
  return { default: Stopped }
})
const DueNotice = lazy(async () => {
  const [{ DueNotice }] = await Promise.all([import('./policy-notices.tsx'), loadTexts()])
  return { default: DueNotice }
})

export function OrganizationFrame() {
  const id = useOrganizationId() ?? ''
  const { data, error, refetch } = useQuery(organizationQuery(id))
  const isOpen = data !== undefined
  useTabTitle(data?.name)
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
  if (hasCode(error, 'SECOND_FACTOR_REQUIRED'))
    return (
      <Suspense fallback={<Skeleton />}>
        <Stopped id={id} />
      </Suspense>
    )
  if (data) {
    return (
      <>
        <ReadOnlyNote />
        {data.twoFactorDueAt === null ? null : (
          <Suspense>
            <DueNotice dueAt={data.twoFactorDueAt} />
          </Suspense>
        )}
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
    <UnavailablePage icon={Building2} title={t('notAMember')} link={['/organizations', t('allOrganizations')]}>
      {t('notAMemberText')}
    </UnavailablePage>
  )
}
