/** Applicants as a table. */
import { User } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { IconTile, Tag, Time } from '../../components/layout.tsx'
import { ListPages } from '../../components/list.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { type Applicant, type ApplicantPage, pageSize } from './data.ts'
import { messages } from './index.ts'
import { screenMessages } from './screen-messages.ts'

export interface Decision {
  readonly applicant: Applicant
  readonly decision: 'approve' | 'decline'
}

interface Props {
  readonly page: ApplicantPage
  /** Null: the role does not permit it. */
  readonly decide: {
    readonly isPending: boolean
    readonly variables: Decision | undefined
    readonly mutate: (decision: Decision) => void
  } | null
}

export function ApplicantTable({ page: { entries, nextCursor }, decide }: Props) {
  const titles = useMessages(messages)
  const t = useMessages(screenMessages)
  const columns = [
    { label: t('applicant') },
    { label: t('state') },
    { label: t('since') },
    { label: t('decidedAt'), isWideOnly: true },
  ]
  return (
    <Table
      label={titles('waitingList')}
      columns={columns}
      hasActions={decide !== null}
      footer={<ListPages pageSize={pageSize} count={entries.length} next={nextCursor} />}
    >
      {entries.map((applicant) => (
        <Row
          key={applicant.id}
          head={
            <RowHead
              icon={
                <IconTile>
                  <User className="size-4" />
                </IconTile>
              }
              name={applicant.email}
              detail={applicant.name}
              room="none"
            />
          }
          {...(decide && { action: <Actions applicant={applicant} decide={decide} />, isActionBelow: true })}
        >
          <Cell label={t('state')}>
            <Tag tone={applicant.state === 'approved' ? 'success' : 'neutral'}>{t(applicant.state)}</Tag>
          </Cell>
          <Cell label={t('since')}>
            <Time value={applicant.createdAt} />
          </Cell>
          <Cell label={t('decidedAt')} isWideOnly>
            {applicant.decidedAt === null ? '–' : <Time value={applicant.decidedAt} />}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function Actions({ applicant, decide }: { readonly applicant: Applicant; readonly decide: NonNullable<Props['decide']> }) {
  const t = useMessages(screenMessages)
  const { email, state } = applicant
  const isBusy = (decision: Decision['decision']) =>
    decide.isPending && decide.variables?.applicant.id === applicant.id && decide.variables.decision === decision
  return (
    <span className="flex gap-2">
      {state === 'declined' ? null : (
        <Button
          isBusy={isBusy('decline')}
          aria-label={t('declineApplicant', { email })}
          onClick={() => decide.mutate({ applicant, decision: 'decline' })}
        >
          {t('decline')}
        </Button>
      )}
      {state === 'approved' ? null : (
        <Button
          isBusy={isBusy('approve')}
          aria-label={t('approveApplicant', { email })}
          onClick={() => decide.mutate({ applicant, decision: 'approve' })}
        >
          {t('approve')}
        </Button>
      )}
    </span>
  )
}
