/** Fields for a phone number and for the code that is sent to it, and the way to a new code. */
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useSettings } from '../api/calls.ts'
import { useErrorText } from '../api/errors.ts'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { phoneMessages as messages } from '../messages/index.ts'
import { Button } from './button.tsx'
import { ErrorNote, useCountdown } from './feedback.tsx'
import { TextField } from './field.tsx'

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

/** The operating system offers the code of the text message. */
export function CodeField(control: FieldProps) {
  const t = useMessages(messages)
  return (
    <TextField
      label={t('code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      dir="ltr"
      maxLength={64}
      spellCheck={false}
      autoFocus
      {...control}
    />
  )
}

/** The schema of a code; digits only, so that a copied space does no harm. */
export const readCode = (typed: string): string => typed.replaceAll(/\s/g, '')

interface NewCodeProps {
  readonly resend: () => Promise<unknown>
  /** Absent: the number cannot be changed here. */
  readonly onChangeNumber?: () => void
}

/** What to do when no code arrives. A new one can be sent when the limit of the number permits it. */
export function NewCode({ resend, onChangeNumber }: NewCodeProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const errorText = useErrorText()
  const { phoneNumber } = useSettings()
  const [times, setTimes] = useState(0)
  const { mutate, isPending, error } = useMutation({ mutationFn: resend, onSuccess: () => setTimes((before) => before + 1) })
  const seconds = error ? (errorText(error).retryAfter ?? 0) : (phoneNumber?.resendAfter ?? 0)
  const left = useCountdown(error ?? times, seconds)
  return (
    <div className="grid gap-3">
      {error ? <ErrorNote error={error} /> : null}
      <p role="status" className="text-13 text-muted empty:hidden">
        {times > 0 && !error ? t('newCodeSent') : ''}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button isBusy={isPending} disabled={left > 0} onClick={() => mutate()}>
          {left > 0 ? t('newCodeIn', { time: format.duration(left) }) : t('sendNewCode')}
        </Button>
        {onChangeNumber ? (
          <Button variant="ghost" onClick={onChangeNumber}>
            {t('changeNumber')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
