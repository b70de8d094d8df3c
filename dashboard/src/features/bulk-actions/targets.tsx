/** The users whom a bulk action could not change, skipped or changed, and the report about them. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useCodeText } from '../../api/errors.ts'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, Section } from '../../components/layout.tsx'
import { ListPages, Loaded } from '../../components/list.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useListPage } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { type BulkAction, type BulkTarget, type Outcome, outcomes, pageSize, targetsQuery } from './data.ts'
import { messages } from './index.ts'

interface Props {
  readonly action: BulkAction
}

export function Targets({ action }: Props) {
  const t = useMessages(messages)
  const given = useParameter('outcome')
  const outcome = outcomes.find((one) => one === given) ?? 'failed'
  const tabs = outcomes.map((one) => ({
    label: t(one),
    count: action[one],
    search: { outcome: one === 'failed' ? undefined : one },
    isCurrent: one === outcome,
  }))
  return (
    <Section
      title={t('report')}
      actions={
        <ExportButton
          source="bulk-action-targets"
          filter={{ id: action.id, outcome }}
          label={t('export')}
          text={t('exportText')}
        />
      }
    >
      <Tabs label={t('report')} tabs={tabs} />
      <TargetList action={action} outcome={outcome} />
    </Section>
  )
}

function TargetList({ action, outcome }: Props & { readonly outcome: Outcome }) {
  const t = useMessages(messages)
  const { after } = useListPage()
  const columns = [{ label: t('user') }, ...(outcome === 'done' ? [] : [{ label: t('cause') }])]
  return (
    <Loaded heading="h3" query={useQuery(targetsQuery(action.id, outcome, after, action[outcome]))}>
      {({ targets, nextCursor }) =>
        targets.length === 0 ? (
          <Card>
            <Placeholder icon={CircleCheck} heading="h3" title={t('noTargets')} />
          </Card>
        ) : (
          <Table
            label={t(outcome)}
            columns={columns}
            footer={<ListPages pageSize={pageSize} count={targets.length} total={action[outcome]} next={nextCursor} />}
          >
            {targets.map((target) => (
              <TargetRow key={target.id} target={target} />
            ))}
          </Table>
        )
      }
    </Loaded>
  )
}

const reasons = {
  self: 'self',
  administrator: 'administrator',
  'not-permitted': 'notPermitted',
  unchanged: 'unchanged',
  'no-match': 'noMatch',
} as const

function TargetRow({ target: { userId, email, code } }: { readonly target: BulkTarget }) {
  const t = useMessages(messages)
  const codeText = useCodeText()
  const reason = code !== null && Object.hasOwn(reasons, code) ? t(reasons[code as keyof typeof reasons]) : null
  return (
    <Row
      head={
        <RowHead
          name={email ?? userId}
          detail={email === null ? t('noLongerExists') : undefined}
          {...(email !== null && { to: `/admin/users/${userId}` })}
        />
      }
    >
      {code === null ? null : (
        <Cell label={t('cause')} isWrapping>
          {reason ?? (
            <>
              {codeText(code)} <span className="font-mono text-12 text-muted">{code}</span>
            </>
          )}
        </Cell>
      )}
    </Row>
  )
}
