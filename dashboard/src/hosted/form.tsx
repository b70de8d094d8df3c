/** Forms of hosted pages. They post to the calls of the API; when a call fails, the page comes back with what was typed. */
import { Check } from 'lucide-react'
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react'
import type { Texts } from '../../../src/core/hosted.ts'
import { buttonLook, checkboxLook, controlLook, showButtonLook } from '../components/look.ts'
import { FieldError, FieldFrame, type FieldLook, wiringOf } from '../components/static.tsx'
import { useFrameMessages } from '../messages/index.ts'
import { CaptchaPlace } from './captcha-place.tsx'
import { FailureNote, Note } from './note.tsx'
import { pagePath, usePage } from './page.ts'
import { useFailureText } from './texts.ts'

interface FormContext {
  /** What was sent, when the call of this form has failed. */
  readonly sent: Texts | null
  /** The field that the failure belongs to, with its sentence. */
  readonly failed: { readonly field: string; readonly sentence: string } | null
}
const Context = createContext<FormContext>({ sent: null, failed: null })

interface FormProps {
  /** A declared form of the page, such as `POST /sign-in/email`. */
  readonly call: string
  /** Members of the body that are not shown; those that are undefined are left out. */
  readonly hidden?: Readonly<Record<string, string | undefined>>
  /** Text of the button: what happens. */
  readonly submitLabel: string
  readonly variant?: 'primary' | 'secondary' | 'danger-filled' | 'ghost'
  /** Seconds until the form may be sent, and the label until then, with `{time}`. */
  readonly wait?: number | undefined
  readonly waitLabel?: string
  /** In the note with the error, such as a link to another way. */
  readonly errorDetail?: ReactNode
  readonly children?: ReactNode
}

