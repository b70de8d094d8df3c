/** The filters of a revocation, the count of their sessions, and the question before they are revoked. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { Note } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, type FormState, useApiForm } from '../../components/form.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { incidentQuery } from './incident-data.ts'
import { incidentMessages } from './system-messages.ts'

interface Values {
  readonly since: string
  readonly ip: string
  readonly method: string
  readonly organizationId: string
  readonly reason: string
}
type Filter = NonNullable<Parameters<typeof call<'POST /admin/incident/preview'>>[1]['body']>
type Count = Awaited<ReturnType<typeof call<'POST /admin/incident/preview'>>>

/** The sessions that were counted, and what they were counted by. */
interface Counted extends Count {
  readonly filter: Filter
  readonly reason: string
}

const loadSchema = () => import('./schemas.ts').then(({ revocationInput }) => revocationInput)
const empty: Values = { since: '', ip: '', method: '', organizationId: '', reason: '' }

/** Fields that are not filled in do not filter. */
function filterOf({ since, ip, method, organizationId }: Values): Filter {
  const given = { since: since && new Date(since).toISOString(), ip, method, organizationId }
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : [])))
}

export function RevokeForm({ onDone }: { readonly onDone: (text: string) => void }) {
  const t = useMessages(incidentMessages)
  const [counted, setCounted] = useState<Counted | null>(null)
  const state = useApiForm<Values>({
    schema: loadSchema,
    defaults: empty,
    fields: { INCIDENT_FILTER_REQUIRED: 'since' },
    submit: async (values) => {
      setCounted(null)
      const filter = filterOf(values)
      const count = await call('POST /admin/incident/preview', { body: filter })
      setCounted({ ...count, filter, reason: values.reason.trim() })
    },
  })
  return (
    <>
      <Form state={state} submitLabel={t('preview')}>
        <Fields state={state} />
      </Form>
      <div role="status" className="mt-4 empty:mt-0">
        {counted ? <Found counted={counted} onDone={onDone} onRevoked={() => setCounted(null)} /> : null}
      </div>
    </>
  )
}

function Fields({ state }: { readonly state: FormState<Values> }): ReactNode {
  const t = useMessages(incidentMessages)
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 card:grid-cols-2">
      <TextField {...state.field('since')} type="datetime-local" label={t('since')} isOptional />
      <TextField {...state.field('ip')} {...plain} label={t('ip')} hint={t('ipHint')} isOptional />
      <TextField {...state.field('method')} {...plain} label={t('method')} hint={t('methodHint')} isOptional />
      <TextField {...state.field('organizationId')} {...plain} label={t('organizationId')} isOptional />
      <TextField {...state.field('reason')} autoComplete="off" label={t('reason')} hint={t('reasonHint')} isOptional />
    </div>
  )
}

interface FoundProps {
  readonly counted: Counted
  readonly onDone: (text: string) => void
  readonly onRevoked: () => void
}

function Found({ counted, onDone, onRevoked }: FoundProps) {
  const t = useMessages(incidentMessages)
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { sessions, users, isComplete, filter, reason } = counted
  if (sessions === 0 && isComplete) return <p className="text-13">{t('noneFound')}</p>
  const found = t(isComplete ? 'found' : 'foundAtLeast', { sessions, users })
  const revoke = async () => {
    await call('POST /admin/incident/revoke', { body: { ...filter, ...(reason && { reason }) } })
    await client.invalidateQueries(incidentQuery)
    onDone(t('revoking'))
    onRevoked()
  }
  return (
    <Note tone="warning" title={found}>
      <div className="mt-2">
        <Button variant="danger" onClick={() => setOpen(true)}>
          {t('revokeFound')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('revokeQuestion')}
        confirmLabel={t('revokeFound')}
        call={revoke}
      >
        <p className="font-medium">{found}</p>
        <p>{t('revokeText')}</p>
      </ConfirmDialog>
    </Note>
  )
}
