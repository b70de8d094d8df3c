/** The waiting list: applicants, and the decision about them. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Hourglass, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote, Placeholder } from '../../components/feedback.tsx'
import { Card } from '../../components/layout.tsx'
import { SearchField } from '../../components/table.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useResult } from '../../components/toast.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage, useSearchText } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { call } from '../../session/session.ts'
import { ApplicantTable, type Decision } from './applicant-table.tsx'
import { type ApplicantPage, applicantsQuery, refreshApplicants } from './data.ts'
import { messages } from './index.ts'
import { screenMessages } from './screen-messages.ts'

const states = ['waiting', 'approved', 'declined'] as const

/** Absent: applicants who wait; `all`: every one. */
function useApplicantFilter() {
  const wanted = useParameter('state') ?? 'waiting'
  const state = states.find((known) => known === wanted)
  return { state, search: useParameter('search'), cursor: useListPage().after }
}

export function Screen() {
  const titles = useMessages(messages)
  const t = useMessages(screenMessages)
  const filter = useApplicantFilter()
  const query = useQuery(applicantsQuery(filter))
  const result = useResult()
  const isPermitted = useIsPermitted()
  const decide = useDecision(result.show)
  const mayDecide = isPermitted('waitingList', 'decide')
  return (
    <AdminPage
      title={titles('waitingList')}
      lead={t('waitingListLead')}
      query={query}
      actions={
        <>
          <ExportButton
            source="waiting-list"
            filter={{ state: filter.state, search: filter.search }}
            label={t('exportList')}
            text={t('exportText')}
            command="latchkey waiting-list list --json"
          />
          {mayDecide && filter.state === 'waiting' ? <ApproveAll page={query.data} onDone={result.show} /> : null}
        </>
      }
      controls={
        <>
          <Views state={filter.state} waiting={query.data?.waiting} />
          {result.note}
          {decide.error ? (
            <div className="mb-4">
              <ErrorNote error={decide.error} />
            </div>
          ) : null}
          <Search />
        </>
      }
    >
      {(page) =>
        page.entries.length === 0 ? (
          <NoApplicants isFiltered={filter.state !== 'waiting' || filter.search !== undefined} />
        ) : (
          <ApplicantTable page={page} decide={mayDecide ? decide : null} />
        )
      }
    </AdminPage>
  )
}

function useDecision(onDone: (text: string) => void) {
  const t = useMessages(screenMessages)
  return useMutation({
    mutationFn: ({ applicant, decision }: Decision) =>
      call(decision === 'approve' ? 'POST /admin/approve-waiting-list' : 'POST /admin/decline-waiting-list', {
        body: { ids: [applicant.id] },
      }),
    onSuccess: (_, { applicant: { email }, decision }) =>
      onDone(t(decision === 'approve' ? 'wasApproved' : 'wasDeclined', { email })),
    onSettled: refreshApplicants,
  })
}

function Views({ state, waiting }: { readonly state: string | undefined; readonly waiting: number | undefined }) {
  const t = useMessages(screenMessages)
  const tabs = [
    { label: t('waiting'), search: {}, isCurrent: state === 'waiting', count: waiting },
    { label: t('approved'), search: { state: 'approved' }, isCurrent: state === 'approved' },
    { label: t('declined'), search: { state: 'declined' }, isCurrent: state === 'declined' },
    { label: t('allApplicants'), search: { state: 'all' }, isCurrent: state === undefined },
  ]
  return <Tabs label={t('views')} tabs={tabs} />
}

function Search() {
  const t = useMessages(screenMessages)
  const { text, setText } = useSearchText('search')
  return (
    <div className="mb-3">
      <SearchField label={t('search')} placeholder={t('searchHint')} value={text} onSearch={setText} />
    </div>
  )
}

function NoApplicants({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = useMessages(screenMessages)
  const filter = useFilter()
  return (
    <Card className="max-w-160">
      {isFiltered ? (
        <Placeholder
          icon={SearchX}
          title={t('noneFound')}
          actions={<Button onClick={() => filter({ state: undefined, search: undefined })}>{t('clearFilters')}</Button>}
        >
          {t('noneFoundText')}
        </Placeholder>
      ) : (
        <Placeholder icon={Hourglass} title={t('noApplicants')}>
          {t('noApplicantsText')}
        </Placeholder>
      )}
    </Card>
  )
}

interface ApproveAllProps {
  readonly page: ApplicantPage | undefined
  readonly onDone: (text: string) => void
}

function ApproveAll({ page, onDone }: ApproveAllProps) {
  const t = useMessages(screenMessages)
  const [isOpen, setOpen] = useState(false)
  const count = page?.entries.length ?? 0
  if (!page || count < 2) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Check aria-hidden className="size-4" />
        {t('approvePage', { count })}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('approvePageTitle', { count })}
        variant="primary"
        confirmLabel={t('approve')}
        call={async () => {
          const { changed } = await call('POST /admin/approve-waiting-list', { body: { ids: page.entries.map(({ id }) => id) } })
          onDone(t('wereApproved', { count: changed }))
          await refreshApplicants()
        }}
      >
        <p>{t('approvePageText')}</p>
      </ConfirmDialog>
    </>
  )
}
