/** Emails as a table. */
import { Mail as MailIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { IconTile, Time } from '../../components/layout.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useMailKind } from '../../messages/mail-kinds.ts'
import type { Mail } from './data.ts'
import { messages } from './index.ts'
import { Code, Status, type Tone } from './parts.tsx'

const tones = { waiting: 'waiting', sent: 'ok', failed: 'failed' } as const satisfies Record<Mail['state'], Tone>

interface TableProps {
  readonly mails: readonly Mail[]
  readonly footer: ReactNode
  /** Null: the role does not permit it. */
  readonly retry: { readonly start: (mail: Mail) => void; readonly busyId: string | undefined } | null
}

export function MailTable({ mails, footer, retry }: TableProps) {
  const t = useMessages(messages)
  const hasActions = retry !== null && mails.some(({ state }) => state === 'failed')
  const columns = [
    { label: t('recipient') },
    { label: t('status') },
    { label: t('when') },
    { label: t('created'), isWideOnly: true },
  ]
  return (
    <Table label={t('mails')} columns={columns} hasActions={hasActions} footer={footer}>
      {mails.map((mail) => (
        <Row
          key={mail.id}
          head={<MailHead mail={mail} />}
          {...(hasActions && {
            action:
              mail.state === 'failed' ? (
                <Button
                  isBusy={retry.busyId === mail.id}
                  aria-label={t('retryMail', { recipient: mail.recipient })}
                  onClick={() => retry.start(mail)}
                >
                  {t('retry')}
                </Button>
              ) : null,
          })}
        >
          <Cell label={t('status')}>
            <MailStatus mail={mail} />
          </Cell>
          <Cell label={t('when')}>
            <MailTime mail={mail} />
          </Cell>
          <Cell label={t('created')} isWideOnly>
            <Time value={mail.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function MailHead({ mail: { recipient, kind, state } }: { readonly mail: Mail }) {
  const name = useMailKind()
  return (
    <RowHead
      icon={
        <IconTile>
          <MailIcon className="size-4" />
        </IconTile>
      }
      name={recipient}
      detail={<span title={kind}>{name(kind)}</span>}
      room={state === 'failed' ? 'button' : 'menu'}
    />
  )
}

/** With the error, and how often it was tried. */
function MailStatus({ mail: { state, lastError, attempts } }: { readonly mail: Mail }) {
  const t = useMessages(messages)
  const isRetried = state !== 'sent' && attempts > 0
  return (
    <>
      <Status tone={tones[state]}>{t(state)}</Status>
      {lastError !== null || isRetried ? (
        <span className="block text-12 text-muted">
          {lastError === null ? null : <Code>{lastError}</Code>}
          {lastError !== null && isRetried ? ' · ' : null}
          {isRetried ? t('attempts', { count: attempts }) : null}
        </span>
      ) : null}
    </>
  )
}

/** When it was sent or given up, or will be tried again, relative and exactly: a tooltip hides it from touch and keyboard. */
function MailTime({ mail: { state, sentAt, failedAt, nextAttemptAt } }: { readonly mail: Mail }) {
  const t = useMessages(messages)
  const at = sentAt ?? failedAt ?? nextAttemptAt
  if (at === null) return <span className="text-muted">–</span>
  return (
    <>
      {state === 'waiting' ? <span className="text-muted">{t('nextAttempt')}: </span> : null}
      <Time value={at} />
      <span className="block text-12 text-muted">
        <Time value={at} style="dateTime" />
      </span>
    </>
  )
}
