/** The email address: whether it is verified, and its change in the stages that the API has. */
import { useMutation } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { refreshSession, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, EmailTag, IconTile, Line, Lines, Setting } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { call, useSession } from '../../session/session.ts'
import { messages } from './index.ts'

export function EmailSection() {
  const t = useMessages(messages)
  const { user } = useSession()
  const { emailChange, emailVerification } = useSettings()
  const [isOpen, setOpen] = useState(false)
  const [result, setResult] = useState<string>()
  const canVerify = emailVerification && !user.emailVerified
  const verification = useMutation({
    mutationFn: () => call('POST /send-verification-email', { body: { email: user.email } }),
    onSuccess: () => setResult(t('verificationSent', { email: user.email })),
  })
  return (
    <Setting title={t('emailAddress')} description={t('emailText')}>
      <Card>
        <Lines>
          <Line
            icon={
              <IconTile>
                <Mail className="size-4" />
              </IconTile>
            }
            title={user.email}
            action={
              <div className="flex flex-wrap gap-2">
                {canVerify ? (
                  <Button isBusy={verification.isPending} onClick={() => verification.mutate()}>
                    {t('sendVerification')}
                  </Button>
                ) : null}
                {emailChange && !isOpen ? <Button onClick={() => setOpen(true)}>{t('changeEmail')}</Button> : null}
              </div>
            }
          >
            <EmailTag isVerified={user.emailVerified} />
          </Line>
        </Lines>
        <div className="grid grid-cols-1 gap-4 px-4 pb-4 empty:hidden">
          {verification.error ? <ErrorNote error={verification.error} /> : null}
          {result ? (
            <Note tone="success" isLive>
              {result}
            </Note>
          ) : null}
          {isOpen ? (
            <ChangeForm
              onClose={(text) => {
                setOpen(false)
                setResult(text)
              }}
            />
          ) : null}
        </div>
      </Card>
    </Setting>
  )
}

/** @param onClose gets what happened; undefined when the user cancelled */
function ChangeForm({ onClose }: { readonly onClose: (result?: string) => void }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { user } = useSession()
  const { email } = user
  const { emailChange } = useSettings()
  const state = useApiForm({
    schema: () => import('../../components/schemas.ts').then(({ emailOnly }) => emailOnly),
    defaults: { email: '' },
    fields: { INVALID_EMAIL: 'email', EMAIL_IS_THE_SAME: 'email', COULDNT_UPDATE_YOUR_EMAIL: 'email' },
    submit: async ({ email: newEmail }) => {
      await call('POST /change-email', { body: { newEmail } })
      const after = (await refreshSession())?.user.email ?? email
      const linkTo = user.emailVerified ? email : newEmail
      onClose(after === email ? t('confirmationSent', { email: linkTo }) : t('emailChanged', { email: after }))
    },
  })
  if (user.emailVerified && !emailChange?.confirmedByEmail) return <Note tone="warning">{t('cannotChange')}</Note>
  return (
    <div className="border-t border-border pt-4">
      <Form state={state} submitLabel={t('changeEmail')} actions={<Button onClick={() => onClose()}>{frame('cancel')}</Button>}>
        <TextField
          label={t('newEmail')}
          type="email"
          autoComplete="email"
          autoFocus
          hint={user.emailVerified ? t('changesByLink', { email }) : t('changesNow')}
          {...state.field('email')}
        />
      </Form>
    </div>
  )
}
