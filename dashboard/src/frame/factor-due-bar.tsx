/** Until when a rule demands that the user sets up a second factor. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { call } from '../session/session.ts'
import { Bar, barLink } from './bars.tsx'

/** The same data as on the page about security, which reads it again after a change. */
const statusQuery = queryOptions({ queryKey: ['second-factors'], queryFn: () => call('GET /two-factor/status', {}) })

export function FactorDueBar() {
  const t = useFrameMessages()
  const { format } = useLocale()
  const dueAt = useQuery(statusQuery).data?.twoFactorSetup?.dueAt
  if (dueAt === undefined) return null
  return (
    <Bar icon={ShieldAlert} tone="warning" label={t('secondFactor')}>
      {t('factorDue', { time: format.dateTime(new Date(dueAt)) })}{' '}
      <Link to={'/account/security' as string} className={barLink}>
        {t('setUpFactor')}
      </Link>
    </Bar>
  )
}
