/** Who left an organization or was removed from it, as far back as its activity is kept. */
import { useQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { Avatar } from '../../components/avatar.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, Tag, Time } from '../../components/layout.tsx'
import { ListPages, Loaded } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useListPage } from '../../routes/list-state.ts'
import { organizationPath, pageSize, useOrganization } from '../../session/organizations.ts'
import { type Activity, activityQuery, membersByUserQuery } from './data.ts'
import { messages } from './messages.ts'

export function FormerMembers() {
  const t = useMessages(messages)
  const { id } = useOrganization()
  const { after, page } = useListPage()
  const query = useQuery(activityQuery(id, { cursor: after, action: 'member.removed,member.left' }))
  const columns = [{ label: t('member') }, { label: t('membershipEnd') }, { label: t('time') }]
  return (
    <Loaded query={query} skeleton={<TableSkeleton columns={columns} icon="circle" hasPages />}>
      {({ events, nextCursor }) =>
        events.length === 0 && page === 1 && nextCursor === null ? (
          <NoFormerMembers />
        ) : (
          <FormerTable
            events={events}
            columns={columns}
            pages={<ListPages pageSize={pageSize} count={events.length} next={nextCursor} />}
          />
        )
      }
    </Loaded>
  )
}

function NoFormerMembers() {
  const t = useMessages(messages)
  const { id } = useOrganization()
  return (
    <Card>
      <Placeholder
        icon={UsersRound}
        title={t('noFormerMembers')}
        actions={<ButtonLink to={organizationPath(id, 'members') as string}>{t('members')}</ButtonLink>}
      >
        {t('noFormerMembersText')}
      </Placeholder>
    </Card>
  )
}

interface TableProps {
  readonly events: readonly Activity[]
  readonly columns: readonly { readonly label: string }[]
  readonly pages: React.ReactNode
}

function FormerTable({ events, columns, pages }: TableProps) {
  const t = useMessages(messages)
  const { id } = useOrganization()
  const { data: present } = useQuery(
    membersByUserQuery(
      id,
      events.flatMap(({ target }) => target?.id ?? []),
    ),
  )
  return (
    <Table label={t('formerMembers')} columns={columns} footer={pages}>
      {events.map((event) => (
        <FormerMember key={event.id} event={event} isBack={present?.has(event.target?.id ?? '') ?? false} />
      ))}
    </Table>
  )
}

interface RowProps {
  readonly event: Activity
  /** Whether the user is a member again. */
  readonly isBack: boolean
}

function FormerMember({ event: { action, actor, target, user, createdAt }, isBack }: RowProps) {
  const t = useMessages(messages)
  const by = actor.kind === 'user' ? (actor.name ?? t('deletedAccount')) : t('operator')
  const name = user?.name ?? target?.name
  return (
    <Row
      head={
        <RowHead
          icon={<Avatar name={name ?? ''} />}
          name={name ?? t('deletedAccount')}
          tag={isBack ? <Tag tone="success">{t('memberAgain')}</Tag> : null}
        />
      }
    >
      <Cell label={t('membershipEnd')}>
        <span className="block wrap-anywhere card:max-w-80 card:truncate">
          {action === 'member.left' ? t('leftThemselves') : t('removedBy', { actor: by })}
        </span>
      </Cell>
      <Cell label={t('time')}>
        <Time value={createdAt} />
      </Cell>
    </Row>
  )
}
