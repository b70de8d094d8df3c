/** A field for a phone number, and the way to a new code for it. */
import type { ComponentProps } from 'react'
import { useSettings } from '../api/calls.ts'
import { useMessages } from '../i18n/messages.ts'
import { phoneMessages as messages } from '../messages/index.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { NewCode } from './one-time-code.tsx'

type FieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'type' | 'hint'>

/** @param label default: "Phone number" */
export function PhoneField({ label, ...control }: FieldProps & { readonly label?: string }) {
  const t = useMessages(messages)
  return (
    <TextField
      label={label ?? t('phoneNumber')}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      dir="ltr"
      maxLength={64}
      hint={t('phoneHint')}
      {...control}
    />
  )
}

interface NewPhoneCodeProps {
  readonly resend: () => Promise<unknown>
  /** Absent: the number cannot be changed here. */
  readonly onChangeNumber?: () => void
}

/** What to do when no code arrives. */
export function NewPhoneCode({ resend, onChangeNumber }: NewPhoneCodeProps) {
  const t = useMessages(messages)
  const { phoneNumber } = useSettings()
  const texts = { sent: t('newCodeSent'), send: t('sendNewCode'), sendIn: (time: string) => t('newCodeIn', { time }) }
  return (
    <NewCode texts={texts} resend={resend} resendAfter={phoneNumber?.resendAfter ?? 0}>
      {onChangeNumber ? (
        <Button variant="ghost" onClick={onChangeNumber}>
          {t('changeNumber')}
        </Button>
      ) : null}
    </NewCode>
  )
}
