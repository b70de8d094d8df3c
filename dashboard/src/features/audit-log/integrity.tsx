/** Whether the chain of events is intact, as it was last verified. */
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { CodeBlock, Note } from '../../components/feedback.tsx'
import { Facts, Time } from '../../components/layout.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { type AuditStatus, statusQuery } from './data.ts'
import { messages } from './index.ts'

const looks = {
  intact: { look: 'bg-success-soft text-success', icon: ShieldCheck },
  broken: { look: 'bg-danger-soft text-danger', icon: ShieldAlert },
  unverified: { look: 'bg-fill text-muted', icon: ShieldQuestionMark },
} as const

export function IntegrityBadge() {
  const t = useMessages(messages)
  const { format } = useLocale()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery(statusQuery)
  if (!data) return null
  const { look, icon: Icon } = looks[data.state]
  const time = data.verifiedAt ? format.relative(new Date(data.verifiedAt), new Date()) : ''
  const texts = { intact: t('chainIntact', { time }), broken: t('chainBroken'), unverified: t('chainUnverified') }
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={clsx(
          'inline-flex min-h-(--target) cursor-pointer items-center gap-2 rounded-control px-3 py-1 text-13 font-medium',
          look,
        )}
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        {texts[data.state]}
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={t('chainTitle')} isWide>
        <p className="text-13">{t('chainText')}</p>
        <StatusFacts status={data} />
        <Problems problems={data.problems} />
        <CodeBlock code="latchkey audit verify" label={t('verifyNow')} copyLabel={t('copyCommand')} />
      </Dialog>
    </>
  )
}

function StatusFacts({ status }: { readonly status: AuditStatus }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { events, lastSequence, verifiedAt, verifiedThrough } = status
  return (
    <Facts
      isNarrow
      facts={[
        [t('chainEvents'), format.number(events)],
        [t('lastNumber'), format.number(lastSequence)],
        [t('verified'), verifiedAt ? <Time key="time" value={verifiedAt} style="dateTime" /> : t('never')],
        ...(verifiedThrough === null ? [] : [[t('verifiedThrough'), format.number(verifiedThrough)] as const]),
      ]}
    />
  )
}

function Problems({ problems }: Pick<AuditStatus, 'problems'>) {
  const t = useMessages(messages)
  if (problems.length === 0) return null
  return (
    <Note tone="danger" title={t('problems')}>
      <ul translate="no" className="list-disc ps-4">
        {problems.map(({ kind, sequence, message }) => (
          <li key={`${kind} ${sequence}`}>{message}</li>
        ))}
      </ul>
    </Note>
  )
}
