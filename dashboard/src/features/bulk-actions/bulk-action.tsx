/** One bulk action: its progress, what it does, and whom it could not change. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTabTitle } from '../../browser/tab-title.ts'
import { TextLink } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { Card, Facts, PageHead, Section, Tag, Time } from '../../components/layout.tsx'
import { DetailSkeleton } from '../../components/skeleton.tsx'
import { AdminDetail, Breadcrumb } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { Controls } from './controls.tsx'
import { type BulkAction, bulkActionQuery } from './data.ts'
import { messages } from './index.ts'
import { Progress, StateTag, useActionTitle } from './parts.tsx'
import { Targets } from './targets.tsx'

const path = '/admin/bulk-actions'

export function Screen() {
  const t = useMessages(messages)
  const { bulkActionId = '' }: { readonly bulkActionId?: string } = useParams({ strict: false })
  return (
    <AdminDetail
      query={useQuery(bulkActionQuery(bulkActionId))}
      notFound={{ icon: SearchX, title: t('notFound'), children: t('notFoundText'), link: [path, t('showAll')] }}
      skeleton={<DetailSkeleton shape="square" />}
    >
      {(action) => <Page action={action} />}
    </AdminDetail>
  )
}

function Page({ action }: { readonly action: BulkAction }) {
  const t = useMessages(messages)
  const title = useActionTitle()(action)
  useTabTitle(title)
  return (
    <>
      <Breadcrumb to={path} list={t('bulkActions')}>
        {title}
      </Breadcrumb>
      <PageHead title={title} actions={<Controls action={action} />} />
      {action.state === 'stopped' ? (
        <div className="mb-4">
          <Note tone="danger">{t('stoppedText')}</Note>
        </div>
      ) : null}
      <Card className="px-4 py-3">
        <div role="status" className="mb-2 text-13">
          <StateTag action={action} />
        </div>
        <Progress action={action} />
      </Card>
      <Section title={t('facts')}>
        <Card className="px-4 py-1">
          <Facts facts={useFacts(action)} />
        </Card>
      </Section>
      <Targets action={action} />
    </>
  )
}

/** What the filter compares, in the names of the API. */
const Filter = ({ filter }: { readonly filter: Readonly<Record<string, unknown>> }) => (
  <span dir="ltr" translate="no" className="inline-flex flex-wrap gap-1">
    {Object.entries(filter)
      .filter(([name]) => 'filterValue' in filter || !name.startsWith('filter'))
      .filter(([name]) => 'searchValue' in filter || (name !== 'searchField' && name !== 'searchOperator'))
      .map(([name, value]) => (
        <Tag key={name}>
          {name}: {String(value)}
        </Tag>
      ))}
  </span>
)

function useFacts(action: BulkAction): (readonly [string, ReactNode])[] {
  const t = useMessages(messages)
  const { createdBy, createdByEmail, createdAt, endedAt, expiresAt, banReason, banExpires, role, filter } = action
  return [
    [
      t('createdBy'),
      createdByEmail === null ? (
        <bdi key="by">{createdBy}</bdi>
      ) : (
        <TextLink key="by" to={`/admin/users/${createdBy}` as string}>
          {createdByEmail}
        </TextLink>
      ),
    ],
    [t('created'), <Time key="created" value={createdAt} style="dateTime" />],
    [
      t('users'),
      filter === null ? (
        t('chosenUsers')
      ) : (
        <span key="users">
          {t('matchingUsers')} <Filter filter={filter} />
        </span>
      ),
    ],
    ...(endedAt === null ? [] : [[t('ended'), <Time key="ended" value={endedAt} style="dateTime" />] as const]),
    ...(banReason === null
      ? []
      : [
          [
            t('reason'),
            <bdi key="reason" translate="no">
              {banReason}
            </bdi>,
          ] as const,
        ]),
    ...(banExpires === null ? [] : [[t('banEnds'), <Time key="ends" value={banExpires} style="dateTime" />] as const]),
    ...(role === null
      ? []
      : [
          [
            t('role'),
            <bdi key="role" translate="no">
              {role}
            </bdi>,
          ] as const,
        ]),
    [t('deleted'), <Time key="deleted" value={expiresAt} style="date" />],
  ]
}
