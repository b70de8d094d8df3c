/** The bulk actions of the last month, newest first. */
import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { ButtonLink } from '../../components/button.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, IconTile, Time } from '../../components/layout.tsx'
import { ListPages } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useListPage } from '../../routes/list-state.ts'
import { type BulkAction, bulkActionsQuery, pageSize } from './data.ts'
import { messages } from './index.ts'
import { Progress, StateTag, useActionTitle } from './parts.tsx'

export function Screen() {
  const t = useMessages(messages)
  const { after } = useListPage()
  const columns = [{ label: t('action') }, { label: t('state') }, { label: t('progressName') }, { label: t('created') }]
  return (
    <AdminPage
      title={t('bulkActions')}
      lead={t('lead')}
      query={useQuery(bulkActionsQuery(after))}
      skeleton={<TableSkeleton columns={columns} icon="square" />}
    >
      {({ actions, nextCursor }) =>
        actions.length === 0 ? (
          <None />
        ) : (
          <Table
            label={t('bulkActions')}
            columns={columns}
            footer={<ListPages pageSize={pageSize} count={actions.length} next={nextCursor} />}
          >
            {actions.map((action) => (
              <ActionRow key={action.id} action={action} />
            ))}
          </Table>
        )
      }
    </AdminPage>
  )
}

function None() {
  const t = useMessages(messages)
  return (
    <Card className="max-w-160">
      <Placeholder
        icon={ListChecks}
        title={t('none')}
        actions={<ButtonLink to={'/admin/users' as string}>{t('showUsers')}</ButtonLink>}
      >
        {t('noneText')}
      </Placeholder>
    </Card>
  )
}

function ActionRow({ action }: { readonly action: BulkAction }) {
  const t = useMessages(messages)
  const title = useActionTitle()(action)
  return (
    <Row
      head={
        <RowHead
          icon={
            <IconTile>
              <ListChecks className="size-4" />
            </IconTile>
          }
          name={title}
          to={`/admin/bulk-actions/${action.id}`}
          detail={<bdi>{action.createdByEmail ?? action.createdBy}</bdi>}
        />
      }
    >
      <Cell label={t('state')}>
        <StateTag action={action} />
      </Cell>
      <Cell label={t('progressName')}>
        <Progress action={action} />
      </Cell>
      <Cell label={t('created')}>
        <Time value={action.createdAt} />
      </Cell>
    </Row>
  )
}