/** @throws Error when the page does not declare the form */
export function Form({ call, hidden = {}, submitLabel, variant = 'primary', wait, waitLabel, errorDetail, children }: FormProps) {
  const { site, page, forms } = usePage()
  const { sentence } = useFailureText()
  const t = useFrameMessages()
  const declared = forms.find((form) => form.call === call)
  if (!declared) throw new Error(`The page ${page.path} does not declare the form ${call}`)
  const failure = page.form?.call === call ? page.failure : null
  const field = failure ? declared.fields?.[failure.code] : undefined
  const failed = failure && field !== undefined ? { field, sentence: sentence(failure) } : null
  const target = pagePath(site, page.path, page.parameters)
  return (
    <form
      method="post"
      action={`${site.api}${call.replace(/^\w+ /, '')}`}
      className="grid grid-cols-1 gap-5"
      data-required={t('required')}
    >
      <input type="hidden" name="latchkey:page" value={target} />
      {Object.entries(hidden).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {failure && !failed ? <FailureNote failure={failure}>{errorDetail}</FailureNote> : null}
      <Context value={{ sent: failure ? (page.form?.values ?? null) : null, failed }}>{children}</Context>
      <CaptchaPlace call={call} />
      <SubmitButton
        label={submitLabel}
        variant={variant}
        wait={failure?.retryAfter ?? wait ?? null}
        waitLabel={waitLabel ?? t('tryAgainIn', { time: '{time}' })}
      />
    </form>
  )
}

interface SubmitButtonProps {
  readonly label: string
  readonly variant: NonNullable<FormProps['variant']>
  /** Seconds, which the script counts down. */
  readonly wait: number | null
  readonly waitLabel: string
}

function SubmitButton({ label, variant, wait, waitLabel }: SubmitButtonProps) {
  const waiting = wait ? { 'data-wait': wait, 'data-wait-label': waitLabel } : {}
  return (
    <button type="submit" className={buttonLook({ variant, size: 'large' })} {...waiting}>
      {label}
    </button>
  )
}

/** The value of a field, and its error. @param initial when nothing was sent */
function useField(name: string | undefined, hint: ReactNode, initial: string, isFocused = false) {
  const { sent, failed } = use(Context)
  const id = useId()
  const error = name !== undefined && failed?.field === name ? failed.sentence : undefined
  return {
    id,
    error,
    control: {
      ...wiringOf(id, hint, error),
      name,
      defaultValue: sent?.[name ?? ''] ?? initial,
      autoFocus: isFocused || error !== undefined,
    },
  }
}

type Labels = Pick<FieldLook, 'label' | 'hint' | 'action'>

type ControlProps = Labels &
  Omit<ComponentProps<'input'>, 'name' | 'className' | 'size' | 'defaultValue'> & {
    /** Absent: it is not sent. */
    readonly name?: string
    /** When nothing was sent before. */
    readonly initial?: string | undefined
    readonly isOptional?: boolean
  }

export function TextField({ name, label, hint, action, initial = '', isOptional = false, ...more }: ControlProps) {
  const { id, error, control } = useField(name, hint, initial, more.autoFocus)
  const { code } = useFailureText()
  // As the API takes them; browsers accept more, and say what is wrong in a language of their own.
  const address = more.type === 'email' ? { pattern: '.+@.+[.].+', 'data-invalid': code('INVALID_EMAIL') } : {}
  return (
    <FieldFrame isLarge {...{ id, label, hint, action, error, isOptional }}>
      <input required={!isOptional} {...address} {...more} {...control} className={controlLook('large')} />
    </FieldFrame>
  )
}

/**
 * The identifier from the step before, which the script writes. Password managers need it in the form of the password. What is wrong
 * with it stands above the fields.
 */
export function KnownIdentifier({ name, value }: { readonly name: string; readonly value: string }) {
  const { failed } = use(Context)
  return (
    <>
      {failed?.field === name ? (
        <Note tone="danger" isLive>
          {failed.sentence}
        </Note>
      ) : null}
      <input type="text" name={name} data-identifier defaultValue={value} autoComplete="username" readOnly hidden />
    </>
  )
}

/** For a code that was sent, or that an app shows. Operating systems offer one of a text message. */
export const CodeField = (control: ControlProps) => (
  <TextField
    inputMode="numeric"
    autoComplete="one-time-code"
    dir="ltr"
    maxLength={64}
    spellCheck={false}
    autoFocus
    {...control}
  />
)

/** The script shows what was typed on request; pasting and password managers work (WCAG 3.3.8). */
export function PasswordField({ name, label, hint, action, ...more }: ControlProps) {
  const t = useFrameMessages()
  const { id, error, control } = useField(name, hint, '')
  return (
    <FieldFrame isLarge {...{ id, label, hint, action, error }}>
      <div className="relative">
        <input
          autoCapitalize="none"
          spellCheck={false}
          required
          {...more}
          {...control}
          type="password"
          className={controlLook('large', 'pe-24')}
        />
        <button
          type="button"
          hidden
          data-show={id}
          data-hide-text={t('hide')}
          data-hide-label={t('hidePassword')}
          aria-label={t('showPassword')}
          className={showButtonLook}
        >
          {t('show')}
        </button>
      </div>
    </FieldFrame>
  )
}

interface SelectProps extends Labels {
  readonly name: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly isOptional?: boolean
}

export function SelectField({ name, label, hint, action, options, isOptional = false }: SelectProps) {
  const { id, error, control } = useField(name, hint, '')
  return (
    <FieldFrame isLarge {...{ id, label, hint, action, error, isOptional }}>
      <select {...control} required={!isOptional} className={controlLook('large')}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

interface CheckboxProps {
  readonly name: string
  readonly label: ReactNode
  readonly isChecked?: boolean
  /** What is sent when the box is checked, which it must be; absent: `true`, or `false` when it is not. */
  readonly value?: string
}

/** A box that is not checked is not sent, so a hidden control before it says "false". */
export function Checkbox({ name, label, isChecked = false, value }: CheckboxProps) {
  const { sent } = use(Context)
  const id = useId()
  const [checked, isRequired] = [sent ? sent[name] === (value ?? 'true') : isChecked, value !== undefined]
  return (
    <div>
      <label className="flex min-h-(--target) cursor-pointer items-center gap-2.5 text-14">
        {isRequired ? null : <input type="hidden" name={name} value="false" />}
        <span className="relative grid shrink-0 place-items-center">
          <input
            type="checkbox"
            name={name}
            value={value ?? 'true'}
            defaultChecked={checked}
            className={checkboxLook}
            {...(isRequired && { id, required: true })}
          />
          <Check
            aria-hidden
            className="pointer-events-none absolute hidden size-3 text-on-accent peer-checked:block forced-colors:!hidden"
          />
        </span>
        <span className="min-w-0">{label}</span>
      </label>
      {isRequired ? <FieldError id={id}>{undefined}</FieldError> : null}
    </div>
  )
}
