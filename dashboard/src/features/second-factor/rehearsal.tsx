/** Twice a year the page asks for one backup code: who has lost them finds out while signed in. */
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, type DialogHandlers } from '../../components/dialog.tsx'
import { Note } from '../../components/feedback.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { call } from '../../session/session.ts'
import { BackupCodeField } from './code-fields.tsx'
import { refreshFactors } from './data.ts'
import { rehearsalMessages as messages } from './rehearsal-messages.ts'

type Handlers = Omit<DialogHandlers, 'onClose'>

export function Rehearsal(handlers: Handlers) {
  const t = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  return (
    <Note tone="warning" title={t('isDue')}>
      <p>
        {t('isDueText')} {t('lost')}
      </p>
      <div className="pt-1.5">
        <Button onClick={() => setOpen(true)}>{t('tryCode')}</Button>
      </div>
      {isOpen ? <RehearsalDialog {...handlers} onClose={() => setOpen(false)} /> : null}
    </Note>
  )
}

function RehearsalDialog({ onClose, onDone, focusAfter }: DialogHandlers) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const [replacement, setReplacement] = useState<string | null>(null)
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ backupCode }) => backupCode),
    defaults: { code: '' },
    fields: { INVALID_BACKUP_CODE: 'code', BACKUP_CODES_ARENT_ENABLED: 'code' },
    submit: async ({ code }) => {
      const answer = await call('POST /two-factor/rehearse-backup-code', { body: { code } })
      setReplacement(answer.replacement)
    },
  })
  const finish = () => {
    onClose()
    onDone(t('tried'))
    void refreshFactors()
  }
  return (
    // A click outside of it would lose the new code.
    <Dialog
      isOpen
      onClose={replacement === null ? onClose : () => undefined}
      title={replacement === null ? t('tryCode') : t('isRight')}
      focusAfter={focusAfter}
    >
      {replacement === null ? (
        <Form state={state} submitLabel={t('verify')} actions={<Button onClick={onClose}>{frame('cancel')}</Button>}>
          <BackupCodeField {...state.field('code')} />
        </Form>
      ) : (
        <>
          <p>{t('replacement')}</p>
          <p dir="ltr" translate="no" className="rounded-control bg-sunken px-4 py-3 font-mono text-16">
            {replacement}
          </p>
          <div>
            <Button variant="primary" onClick={finish} autoFocus>
              {frame('continue')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
