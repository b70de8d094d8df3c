/** The limits of an account and of a client that were looked up, with a way to reset them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { Note } from '../../components/feedback.tsx'
import { Card, Facts, Section, Tag } from '../../components/layout.tsx'
import { Loaded } from '../../components/list.tsx'
import { useResult } from '../../components/toast.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { call } from '../../session/session.ts'
import { CallTable } from './call-table.tsx'
import { limitsKey, limitsQuery, type LimitReport as Report, type Subject } from './data.ts'
import { messages } from './index.ts'
import { Status, useDuration } from './parts.tsx'

export function LimitReport({ subject }: { readonly subject: Subject }) {
  const query = useQuery(limitsQuery(subject))
  const result = useResult()
  return (
    <div className="mt-6">
      {result.note}
      <Loaded query={query}>
        {(report) => (
          <>
            {subject.account === undefined ? null : (
              <AccountLimits {...{ subject, report }} account={subject.account} onReset={result.show} />
            )}
            {subject.address === undefined ? null : (
              <ClientLimits report={report} address={subject.address} onReset={result.show} />
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

interface AccountProps {
  readonly subject: Subject
  readonly report: Report
  readonly account: string
  readonly onReset: (text: string) => void
}

function AccountLimits({ subject, report, account, onReset }: AccountProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { enabled, network, places } = report
  return (
    <Section
      title={t('ofAccount', { account })}
      actions={
        <Reset
          label={t('resetAccount')}
          title={t('resetAccountTitle', { account })}
          text={t('resetAccountText')}
          body={subject}
          onReset={onReset}
        />
      }
    >
      {enabled === false ? <Notice text={t('failuresNotCounted')} /> : null}
      <Card className="px-4">
        <Facts
          isNarrow
          facts={[
            [t('allNetworks'), report.account ? <AttemptState key="all" state={report.account} /> : t('unknown')],
            ...(network
              ? [
                  [
                    t('fromNetwork', { address: network.address }),
                    <AttemptState key="network" state={network} isKnown={network.isKnown} />,
                  ] as const,
                ]
              : []),
            [t('places'), format.number(places ?? 0)],
          ]}
        />
      </Card>
    </Section>
  )
}

const Notice = ({ text }: { readonly text: string }) => (
  <div className="mb-3 max-w-160">
    <Note tone="warning">{text}</Note>
  </div>
)

interface StateProps {
  readonly state: NonNullable<Report['account']>
  readonly isKnown?: boolean
}

function AttemptState({ state: { failures, wait, nextDelay }, isKnown = false }: StateProps) {
  const t = useMessages(messages)
  const duration = useDuration()
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Status tone={wait > 0 ? 'failed' : 'ok'}>{wait > 0 ? t('lockedFor', { time: duration(wait) }) : t('allowed')}</Status>
      <span className="text-muted">
        {t('failures', { count: failures })} ·{' '}
        {nextDelay > 0 ? t('nextFailureLocks', { time: duration(nextDelay) }) : t('nextFailureFree')}
      </span>
      {isKnown ? <Tag tone="success">{t('hasSignedIn')}</Tag> : null}
    </span>
  )
}

interface ClientProps extends Omit<AccountProps, 'subject' | 'account'> {
  readonly address: string
}

function ClientLimits({ report: { rateLimits }, address, onReset }: ClientProps) {
  const t = useMessages(messages)
  if (!rateLimits) return null
  return (
    <Section
      title={t('ofAddress', { address: rateLimits.address })}
      actions={
        <Reset
          label={t('resetAddress')}
          title={t('resetAddressTitle', { address: rateLimits.address })}
          text={t('resetAddressText')}
          body={{ address, account: undefined }}
          onReset={onReset}
        />
      }
    >
      {rateLimits.enabled ? null : <Notice text={t('requestsNotLimited')} />}
      {rateLimits.seen ? null : <Notice text={t('notVisible')} />}
      <CallTable calls={rateLimits.calls} />
    </Section>
  )
}

interface ResetProps {
  readonly label: string
  readonly title: string
  readonly text: string
  readonly body: Subject
  readonly onReset: (text: string) => void
}

function Reset({ label, title, text, body, onReset }: ResetProps) {
  const t = useMessages(messages)
  const isPermitted = useIsPermitted()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const reset = async () => {
    const refresh = () => void client.invalidateQueries({ queryKey: limitsKey })
    const { failures, mails, requests } = await call('POST /admin/reset-limits', { body }).finally(refresh)
    const count = failures + mails + requests
    onReset(count > 0 ? t('resetDone', { count }) : t('nothingToReset'))
  }
  if (!isPermitted('limit', 'reset')) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      <ConfirmDialog isOpen={isOpen} onClose={() => setOpen(false)} title={title} confirmLabel={label} call={reset}>
        <p>{text}</p>
      </ConfirmDialog>
    </>
  )
}
