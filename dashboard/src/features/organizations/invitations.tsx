/** The invitations of an organization: how each ended, and what can still be done with it. */
import { useQuery } from '@tanstack/react-query'
import { MailPlus, SearchX } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { ListPages, Loaded } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Filter, SearchField } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage, useSearchText } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { pageSize, useOrganization } from '../../session/organizations.ts'
import { type InvitationAction, useInvitationActions } from './invitation-actions.tsx'
import { invitationsQuery, type Status, statuses } from './invitation-data.ts'
import { InviteDialog } from './invitation-dialog.tsx'
import { messages } from './invitation-messages.ts'
import { InvitationTable, statusKeys, useInvitationColumns } from './invitation-table.tsx'

export function Screen() {
  const t = useMessages(messages)
  const organization = useOrganization()
  const result = useResult()
  const filter = useFilter()
  const actions = useInvitationActions({ onDone: result.show, onStart: result.clear, focusAfter: result.ref })
  const mayInvite = organization.allows('invitation', 'create')
  // Other pages link to the dialog.
  const isInviting = useParameter('invite') !== undefined && mayInvite
  const invite = () => {
    result.clear()
    filter({ invite: 'yes' })
  }
  return (
    <>
      <PageHead
        title={t('invitations')}
        actions={
          mayInvite ? (
            <Button variant="primary" onClick={invite}>
              <MailPlus aria-hidden className="size-4" />
              {t('inviteMembers')}
            </Button>
          ) : null
        }
      >
        {t('invitationsLead', { organization: organization.name })}
      </PageHead>
      {result.note}
      {actions.note}
      <List onInvite={mayInvite ? invite : undefined} onChoose={actions.choose} />
      {actions.dialogs}
      {isInviting ? <InviteDialog onClose={() => filter({ invite: undefined })} onDone={result.show} /> : null}
    </>
  )
}

interface ListProps {
  readonly onInvite: (() => void) | undefined
  readonly onChoose: (action: InvitationAction) => void
}

function List({ onInvite, onChoose }: ListProps) {
  const { id } = useOrganization()
  const { text, setText, searched } = useSearchText()
  const given = useParameter('status')
  const status = statuses.find((known) => known === given)
  const { after } = useListPage()
  const filter = useFilter()
  const query = useQuery(invitationsQuery(id, { search: searched, status, after }))
  const clear = () => {
    setText('')
    filter({ search: undefined, status: undefined })
  }
  const columns = useInvitationColumns()
  const isFiltered = searched !== undefined || status !== undefined || after !== undefined
  const { data } = query
  if (data?.rows.length === 0 && !isFiltered) return <FirstUse onInvite={onInvite} />
  return (
    <>
      {data ? <Tools {...{ text, setText, status }} onStatus={(next) => filter({ status: next })} /> : null}
      <Loaded query={query} skeleton={<TableSkeleton columns={columns} hasActions hasPages />}>
        {({ rows, total, hasMore }) =>
          rows.length === 0 ? (
            <NoMatch onClear={clear} />
          ) : (
            <InvitationTable
              invitations={rows}
              pages={<ListPages {...{ pageSize, count: rows.length, total, next: hasMore ? rows.at(-1)?.id : null }} />}
              onChoose={onChoose}
            />
          )
        }
      </Loaded>
    </>
  )
}

interface ToolsProps {
  readonly text: string
  readonly setText: (text: string) => void
  readonly status: Status | undefined
  readonly onStatus: (status: string | undefined) => void
}

function Tools({ text, setText, status = undefined, onStatus }: ToolsProps) {
  const t = useMessages(messages)
  const options = [{ value: '', label: t('allStatuses') }, ...statuses.map((value) => ({ value, label: t(statusKeys[value]) }))]
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField label={t('searchInvitations')} placeholder={t('emailStartsWith')} value={text} onSearch={setText} />
      <Filter
        label={t('status')}
        value={status ?? ''}
        options={options}
        onChange={(next) => onStatus(next === '' ? undefined : next)}
      />
    </div>
  )
}

function FirstUse({ onInvite }: Pick<ListProps, 'onInvite'>) {
  const t = useMessages(messages)
  return (
    <Card>
      <Placeholder
        icon={MailPlus}
        title={t('noInvitations')}
        actions={onInvite ? <Button onClick={onInvite}>{t('inviteMembers')}</Button> : null}
      >
        {t('noInvitationsText')}
      </Placeholder>
    </Card>
  )
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const t = useMessages(messages)
  return (
    <Card>
      <Placeholder icon={SearchX} title={t('noMatch')} actions={<Button onClick={onClear}>{t('clearFilters')}</Button>}>
        {t('noMatchText')}
      </Placeholder>
    </Card>
  )
}
