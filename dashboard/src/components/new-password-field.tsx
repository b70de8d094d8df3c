/** The field for a new password, with its rules explained before anything is submitted. */
import type { ComponentProps } from 'react'
import { useSettings } from '../api/calls.ts'
import { useFrameMessages } from '../messages/index.ts'
import { PasswordField } from './field.tsx'

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

/** The errors of a rejected password, for the `fields` of a form with this field. */
export const newPasswordErrors = <F extends string>(field: F) => ({
  PASSWORD_TOO_SHORT: field,
  PASSWORD_TOO_LONG: field,
  PASSWORD_COMPROMISED: field,
  PASSWORD_TOO_PERSONAL: field,
})
