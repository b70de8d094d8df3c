/** The users of the instance: views, search, filters, sorting and pages in the address, and actions on several of them. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Columns3, UserPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ClientError } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Skeleton } from '../../components/feedback.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { Menu, MenuCheck } from '../../components/menu.tsx'
import { Pages, SearchField } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { csv, mostRows, ndjson } from '../../exports/index.ts'
import { NotPermitted } from '../../frame/admin-frame.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage, useSearchText } from '../../list-state.ts'
import { useIsPermitted } from '../../permissions.ts'
import { useParameters } from '../../router-hooks.ts'
import { useColumns } from './columns.ts'
import { type ListedUser, readFilter, readPage, rowCounts, type UserFilter, type UserPage, usersQuery } from './data.ts'
import { Filters, unfiltered } from './filters.tsx'
import { messages } from './index.ts'
import { SelectionBar } from './selection-bar.tsx'
import { type UserAction, UserDialogs } from './user-dialogs.tsx'
import { useAllowed, userPath } from './user-menu.tsx'
import { FirstError, NoUsers, SearchError, useSearched } from './user-states.tsx'
import { UserTable } from './user-table.tsx'
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
  if (query.error instanceof ClientError && query.error.status === 403) return <NotPermitted />
  return (
    <>
      <PageHead
        title={t('users')}
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
      >
        {t('usersLead')}
      </PageHead>
      <Views filter={filter} />
      {result.note}
      <UserList {...{ filter, columns, query, onChoose: choose }} />
      <UserDialogs action={action} onClose={() => setAction(null)} onDone={result.show} focusAfter={result.ref} />
    </>
  )
}

function UserExport({ filter }: { readonly filter: UserFilter }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  return (
    <ExportButton
      texts={{
        label: t('export'),
        title: t('export'),
        text: t('exportText', { most: format.number(mostRows) }),
        running: (count) => t('exporting', { count }),
        done: (count, hasMore) => t(hasMore ? 'exportCapped' : 'exported', { count }),
      }}
      formats={[csv, ndjson]}
      command="latchkey export users --out users.ndjson"
      fileName="users"
      readPage={(cursor, limit) => readPage(filter, cursor, limit)}
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

interface ListProps {
  readonly filter: UserFilter
  readonly columns: ReturnType<typeof useColumns>
  readonly query: {
    readonly data: UserPage | undefined
    readonly error: unknown
    readonly isPlaceholderData: boolean
    readonly refetch: () => unknown
  }
  readonly onChoose: (action: UserAction) => void
}

function UserList({ filter, columns, query, onChoose }: ListProps) {
  const t = useMessages(messages)
  const { data, error, isPlaceholderData } = query
  const { text, setText, searched } = useSearchText()
  const openExact = useExactMatch(text, searched, isPlaceholderData ? undefined : data?.users)
  const change = useFilter()
  const selection = useSelection(data?.users ?? [])
  const allows = useAllowed()
  const maySelect = (['revoke', 'role', 'ban', 'delete'] as const).some(allows)
  const clear = () => {
    setText('')
    change(unfiltered)
  }
  return (
    <>
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
        <Filters filter={filter} />
        <div className="hidden card:ms-auto card:block">
          <ColumnMenu columns={columns} />
        </div>
      </div>
      {error && data ? <SearchError error={error} /> : null}
      {data ? (
        <div aria-busy={isPlaceholderData || undefined} className={isPlaceholderData ? 'opacity-60' : undefined}>
          {data.users.length === 0 ? (
            <NoUsers filter={filter} onClear={clear} />
          ) : (
            <>
              <SelectionBar selected={selection.users} onClear={selection.clear} onChoose={onChoose} />
              <UserTable
                {...{ users: data.users, filter, onChoose, shown: columns.shown, selection: maySelect ? selection : undefined }}
                footer={<UserPages page={data} filter={filter} />}
              />
            </>
          )}
        </div>
      ) : (
        <Card className="px-4 py-2">
          {error ? <FirstError error={error} retry={() => void query.refetch()} /> : <Skeleton />}
        </Card>
      )}
    </>
  )
}

/** Of the rows that are shown: another page has its own selection. */
function useSelection(users: readonly ListedUser[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const selected = users.filter(({ id }) => ids.has(id))
  return {
    ids,
    users: selected,
    toggle: (changed: readonly string[], isSelected: boolean) =>
      setIds(
        new Set(isSelected ? [...selected.map(({ id }) => id), ...changed] : [...ids].filter((id) => !changed.includes(id))),
      ),
    clear: () => setIds(new Set()),
  }
}

function UserPages({
  page: { users, total, totalIsEstimate, nextCursor },
  filter,
}: {
  readonly page: UserPage
  readonly filter: UserFilter
}) {
  const t = useMessages(messages)
  const change = useFilter()
  const { page, goToNext, goBack } = useListPage()
  return (
    <Pages
      {...{ page, pageSize: filter.rows, count: users.length, total, isEstimate: totalIsEstimate, goBack }}
      goNext={nextCursor === null ? undefined : () => goToNext(nextCursor)}
    >
      <label className="inline-flex items-center gap-2">
        {t('rowsPerPage')}
        <select
          value={filter.rows}
          onChange={(event) => change({ rows: event.target.value })}
          className="min-h-(--target) cursor-pointer rounded-control border border-border-strong bg-surface px-2 text-text"
        >
          {rowCounts.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </select>
      </label>
    </Pages>
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
