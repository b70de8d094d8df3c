/** Rate limits and lockouts: look one up, reset it, and see who has to wait now. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DoorOpen } from 'lucide-react'
import { hasCode } from '../../api/calls.ts'
import { Placeholder } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, PageHead, Section, Time } from '../../components/layout.tsx'
import { ListPages, Loaded } from '../../components/list.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Updated } from '../../components/updated.tsx'
import { NotPermitted } from '../../frame/admin-frame.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useListPage } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { type Lockout, lockoutsQuery, pageSize, type Subject } from './data.ts'
import { messages } from './index.ts'
import { LimitReport } from './limit-report.tsx'
import { Code, Command, Status } from './parts.tsx'

export function Screen() {
  const t = useMessages(messages)
  const subject: Subject = { address: useParameter('address'), account: useParameter('account') }
  const { after } = useListPage()
  const lockouts = useQuery(lockoutsQuery(after))
  if (hasCode(lockouts.error, 'FORBIDDEN')) return <NotPermitted />
  return (
    <>
      <PageHead title={t('limits')}>
        {t('limitsLead')} <Updated at={lockouts.dataUpdatedAt} />
      </PageHead>
      <Section title={t('lookUp')}>
        <Card className="max-w-160 p-4">
          <LookUp key={`${subject.address} ${subject.account}`} subject={subject} />
        </Card>
      </Section>
      {subject.address === undefined && subject.account === undefined ? null : <LimitReport subject={subject} />}
      <Section title={t('lockouts')} description={t('lockoutsLead')}>
        <Loaded query={lockouts}>
          {({ lockouts: found, nextCursor }) => <Lockouts lockouts={found} nextCursor={nextCursor} />}
        </Loaded>
      </Section>
    </>
  )
}

const loadSchema = () => import('./schemas.ts').then(({ limitLookUp }) => limitLookUp)

/** What was looked up is in the address, so that it can be linked to. */
function LookUp({ subject }: { readonly subject: Subject }) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const state = useApiForm({
    schema: loadSchema,
    defaults: { address: subject.address ?? '', account: subject.account ?? '' },
    submit: async ({ address, account }) => {
      const search = { address: address.trim() || undefined, account: account.trim() || undefined }
      await navigate({ to: '.', search: search as never })
    },
  })
  return (
    <Form state={state} submitLabel={t('lookUpAction')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 card:grid-cols-2">
        <TextField
          {...state.field('account')}
          label={t('account')}
          hint={t('accountHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          {...state.field('address')}
          label={t('address')}
          hint={t('addressHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <p className="text-13 text-muted">{t('lookUpBoth')}</p>
    </Form>
  )
}

interface LockoutsProps {
  readonly lockouts: readonly Lockout[]
  readonly nextCursor: string | null
}

function Lockouts({ lockouts, nextCursor }: LockoutsProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { page } = useListPage()
  if (lockouts.length === 0 && page === 1) return <NoLockouts />
  const columns = [
    { label: t('hash') },
    { label: t('scope') },
    { label: t('status') },
    { label: t('lockedUntil') },
    { label: t('lastFailure'), isWideOnly: true },
  ]
  return (
    <Table columns={columns} footer={<ListPages pageSize={pageSize} count={lockouts.length} next={nextCursor} />}>
      {lockouts.map((lockout) => (
        // The start of the hash is enough to see which rows belong to the same account.
        <Row key={lockout.id} head={<Code>{`${lockout.account.split('.').at(-1)?.slice(0, 12)}…`}</Code>}>
          <Cell label={t('scope')}>{t(lockout.scope === 'account' ? 'scopeAccount' : 'scopePlace')}</Cell>
          <Cell label={t('status')}>
            <Status tone="failed">{t('locked')}</Status>
            <span className="block text-12 text-muted">{t('failures', { count: lockout.failures })}</span>
          </Cell>
          <Cell label={t('lockedUntil')}>
            <Time value={lockout.blockedUntil} />
            <span className="block text-12 text-muted">{format.dateTime(new Date(lockout.blockedUntil))}</span>
          </Cell>
          <Cell label={t('lastFailure')} isWideOnly>
            <Time value={lockout.lastFailureAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function NoLockouts() {
  const t = useMessages(messages)
  return (
    <Card className="max-w-160">
      <Placeholder icon={DoorOpen} heading="h3" title={t('noLockouts')}>
        <p className="mb-1">{t('noLockoutsText')}</p>
        <Command code="latchkey limits explain --account ann@example.com" />
      </Placeholder>
    </Card>
  )
}
