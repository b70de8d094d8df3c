/** The invitations of an organization: how each ended, and what can still be done with it. */
import { useQuery } from '@tanstack/react-query'
import { MailPlus, SearchX } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { ErrorNote, LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { Filter, Pages, SearchField } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage, useSearchText } from '../../list-state.ts'
import { pageSize, useOrganization } from '../../organizations.ts'
import { useParameter } from '../../router-hooks.ts'
import { type InvitationAction, useInvitationActions } from './invitation-actions.tsx'
import { invitationsQuery, type Status, statuses } from './invitation-data.ts'
import { InviteDialog } from './invitation-dialog.tsx'
import { messages } from './invitation-messages.ts'
import { InvitationTable, statusKeys } from './invitation-table.tsx'

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
  const { after, page, goToNext, goBack } = useListPage()
  const filter = useFilter()
  const { data, error, refetch, isPlaceholderData } = useQuery(invitationsQuery(id, { search: searched, status, after }))
  const clear = () => {
    setText('')
    filter({ search: undefined, status: undefined })
  }
  const isFiltered = searched !== undefined || status !== undefined || after !== undefined
  if (!data)
    return <Card className="px-4 py-2">{error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}</Card>
  if (data.rows.length === 0 && !isFiltered) return <FirstUse onInvite={onInvite} />
  const last = data.rows.at(-1)
  const pages = (
    <Pages
      {...{ page, pageSize, goBack, total: data.total, count: data.rows.length }}
      goNext={data.hasMore && last ? () => goToNext(last.id) : undefined}
    />
  )
  return (
    <>
      <Tools {...{ text, setText, status }} onStatus={(next) => filter({ status: next })} />
      {error ? <ErrorNote error={error} /> : null}
      <div aria-busy={isPlaceholderData || undefined} className={isPlaceholderData ? 'opacity-60' : undefined}>
        {data.rows.length === 0 ? (
          <NoMatch onClear={clear} />
        ) : (
          <InvitationTable invitations={data.rows} pages={pages} onChoose={onChoose} />
        )}
      </div>
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
