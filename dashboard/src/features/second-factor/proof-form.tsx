/** A form that asks for the password of users who have one: changes of second factors need it. */
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox, PasswordField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useSession } from '../../session/session.ts'
import { messages } from './messages.ts'

/** What calls take; empty for users without a password, whose sign-in must be recent. */
export interface PasswordProof {
  readonly password?: string
  readonly revokeOtherSessions?: boolean
}

interface Props {
  readonly hasPassword: boolean
  readonly submitLabel: string
  readonly submitVariant?: 'primary' | 'danger-filled'
  readonly submit: (proof: PasswordProof) => Promise<void>
  readonly onCancel: () => void
  readonly cancelLabel?: string
  /** Whether it also offers to end all other sessions, which have not proven what is turned on. */
  readonly offersSignOut?: boolean
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
  offersSignOut = false,
  children,
}: Props) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { email } = useSession().user
  const state = useApiForm({
    schema: () =>
      import('./schemas.ts').then(({ passwordProof, withoutPassword }) => (hasPassword ? passwordProof : withoutPassword)),
    defaults: { password: '', revokeOtherSessions: offersSignOut },
    fields: hasPassword ? { INVALID_PASSWORD: 'password' } : {},
    submit: ({ password, revokeOtherSessions }) =>
      submit({ ...(hasPassword && { password }), ...(offersSignOut && { revokeOtherSessions }) }),
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
      {offersSignOut ? <Checkbox label={t('signOutOthers')} {...state.form.register('revokeOtherSessions')} /> : null}
    </Form>
  )
}
