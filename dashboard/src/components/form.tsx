/** Forms: validated with the schemas of the API, and then by the API, whose errors appear at their fields. */
import { type ReactNode, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { useCodeText, useErrorText } from '../api/errors.ts'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { Button } from './button.tsx'
import { ErrorNote, useCountdown } from './feedback.tsx'

interface FormOptions<V extends FieldValues> {
  /** Loaded when a field gets the focus. The messages of its issues are error codes of the API. */
  readonly schema: () => Promise<z.ZodType<V, V>>
  readonly defaults: DefaultValues<V>
  /** The field of each error code; other errors appear above the form. */
  readonly fields?: { readonly [code: string]: Path<V> }
  /** Makes the call, and goes on when it succeeded. */
  readonly submit: (values: V) => Promise<void>
  /** @returns whether the error is handled, so that the form does not show it */
  readonly onError?: (error: unknown, values: V) => boolean
}

export interface FormState<V extends FieldValues> {
  readonly form: ReturnType<typeof useForm<V, unknown, V>>
  /** The properties of a field's control. */
  readonly field: (name: Path<V>) => { readonly name: string; readonly error: string | undefined }
  readonly onSubmit: (event: React.FormEvent) => void
  readonly error: unknown
  readonly isBusy: boolean
  /** Seconds until the API accepts another attempt. */
  readonly wait: number
  /** Loads what validates. */
  readonly prepare: () => void
}

/** Validation is not needed before something is submitted, and its code is larger than the form. */
async function loadResolver<V extends FieldValues>(schema: () => Promise<z.ZodType<V, V>>) {
  const [{ zodResolver }, loaded] = await Promise.all([import('@hookform/resolvers/zod'), schema()])
  return zodResolver(loaded)
}

export function useApiForm<V extends FieldValues>({
  schema,
  defaults,
  fields = {},
  submit,
  onError,
}: FormOptions<V>): FormState<V> {
  const t = useFrameMessages()
  const codeText = useCodeText()
  const errorText = useErrorText()
  const [error, setError] = useState<unknown>(undefined)
  const form = useForm<V, unknown, V>({
    resolver: (...input) => loadResolver(schema).then((resolve) => resolve(...input)),
    defaultValues: defaults,
    shouldFocusError: true,
  })
  const wait = useCountdown(error, error === undefined ? undefined : errorText(error).retryAfter)
  const send = async (values: V) => {
    setError(undefined)
    try {
      await submit(values)
    } catch (failure) {
      if (onError?.(failure, values)) return
      const { code, sentence } = errorText(failure)
      const at = fields[code]
      if (at) form.setError(at, { type: code, message: sentence }, { shouldFocus: true })
      else setError(failure)
    }
  }
  const { errors, isSubmitting } = form.formState
  return {
    form,
    field: (name) => {
      const message = form.getFieldState(name, form.formState).error?.message
      const text = message === undefined ? undefined : (codeText(message) ?? (message.includes(' ') ? message : t('required')))
      return { ...form.register(name), error: errors && text }
    },
    onSubmit: (event) => {
      event.preventDefault()
      if (wait === 0 && !isSubmitting) form.handleSubmit(send)(event).catch(setError)
    },
    error,
    isBusy: isSubmitting,
    wait,
    // Submission loads it again, and shows why that fails.
    prepare: () => void loadResolver(schema).catch(() => undefined),
  }
}

interface FormProps<V extends FieldValues> {
  readonly state: FormState<V>
  readonly children: ReactNode
  /** Text of the button: what happens. */
  readonly submitLabel: string
  /** Default: `primary`. */
  readonly submitVariant?: 'primary' | 'danger-filled'
  /** In the note with the error, such as a link to another way. */
  readonly errorDetail?: (error: unknown) => ReactNode
  /** After the button. */
  readonly actions?: ReactNode
}

/** A form with its error above and its button below. What was typed stays when a call fails. */
export function Form<V extends FieldValues>({
  state,
  children,
  submitLabel,
  submitVariant = 'primary',
  errorDetail,
  actions,
}: FormProps<V>) {
  const t = useFrameMessages()
  const { format } = useLocale()
  const label = state.wait > 0 ? t('tryAgainIn', { time: format.duration(state.wait) }) : submitLabel
  return (
    <form noValidate method="post" onFocus={state.prepare} onSubmit={state.onSubmit} className="grid grid-cols-1 gap-4">
      {state.error === undefined ? null : <ErrorNote error={state.error}>{errorDetail?.(state.error)}</ErrorNote>}
      {children}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant={submitVariant} isBusy={state.isBusy} disabled={state.wait > 0}>
          {label}
        </Button>
        {actions}
      </div>
    </form>
  )
}
