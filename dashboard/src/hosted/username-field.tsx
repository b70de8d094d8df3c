/** The username, which the script checks while it is typed. */
import { useMessages } from '../i18n/messages.ts'
import { usernameMessages as messages } from '../messages/index.ts'
import { TextField } from './form.tsx'
import { useSettings } from './page.ts'

/** The errors of a rejected username, for the `fields` of a form with this field. */
export const usernameErrors = (field: string) => ({
  USERNAME_IS_TOO_SHORT: field,
  USERNAME_IS_TOO_LONG: field,
  USERNAME_IS_INVALID: field,
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: field,
})

export function UsernameField({ name }: { readonly name: string }) {
  const t = useMessages(messages)
  const { username } = useSettings()
  if (!username) return null
  const { minLength: min, maxLength: max } = username
  return (
    <div data-username>
      <TextField
        name={name}
        label={t('username')}
        hint={t('usernameHint', { min, max })}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={max}
        isOptional
      />
      <p
        role="status"
        className="mt-1 text-13 text-muted empty:hidden wrap-anywhere"
        data-min={min}
        data-checking={t('checkingUsername')}
        data-free={t('usernameIsFree', { name: '{name}' })}
        data-taken={t('usernameIsTaken', { name: '{name}' })}
      />
    </div>
  )
}

/** Whose password it is, for password managers. */
export const HiddenUsername = ({ value }: { readonly value: string }) => (
  <input type="text" name="latchkey:username" autoComplete="username" defaultValue={value} readOnly hidden />
)
