/** What is frozen, with a button for each. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { Card, Line, Lines, Section } from '../../components/layout.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { type Freeze, incidentQuery, type Kind, kinds } from './incident-data.ts'
import { Status } from './parts.tsx'
import { incidentMessages } from './system-messages.ts'

interface Props {
  readonly frozen: readonly Freeze[]
  readonly mayChange: boolean
  readonly onDone: (text: string) => void
}

export function Freezes({ frozen, mayChange, onDone }: Props) {
  const t = useMessages(incidentMessages)
  return (
    <Section title={t('freezes')} description={t('freezesLead')}>
      <Card className="max-w-160">
        <Lines>
          {kinds.map((kind) => {
            const freeze = frozen.find((one) => one.kind === kind)
            return (
              <Line
                key={kind}
                title={t(kind)}
                action={mayChange ? <Change kind={kind} isFrozen={freeze !== undefined} onDone={onDone} /> : null}
              >
                <p>{t(`${kind}Text`)}</p>
                <State freeze={freeze} />
              </Line>
            )
          })}
        </Lines>
      </Card>
    </Section>
  )
}

function State({ freeze }: { readonly freeze: Freeze | undefined }) {
  const t = useMessages(incidentMessages)
  const { format } = useLocale()
  if (!freeze)
    return (
      <p className="mt-1">
        <Status tone="quiet">{t('notFrozen')}</Status>
      </p>
    )
  const { since, by, expiresAt, reason } = freeze
  const time = (value: string | Date) => format.dateTime(new Date(value))
  return (
    <div className="mt-1 text-text">
      <Status tone="failed">
        <span className="font-medium">{t('frozen')}</span>
      </Status>
      <p>
        {t('frozenBy', { time: time(since), by: by ?? t('unknownBy') })}{' '}
        {expiresAt === null ? t('untilLifted') : t('until', { time: time(expiresAt) })}
      </p>
      {reason === null ? null : (
        <p>
          {t('reason')}: {reason}
        </p>
      )}
    </div>
  )
}

interface ChangeProps {
  readonly kind: Kind
  readonly isFrozen: boolean
  readonly onDone: (text: string) => void
}

function Change({ kind, isFrozen, onDone }: ChangeProps) {
  const t = useMessages(incidentMessages)
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const [seconds, setSeconds] = useState('')
  const name = t(kind)
  const change = async () => {
    const given = { kind, ...(reason.trim() && { reason: reason.trim() }) }
    const made = isFrozen
      ? call('POST /admin/incident/unfreeze', { body: given })
      : call('POST /admin/incident/freeze', { body: { ...given, ...(seconds && { seconds: Number(seconds) }) } })
    await made
    await client.invalidateQueries(incidentQuery)
    onDone(t(isFrozen ? 'lifted' : 'frozenDone', { name }))
  }
  return (
    <>
      <Button aria-label={t(isFrozen ? 'liftNamed' : 'freezeNamed', { name })} onClick={() => setOpen(true)}>
        {t(isFrozen ? 'lift' : 'freeze')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={isFrozen ? t('liftNamed', { name }) : t('freezeQuestion', { name })}
        confirmLabel={t(isFrozen ? 'lift' : 'freeze')}
        variant={isFrozen ? 'primary' : 'danger-filled'}
        call={change}
      >
        <p>{t(`${kind}Text`)}</p>
        {isFrozen ? null : <DurationField value={seconds} onChange={setSeconds} />}
        <TextField
          label={t('reason')}
          hint={t('reasonHint')}
          isOptional
          maxLength={200}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </ConfirmDialog>
    </>
  )
}

function DurationField({ value, onChange }: { readonly value: string; readonly onChange: (seconds: string) => void }) {
  const t = useMessages(incidentMessages)
  const options = [
    { value: '', label: t('forever') },
    { value: '1800', label: t('minutes30') },
    { value: '7200', label: t('hours2') },
    { value: '43200', label: t('hours12') },
  ]
  return <SelectField label={t('duration')} options={options} value={value} onChange={(event) => onChange(event.target.value)} />
}
