/** The users of the instance: views, search, filters, sorting and pages in the address, and actions on several of them. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Columns3, UserPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { hasCode } from '../../api/calls.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { ListPages } from '../../components/list.tsx'
import { Menu, MenuCheck } from '../../components/menu.tsx'
import { SearchField } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter, useSearchText } from '../../routes/list-state.ts'
import { useParameters } from '../../routes/parameters.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { useColumns } from './columns.ts'
import { type ListedUser, matchOf, readFilter, rowCounts, type UserFilter, type UserPage, usersQuery } from './data.ts'
import { UserFilters } from './filters.tsx'
import { messages } from './index.ts'
import { SelectionBar } from './selection-bar.tsx'
import { type UserAction, UserDialogs } from './user-dialogs.tsx'
import { useAllowed, userPath } from './user-menu.tsx'
import { NoUsers, useSearched } from './user-states.tsx'
import { UserTable, UserTableSkeleton } from './user-table.tsx'
import { Views } from './views.tsx'

export function Screen() {
  const t = useMessages(messages)
  const isPermitted = useIsPermitted()
  const filter = readFilter(useParameters())
  const columns = useColumns()
  const query = useQuery(usersQuery(filter, columns.shown.includes('organizations')))
  const result = useResult()
  const [action, setAction] = useState<UserAction | null>(null)
  const choose = (next: UserAction) => {
    result.clear()
    setAction(next)
  }
  return (
    <>
      <AdminPage
        title={t('users')}
        lead={t('usersLead')}
        query={query}
        actions={
          <>
            <UserExport filter={filter} />
            {isPermitted('user', 'create') ? (
              <ButtonLink to={'/admin/users/create' as string} variant="primary">
                <UserPlus aria-hidden className="size-4" />
                {t('createUser')}
              </ButtonLink>
            ) : null}
          </>
        }
        controls={
          <>
            <Views filter={filter} />
            {result.note}
            <Tools {...{ filter, columns }} users={query.isPlaceholderData ? undefined : query.data?.users} />
          </>
        }
        skeleton={<UserTableSkeleton filter={filter} shown={columns.shown} />}
        advice={hasCode(query.error, 'SEARCH_TOO_SLOW') ? <p>{t('tooSlowText')}</p> : null}
      >
        {(page) => <UserList {...{ filter, columns, page, onChoose: choose }} />}
      </AdminPage>
      <UserDialogs action={action} onClose={() => setAction(null)} onDone={result.show} focusAfter={result.ref} />
    </>
  )
}

function UserExport({ filter }: { readonly filter: UserFilter }) {
  const t = useMessages(messages)
  const { sortBy, sortDirection } = filter
  return (
    <ExportButton
      source="users"
      filter={{ ...matchOf(filter), sortBy, sortDirection }}
      label={t('export')}
      text={t('exportText')}
      command="latchkey export users --out users.ndjson"
    />
  )
}

/** The page of the user whose exact ID or email was pasted, or searched with Enter, opens immediately. */
function useExactMatch(text: string, searched: string | undefined, users: readonly ListedUser[] | undefined) {
  const navigate = useNavigate()
  const [isWanted, setWanted] = useState(false)
  const wanted = text.trim()
  const match =
    isWanted && wanted === searched ? users?.find(({ id, email }) => id === wanted || email === wanted.toLowerCase()) : undefined
  useEffect(() => {
    if (!match) return
    setWanted(false)
    void navigate({ to: userPath(match.id) as string })
  }, [match, navigate])
  return () => setWanted(true)
}

interface ToolsProps {
  readonly filter: UserFilter
  readonly columns: ReturnType<typeof useColumns>
  readonly users: readonly ListedUser[] | undefined
}

function Tools({ filter, columns, users }: ToolsProps) {
  const t = useMessages(messages)
  const { text, setText, searched } = useSearchText()
  const openExact = useExactMatch(text, searched, users)
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField
        label={t('searchUsers')}
        placeholder={t('searchUsersHint')}
        title={t('searchUsersNote', useSearched())}
        value={text}
        onSearch={setText}
        onPaste={openExact}
        onKeyDown={({ key }) => key === 'Enter' && openExact()}
      />
      <UserFilters filter={filter} />
      <div className="hidden card:ms-auto card:block">
        <ColumnMenu columns={columns} />
      </div>
    </div>
  )
}

interface ListProps extends Pick<ToolsProps, 'filter' | 'columns'> {
  readonly page: UserPage
  readonly onChoose: (action: UserAction) => void
}

function UserList({ filter, columns: { shown }, page, onChoose }: ListProps) {
  const { users, total, totalIsEstimate: isEstimate, nextCursor } = page
  const selection = useSelection(users, JSON.stringify(matchOf(filter)))
  const allows = useAllowed()
  const maySelect = (['revoke', 'role', 'ban', 'delete'] as const).some(allows)
  if (users.length === 0) return <NoUsers filter={filter} />
  return (
    <>
      <SelectionBar
        {...{ page, filter, onChoose, isAll: selection.isAll, onSelectAll: selection.selectAll }}
        selected={selection.users}
        onClear={selection.clear}
      />
      <UserTable
        {...{ users, filter, onChoose, shown, selection: maySelect ? selection : undefined }}
        footer={
          <ListPages {...{ pageSize: filter.rows, count: users.length, total, isEstimate, next: nextCursor }}>
            <RowCount rows={filter.rows} />
          </ListPages>
        }
      />
    </>
  )
}

/** Of the rows that are shown: another page has its own selection. @param match what all that match stand for */
function useSelection(users: readonly ListedUser[], match: string) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [allOf, setAllOf] = useState<string | null>(null)
  const selected = users.filter(({ id }) => ids.has(id))
  const change = (next: readonly string[]) => {
    setAllOf(null)
    setIds(new Set(next))
  }
  return {
    ids,
    users: selected,
    isAll: allOf === match && selected.length > 0 && selected.length === users.length,
    selectAll: () => setAllOf(match),
    toggle: (changed: readonly string[], isSelected: boolean) =>
      change(isSelected ? [...selected.map(({ id }) => id), ...changed] : [...ids].filter((id) => !changed.includes(id))),
    clear: () => change([]),
  }
}

function RowCount({ rows }: { readonly rows: number }) {
  const t = useMessages(messages)
  const change = useFilter()
  return (
    <label className="inline-flex items-center gap-2">
      {t('rowsPerPage')}
      <select
        value={rows}
        onChange={(event) => change({ rows: event.target.value })}
        className="min-h-(--target) cursor-pointer rounded-control border border-border-strong bg-surface px-2 text-text"
      >
        {rowCounts.map((count) => (
          <option key={count}>{count}</option>
        ))}
      </select>
    </label>
  )
}

function ColumnMenu({ columns: { available, shown, toggle } }: Pick<ListProps, 'columns'>) {
  const t = useMessages(messages)
  return (
    <Menu
      trigger={
        <Button isIcon aria-label={t('columns')}>
          <Columns3 aria-hidden className="size-4" />
        </Button>
      }
    >
      {available.map((name) => (
        <MenuCheck key={name} isChecked={shown.includes(name)} onChange={(isChecked) => toggle(name, isChecked)}>
          {t(name)}
        </MenuCheck>
      ))}
    </Menu>
  )
}
