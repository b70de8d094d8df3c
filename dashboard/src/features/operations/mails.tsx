/** The outbox: emails that wait, failed or were sent, and a way to send failed ones again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MailCheck, Mail as MailIcon, RefreshCw, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote, Placeholder } from '../../components/feedback.tsx'
import { Card } from '../../components/layout.tsx'
import { ListPages } from '../../components/list.tsx'
import { Filter, SearchField } from '../../components/table.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useResult } from '../../components/toast.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useMailKind } from '../../messages/mail-kinds.ts'
import { useFilter, useListPage, useSearchText } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { call } from '../../session/session.ts'
import { type Mail, type MailPage, type MailState, mailsKey, mailsQuery, pageSize } from './data.ts'
import { messages } from './index.ts'
import { MailTable } from './mail-table.tsx'
import { Command } from './parts.tsx'

const isState = (value: string | undefined): value is MailState => value === 'waiting' || value === 'sent' || value === 'failed'

function useMailFilter() {
  const state = useParameter('state')
  return {
    state: isState(state) ? state : undefined,
    kind: useParameter('kind'),
    recipient: useParameter('recipient'),
    cursor: useListPage().after,
  }
}

export function Screen() {
  const t = useMessages(messages)
  const isPermitted = useIsPermitted()
  const filter = useMailFilter()
  const query = useQuery(mailsQuery(filter))
  const result = useResult()
  const retry = useRetry(result.show)
  const mayRetry = isPermitted('mail', 'retry')
  const failed = query.data?.failed ?? 0
  return (
    <AdminPage
      title={t('mails')}
      lead={t('mailsLead')}
      query={query}
      actions={mayRetry && failed > 0 ? <RetryAll failed={failed} onDone={result.show} /> : null}
      controls={
        <>
          <Views state={filter.state} page={query.data} />
          {result.note}
          {retry.error ? (
            <div className="mb-4">
              <ErrorNote error={retry.error} />
            </div>
          ) : null}
          <Filters kinds={query.data?.kinds ?? []} />
        </>
      }
    >
      {(page) => <MailList page={page} retry={mayRetry ? retry : null} />}
    </AdminPage>
  )
}

/** Sends one failed email now. */
function useRetry(onDone: (text: string) => void) {
  const t = useMessages(messages)
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Mail) => call('POST /admin/retry-mail', { body: { id } }),
    onSuccess: ({ sent }, { recipient }) => onDone(t(sent > 0 ? 'mailSent' : 'mailWaits', { recipient })),
    onSettled: () => client.invalidateQueries({ queryKey: mailsKey }),
  })
}

function Views({ state, page }: { readonly state: MailState | undefined; readonly page: MailPage | undefined }) {
  const t = useMessages(messages)
  const tabs = [
    { label: t('allMails'), search: {}, isCurrent: state === undefined },
    { label: t('waiting'), search: { state: 'waiting' }, isCurrent: state === 'waiting', count: page?.waiting },
    { label: t('failed'), search: { state: 'failed' }, isCurrent: state === 'failed', count: page?.failed },
    { label: t('sent'), search: { state: 'sent' }, isCurrent: state === 'sent' },
  ]
  return <Tabs label={t('views')} tabs={tabs} />
}

function Filters({ kinds }: { readonly kinds: readonly string[] }) {
  const t = useMessages(messages)
  const filter = useFilter()
  const kind = useParameter('kind') ?? ''
  const { text, setText } = useSearchText('recipient')
  const known = kind === '' || kinds.includes(kind) ? kinds : [kind, ...kinds]
  const name = useMailKind()
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField label={t('searchRecipient')} placeholder={t('searchRecipientHint')} value={text} onSearch={setText} />
      <Filter
        label={t('kind')}
        value={kind}
        options={[{ value: '', label: t('anyKind') }, ...known.map((value) => ({ value, label: name(value) }))]}
        onChange={(next) => filter({ kind: next || undefined })}
      />
    </div>
  )
}

interface ListProps {
  readonly page: MailPage
  /** Null: the role does not permit it. */
  readonly retry: ReturnType<typeof useRetry> | null
}

function MailList({ page: { mails, nextCursor }, retry }: ListProps) {
  if (mails.length === 0) return <NoMails />
  return (
    <MailTable
      mails={mails}
      retry={
        retry && {
          start: (mail) => retry.mutate(mail),
          busyId: retry.isPending ? retry.variables.id : undefined,
        }
      }
      footer={<ListPages pageSize={pageSize} count={mails.length} next={nextCursor} />}
    />
  )
}

function NoMails() {
  const t = useMessages(messages)
  const filter = useFilter()
  const { state, kind, recipient, cursor } = useMailFilter()
  if (kind !== undefined || recipient !== undefined || cursor !== undefined || state === 'sent' || state === 'waiting')
    return (
      <Card className="max-w-160">
        <Placeholder
          icon={SearchX}
          title={t('noMailsFound')}
          actions={
            <Button onClick={() => filter({ state: undefined, kind: undefined, recipient: undefined })}>
              {t('clearFilters')}
            </Button>
          }
        >
          {t('noMailsFoundText')}
        </Placeholder>
      </Card>
    )
  const isFailed = state === 'failed'
  return (
    <Card className="max-w-160">
      <Placeholder icon={isFailed ? MailCheck : MailIcon} title={t(isFailed ? 'noFailedMails' : 'noMails')}>
        <p className="mb-1">{t(isFailed ? 'noFailedMailsText' : 'noMailsText')}</p>
        <Command code={isFailed ? 'latchkey mail list --dead' : 'latchkey mail list'} />
      </Placeholder>
    </Card>
  )
}

function RetryAll({ failed, onDone }: { readonly failed: number; readonly onDone: (text: string) => void }) {
  const t = useMessages(messages)
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const retry = useMutation({
    mutationFn: () => call('POST /admin/retry-mail', { body: {} }),
    onSuccess: ({ found }) => {
      setOpen(false)
      onDone(t('mailsQueued', { count: found }))
    },
    onSettled: () => client.invalidateQueries({ queryKey: mailsKey }),
  })
  return (
    <>
      <Button
        onClick={() => {
          retry.reset()
          setOpen(true)
        }}
      >
        <RefreshCw aria-hidden className="size-4" />
        {t('retryAll', { count: failed })}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('retryAllTitle', { count: failed })}
        actions={
          <Button variant="primary" isBusy={retry.isPending} onClick={() => retry.mutate()}>
            {t('retryAllManyLabel')}
          </Button>
        }
      >
        <p className="text-13">{t('retryAllText')}</p>
        {retry.error ? <ErrorNote error={retry.error} /> : null}
      </Dialog>
    </>
  )
}
