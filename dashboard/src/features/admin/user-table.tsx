/** The rows of the list of users. */
import { BadgeCheck, Ellipsis } from 'lucide-react'
import { userPicture } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button } from '../../components/button.tsx'
import { Tag, Time } from '../../components/layout.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useFilter } from '../../routes/list-state.ts'
import { useSession } from '../../session/session.ts'
import type { ColumnName } from './columns.ts'
import type { ListedUser, Sort, UserFilter } from './data.ts'
import { messages } from './index.ts'
import type { UserAction } from './user-dialogs.tsx'
import { UserMenu, userPath } from './user-menu.tsx'
import { RoleTags, UserStatus, useDisplayName } from './user-parts.tsx'

export interface UserSelection {
  readonly ids: ReadonlySet<string>
  readonly toggle: (ids: readonly string[], isSelected: boolean) => void
}

interface Props {
  readonly users: readonly ListedUser[]
  readonly filter: UserFilter
  readonly shown: readonly ColumnName[]
  readonly selection: UserSelection | undefined
  readonly onChoose: (action: UserAction) => void
  readonly footer: React.ReactNode
}

/** The first direction of a column: names from A, times from the newest. */
const firstDirection = (column: Sort) => (column === 'name' || column === 'email' ? 'asc' : 'desc')

function useSort({ sortBy, sortDirection }: UserFilter) {
  const filter = useFilter()
  return (column: Sort) => {
    const isCurrent = sortBy === column
    const opposite = sortDirection === 'asc' ? 'desc' : 'asc'
    const next = isCurrent ? opposite : firstDirection(column)
    return {
      direction: isCurrent ? sortDirection : null,
      onSort: () => filter({ sort: next === 'desc' ? `-${column}` : column }),
    }
  }
}

function useUserColumns(filter: UserFilter, shown: readonly ColumnName[]) {
  const t = useMessages(messages)
  const sort = useSort(filter)
  const isShown = (name: ColumnName) => shown.includes(name)
  return [
    { label: t('name'), sort: sort('name'), also: { label: t('email'), sort: sort('email') } },
    ...(isShown('status') ? [{ label: t('status') }] : []),
    ...(isShown('roles') ? [{ label: t('roles'), isWideOnly: true }] : []),
    ...(isShown('secondFactor') ? [{ label: t('secondFactor'), isWideOnly: true }] : []),
    ...(isShown('organizations') ? [{ label: t('organizations'), isWideOnly: true }] : []),
    ...(isShown('lastSignIn') ? [{ label: t('lastSignIn'), sort: sort('lastSignInAt') }] : []),
    ...(isShown('created') ? [{ label: t('created'), isWideOnly: true, sort: sort('createdAt') }] : []),
  ]
}

/** In place of the first page. */
export const UserTableSkeleton = ({ filter, shown }: Pick<Props, 'filter' | 'shown'>) => (
  <TableSkeleton columns={useUserColumns(filter, shown)} icon="circle" hasActions isSelectable hasPages />
)

export function UserTable({ users, filter, shown, selection, onChoose, footer }: Props) {
  const t = useMessages(messages)
  const columns = useUserColumns(filter, shown)
  const count = selection ? users.filter(({ id }) => selection.ids.has(id)).length : 0
  const isSelected = count === users.length ? true : count > 0 ? ('mixed' as const) : false
  const ids = users.map(({ id }) => id)
  return (
    <Table
      label={t('users')}
      columns={columns}
      hasActions
      footer={footer}
      selection={selection && { label: t('selectAll'), isSelected, onToggle: () => selection.toggle(ids, isSelected !== true) }}
    >
      {users.map((user) => (
        <UserRow key={user.id} {...{ user, shown, selection, onChoose }} />
      ))}
    </Table>
  )
}

type RowProps = Pick<Props, 'shown' | 'selection' | 'onChoose'> & { readonly user: ListedUser }

function UserRow({ user, shown, selection, onChoose }: RowProps) {
  const t = useMessages(messages)
  const display = useDisplayName()
  const isOwn = useSession().user.id === user.id
  const isSelected = selection?.ids.has(user.id) ?? false
  const trigger = (
    <Button variant="ghost" isIcon aria-label={t('actionsFor', { name: user.email })}>
      <Ellipsis aria-hidden className="size-4" />
    </Button>
  )
  return (
    <Row
      selection={
        selection && {
          label: t('select', { name: user.email }),
          isSelected,
          onToggle: () => selection.toggle([user.id], !isSelected),
        }
      }
      head={
        <RowHead
          icon={<Avatar name={user.name} picture={userPicture(user)} />}
          name={display(user)}
          tag={isOwn ? <Tag>{t('you')}</Tag> : null}
          detail={<EmailText user={user} />}
          to={userPath(user.id)}
        />
      }
      action={<UserMenu user={user} trigger={trigger} onChoose={onChoose} isInList />}
    >
      <UserCells user={user} shown={shown} />
    </Row>
  )
}

/** The columns that are shown. */
function UserCells({ user, shown }: Pick<RowProps, 'user' | 'shown'>) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const isShown = (name: ColumnName) => shown.includes(name)
  return (
    <>
      {isShown('status') ? (
        <Cell label={t('status')}>
          <UserStatus user={user} />
        </Cell>
      ) : null}
      {isShown('roles') ? (
        <Cell label={t('roles')} isWideOnly isWrapping>
          <RoleTags role={user.role} />
        </Cell>
      ) : null}
      {isShown('secondFactor') ? (
        <Cell label={t('secondFactor')} isWideOnly>
          {user.twoFactorEnabled ? t('yes') : <span className="text-muted">{t('no')}</span>}
        </Cell>
      ) : null}
      {isShown('organizations') ? (
        <Cell label={t('organizations')} isWideOnly>
          {format.number(user.organizations ?? 0)}
        </Cell>
      ) : null}
      {isShown('lastSignIn') ? (
        <Cell label={t('lastSignIn')}>
          {user.lastSignInAt ? <Time value={user.lastSignInAt} /> : <span className="text-muted">{t('never')}</span>}
        </Cell>
      ) : null}
      {isShown('created') ? (
        <Cell label={t('created')} isWideOnly>
          <Time value={user.createdAt} style="shortDate" />
        </Cell>
      ) : null}
    </>
  )
}

/** One text, so that a copy of it is one line. */
function EmailText({ user: { email, emailVerified } }: Pick<RowProps, 'user'>) {
  const frame = useFrameMessages()
  return (
    <span className="flex min-w-0 items-center gap-1">
      <bdi translate="no" className="truncate" title={email}>
        {email}
      </bdi>
      {emailVerified ? (
        <>
          <BadgeCheck aria-hidden className="size-3.5 shrink-0 text-success" />
          <span className="sr-only">{frame('verified')}</span>
        </>
      ) : null}
    </span>
  )
}
