/** The field for a backup code. */
import type { ComponentProps } from 'react'
import { TextField } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { challengeMessages as messages } from './challenge-messages.ts'

type FieldProps = Omit<ComponentProps<typeof TextField>, 'label'>

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
