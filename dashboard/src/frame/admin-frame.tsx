/** The frame of administration, in that of the account area: it says so when the current user may open none of its pages. */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { ShieldX } from 'lucide-react'
import { LoadError, Skeleton, UnavailablePage } from '../components/feedback.tsx'
import { useFrameMessages } from '../messages/index.ts'
import { permissionsQuery } from '../session/session.ts'
import { useInstancePath } from './frame-navigation.tsx'

export function AdminFrame() {
  const { data, error, refetch } = useQuery(permissionsQuery)
  const path = useInstancePath()
  if (error && !data) return <LoadError heading="h1" error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton />
  return path === undefined ? <NotPermitted /> : <Outlet />
}

/** What a page shows in place of its content when the role of the current user does not permit it. */
export function NotPermitted() {
  const t = useFrameMessages()
  return (
    <UnavailablePage icon={ShieldX} title={t('notPermitted')} link={['/account', t('continueToAccount')]}>
      {t('notPermittedText')}
    </UnavailablePage>
  )
}
