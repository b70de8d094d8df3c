/** A field for a code that works once, and the way to a new one when none arrives. The page gives the texts. */
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useErrorText } from '../api/errors.ts'
import { useLocale } from '../i18n/messages.ts'
import { Button } from './button.tsx'
import { ErrorNote, useCountdown } from './feedback.tsx'
import { TextField } from './field.tsx'

type FieldProps = Omit<ComponentProps<typeof TextField>, 'type'> & {
  /** The form is sent with the last of them; pasted codes may have blanks. Absent: by its button only. */
  readonly digits?: number
}

/** The operating system offers the code of a text message. */
export function CodeField({ digits, ...control }: FieldProps) {
  const sendWhenComplete = ({ value, form }: HTMLInputElement) => {
    // The form reads the value after this event.
    if (value.replaceAll(/[\s-]/g, '').length === digits) queueMicrotask(() => form?.requestSubmit())
  }
  return (
    <TextField
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

/** What was typed, without blanks: a copied one does no harm. */
export const readCode = (typed: string): string => typed.replaceAll(/\s/g, '')

interface NewCodeProps {
  readonly texts: { readonly sent: string; readonly send: string; readonly sendIn: (time: string) => string }
  readonly resend: () => Promise<unknown>
  /** Seconds between two codes. */
  readonly resendAfter: number
  /** Another button. */
  readonly children?: ReactNode
}

/** A new one can be sent when the limit of the recipient permits it. */
export function NewCode({ texts, resend, resendAfter, children }: NewCodeProps) {
  const { format } = useLocale()
  const errorText = useErrorText()
  const [times, setTimes] = useState(0)
  const { mutate, isPending, error } = useMutation({ mutationFn: resend, onSuccess: () => setTimes((before) => before + 1) })
  const left = useCountdown(error ?? times, error ? (errorText(error).retryAfter ?? 0) : resendAfter)
  return (
    <div className="grid gap-3">
      {error ? <ErrorNote error={error} /> : null}
      <p role="status" className="text-13 text-muted empty:hidden">
        {times > 0 && !error ? texts.sent : ''}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button isBusy={isPending} disabled={left > 0} onClick={() => mutate()}>
          {left > 0 ? texts.sendIn(format.duration(left)) : texts.send}
        </Button>
        {children}
      </div>
    </div>
  )
}
