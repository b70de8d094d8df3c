/** What a user did, and what was done to them: their events of the audit log. */
import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { TextLink } from '../../components/button.tsx'
import { LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card, Section, Tag, Time } from '../../components/layout.tsx'
import { Cell, Pages, Row, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { type AuditEvent, eventsQuery } from './data.ts'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'

const outcomes = {
  succeeded: { tone: 'success', label: 'succeeded' },
  failed: { tone: 'danger', label: 'failed' },
  denied: { tone: 'brass', label: 'denied' },
} as const
const kinds = { operator: 'operator', system: 'system', anonymous: 'anonymous' } as const

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
        <Table
          label={t('activity')}
          columns={[{ label: t('event') }, { label: t('outcome') }, { label: t('by') }, { label: t('time') }]}
          footer={
            <Pages
              page={cursors.length + 1}
              pageSize={50}
              count={data.events.length}
              goBack={cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined}
              goNext={next === null ? undefined : () => setCursors([...cursors, next])}
            />
          }
        >
          {data.events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </Table>
      )}
    </Section>
  )
}

function EventRow({ event }: { readonly event: AuditEvent }) {
  const t = useMessages(messages)
  const { tone, label } = outcomes[event.outcome]
  return (
    <Row head={<span className="font-mono text-12 wrap-anywhere">{event.action}</span>}>
      <Cell label={t('outcome')}>
        <Tag tone={tone}>{t(label)}</Tag>
      </Cell>
      <Cell label={t('by')} isWrapping>
        <Actor event={event} />
      </Cell>
      <Cell label={t('time')}>
        <Time value={event.createdAt} />
      </Cell>
    </Row>
  )
}

function Actor({ event: { actor, impersonatedBy } }: { readonly event: AuditEvent }) {
  const t = useMessages(messages)
  if (impersonatedBy) return t('asUser', { name: impersonatedBy.name ?? t('unknownUser') })
  if (actor.kind === 'user') return <bdi>{actor.name ?? t('unknownUser')}</bdi>
  return actor.name ? (
    <>
      {t(kinds[actor.kind])} <bdi className="text-muted">{actor.name}</bdi>
    </>
  ) : (
    t(kinds[actor.kind])
  )
}
