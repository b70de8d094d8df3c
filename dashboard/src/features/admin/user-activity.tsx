/** What a user did, and what was done to them: their events of the audit log. */

import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { TextLink } from '../../components/button.tsx'
import { LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card, Section } from '../../components/layout.tsx'
import { Pages } from '../../components/list.tsx'
import type { AuditEvent } from '../../events/index.ts'
import { RecentEvents, Timeline } from '../../events/timeline.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { eventsQuery } from './data.ts'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'

const detailsOf =
  ({ id: userId }: PartProps['user']) =>
  ({ id }: AuditEvent) => ({ to: '/admin/events', search: { userId, event: id } })

const mostRecent = 8

/** The newest events, next to the profile where there is room. */
export function RecentActivity({ user }: Pick<PartProps, 'user'>) {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery(eventsQuery(user.id, undefined))
  return (
    <Section title={t('recentActivity')}>
      {data === undefined ? (
        error ? (
          <LoadError error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton />
        )
      ) : data.events.length === 0 ? (
        <p className="text-13 text-muted">{t('noEventsText')}</p>
      ) : (
        <>
          <RecentEvents events={data.events.slice(0, mostRecent)} linkOf={detailsOf(user)} />
          <p className="mt-2">
            <TextLink to={'/admin/events' as string} search={{ userId: user.id }}>
              {t('allEvents')}
            </TextLink>
          </p>
        </>
      )}
    </Section>
  )
}

export function UserActivity({ user }: PartProps) {
  const t = useMessages(messages)
  /** Where the pages start, from the second to this one. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const { data, error, refetch } = useQuery(eventsQuery(user.id, cursors.at(-1)))
  const next = data?.nextCursor ?? null
  return (
    <Section
      title={t('activity')}
      actions={
        <TextLink to={'/admin/events' as string} search={{ userId: user.id }}>
          {t('allEvents')}
        </TextLink>
      }
    >
      {data === undefined ? (
        <Card className="px-4 py-2">{error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}</Card>
      ) : data.events.length === 0 ? (
        <Card>
          <Placeholder icon={History} title={t('noEvents')} heading="h3">
            {t('noEventsText')}
          </Placeholder>
        </Card>
      ) : (
        <Card>
          <Timeline heading="h3" events={data.events} linkOf={detailsOf(user)} />
          <Pages
            page={cursors.length + 1}
            pageSize={50}
            count={data.events.length}
            goBack={cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined}
            goNext={next === null ? undefined : () => setCursors([...cursors, next])}
          />
        </Card>
      )}
    </Section>
  )
}
