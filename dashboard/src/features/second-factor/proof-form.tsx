/** A form that asks for the password of users who have one: changes of second factors need it. */
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { PasswordField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useSession } from '../../session/session.ts'
import { messages } from './messages.ts'

/** What calls take; empty for users without a password, whose sign-in must be recent. */
export interface PasswordProof {
  readonly password?: string
}

interface Props {
  readonly hasPassword: boolean
  readonly submitLabel: string
  readonly submitVariant?: 'primary' | 'danger-filled'
  readonly submit: (proof: PasswordProof) => Promise<void>
  readonly onCancel: () => void
  readonly cancelLabel?: string
  /** What will happen. */
  readonly children: ReactNode
}

export function ProofForm({
  hasPassword,
  submitLabel,
  submitVariant = 'primary',
  submit,
  onCancel,
  cancelLabel,
  children,
}: Props) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { email } = useSession().user
  const state = useApiForm({
    schema: () =>
      import('./schemas.ts').then(({ passwordOnly, withoutPassword }) => (hasPassword ? passwordOnly : withoutPassword)),
    defaults: { password: '' },
    fields: hasPassword ? { INVALID_PASSWORD: 'password' } : {},
    submit: ({ password }) => submit(hasPassword ? { password } : {}),
  })
  const cancel = <Button onClick={onCancel}>{cancelLabel ?? frame('cancel')}</Button>
  return (
    <Form state={state} submitLabel={submitLabel} submitVariant={submitVariant} actions={cancel}>
      <div className="grid gap-2 text-14">{children}</div>
      {hasPassword ? (
        <>
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField label={t('password')} autoComplete="current-password" {...state.field('password')} />
        </>
      ) : null}
    </Form>
  )
}
