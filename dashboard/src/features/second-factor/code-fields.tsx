/** Fields for codes of second factors. */
import type { ComponentProps } from 'react'
import { TextField } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { challengeMessages as messages } from './challenge-messages.ts'

type FieldProps = Omit<ComponentProps<typeof TextField>, 'label'>

/** The form is sent with the last digit; pasted codes may have blanks. */
export function OneTimeCodeField({ digits, ...control }: FieldProps & { readonly digits: number }) {
  const t = useMessages(messages)
  const sendWhenComplete = ({ value, form }: HTMLInputElement) => {
    // The form reads the value after this event.
    if (value.replaceAll(/[\s-]/g, '').length === digits) queueMicrotask(() => form?.requestSubmit())
  }
  return (
    <TextField
      label={t('code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      dir="ltr"
      maxLength={64}
      spellCheck={false}
      autoFocus
      onInput={({ currentTarget }) => sendWhenComplete(currentTarget)}
      {...control}
    />
  )
}

export function BackupCodeField(control: FieldProps) {
  const t = useMessages(messages)
  return (
    <TextField
      label={t('backupCode')}
      autoComplete="off"
      autoCapitalize="none"
      dir="ltr"
      maxLength={80}
      spellCheck={false}
      autoFocus
      {...control}
    />
  )
}
