/** The field for a new password, with the rules that the configuration has. */
import { useFrameMessages } from '../messages/index.ts'
import { PasswordField } from './form.tsx'
import { useSettings } from './page.ts'
import { useFailureText } from './texts.ts'

export function NewPasswordField({ name, label }: { readonly name: string; readonly label?: string }) {
  const t = useFrameMessages()
  const texts = useFailureText()
  const { emailPassword } = useSettings()
  if (!emailPassword) return null
  const { minPasswordLength, maxPasswordLength, blocksCommonPasswords, blocksPersonalPasswords } = emailPassword
  const rules = [
    t('passwordLength', { min: minPasswordLength }),
    blocksCommonPasswords ? t('noCommonPassword') : '',
    blocksPersonalPasswords ? t('noPersonalPassword') : '',
  ]
  return (
    <PasswordField
      name={name}
      label={label ?? t('newPassword')}
      autoComplete="new-password"
      minLength={minPasswordLength}
      maxLength={maxPasswordLength}
      data-too-short={texts.code('PASSWORD_TOO_SHORT') ?? undefined}
      hint={rules.filter(Boolean).join(' ')}
    />
  )
}

/** A sentence about what else a reset of the password has ended; empty when it has ended nothing. */
export function useEndedByReset(): string {
  const t = useFrameMessages()
  const { sessions, apiKeys } = useSettings().passwordResetEnds
  if (sessions) return apiKeys ? t('sessionsAndKeysEnded') : t('sessionsEnded')
  return apiKeys ? t('apiKeysEnded') : ''
}

/** The errors of a rejected password, for the `fields` of a form with this field. */
export const newPasswordErrors = (field: string) => ({
  PASSWORD_TOO_SHORT: field,
  PASSWORD_TOO_LONG: field,
  PASSWORD_COMPROMISED: field,
  PASSWORD_TOO_PERSONAL: field,
})
