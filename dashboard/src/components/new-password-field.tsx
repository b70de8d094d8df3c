/** The field for a new password, with its rules explained before anything is submitted. */
import { type ComponentProps, useCallback } from 'react'
import { hasCode, useSettings } from '../api.ts'
import { useFrameMessages } from '../messages.ts'
import { PasswordField } from './field.tsx'
import { type FormState, useApiForm } from './form.tsx'

type Props = Omit<ComponentProps<typeof PasswordField>, 'hint' | 'autoComplete' | 'label'> & {
  /** Default: "New password". */
  readonly label?: string
}

export function NewPasswordField({ label, ...props }: Props) {
  const t = useFrameMessages()
  const { emailPassword } = useSettings()
  const rules = emailPassword
    ? [
        t('passwordLength', { min: emailPassword.minPasswordLength }),
        emailPassword.blocksCommonPasswords ? t('noCommonPassword') : '',
        emailPassword.blocksPersonalPasswords ? t('noPersonalPassword') : '',
      ]
    : []
  const hint = rules.filter(Boolean).join(' ')
  return <PasswordField {...props} label={label ?? t('newPassword')} autoComplete="new-password" hint={hint} />
}

/** A sentence about what else a reset of the password has ended; empty when it has ended nothing. */
export function useEndedByReset(): string {
  const t = useFrameMessages()
  const { sessions, apiKeys } = useSettings().passwordResetEnds
  if (sessions) return apiKeys ? t('sessionsAndKeysEnded') : t('sessionsEnded')
  return apiKeys ? t('apiKeysEnded') : ''
}

/** The errors of a rejected password, for the `fields` of a form with this field. */
export const newPasswordErrors = <F extends string>(field: F) => ({
  PASSWORD_TOO_SHORT: field,
  PASSWORD_TOO_LONG: field,
  PASSWORD_COMPROMISED: field,
  PASSWORD_TOO_PERSONAL: field,
})

interface PasswordLinkOptions {
  /** Uses the link. */
  readonly submit: (newPassword: string) => Promise<void>
  /** Called when the link no longer works. */
  readonly onInvalid: () => void
}

/** The form of pages on which a mailed link sets a password. */
export function usePasswordLinkForm({ submit, onInvalid }: PasswordLinkOptions): FormState<{ newPassword: string }> {
  const { emailPassword } = useSettings()
  return useApiForm({
    schema: useCallback(
      () => import('../schemas.ts').then(({ newPasswordOnly }) => newPasswordOnly(emailPassword)),
      [emailPassword],
    ),
    defaults: { newPassword: '' },
    fields: newPasswordErrors('newPassword' as const),
    submit: ({ newPassword }) => submit(newPassword),
    onError: (error) => {
      const isInvalid = hasCode(error, 'INVALID_TOKEN')
      if (isInvalid) onInvalid()
      return isInvalid
    },
  })
}
