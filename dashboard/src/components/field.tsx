/**
 * Form fields with a label, a hint and an error that assistive technology announces. They are controls of the platform: the form
 * library validates, and hosted pages load no more code than they need.
 */
import { clsx } from 'clsx'
import { Check, CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useFrameMessages } from '../messages.ts'

interface FieldLook {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** At the end of the line of the label, such as a link. */
  readonly action?: ReactNode
  /** `large` for hosted pages. */
  readonly size?: 'normal' | 'large'
  readonly isOptional?: boolean
}

const controlLook = (size: FieldLook['size'], more?: string): string =>
  clsx(
    'block w-full rounded-control border border-control bg-surface text-text placeholder:text-muted',
    'focus-visible:border-accent aria-invalid:border-danger aria-invalid:focus-visible:outline-danger',
    '[input&:read-only]:bg-sunken disabled:border-border disabled:bg-sunken disabled:text-muted',
    size === 'large' ? 'min-h-11 px-3 py-2 text-16' : 'min-h-[max(2.25rem,var(--target))] px-2.5 py-1.5 text-14',
    more,
  )

/** Attributes of a control that connect it with its label, hint and error. */
interface Wiring {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

function useWiring(hint: ReactNode, error: string | undefined): Wiring {
  const id = useId()
  const described = [error === undefined ? '' : `${id}-error`, hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return { id, 'aria-invalid': error === undefined ? undefined : true, 'aria-describedby': described || undefined }
}

const FieldError = ({ id, children }: { readonly id: string; readonly children: string | undefined }) =>
  children === undefined ? null : (
    <p id={`${id}-error`} className="mt-1.5 flex gap-1.5 text-13 text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  )

interface FrameProps extends FieldLook {
  readonly id: string
  readonly children: ReactNode
}

/** Label above; hint and error below. */
function Frame({ id, label, hint, error, action, size, isOptional, children }: FrameProps) {
  const t = useFrameMessages()
  return (
    <div>
      <div className={clsx('mb-1.5 flex items-baseline justify-between gap-3', size === 'large' ? 'text-14' : 'text-13')}>
        <label htmlFor={id} className="min-w-0 font-medium">
          {label}
          {isOptional ? <span className="font-normal text-muted"> ({t('optional')})</span> : null}
        </label>
        {action}
      </div>
      {children}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1.5 text-13 text-muted">
          {hint}
        </p>
      ) : null}
      <FieldError id={id}>{error}</FieldError>
    </div>
  )
}

type ControlProps = FieldLook & Omit<ComponentProps<'input'>, 'className' | 'size'>

export function TextField({ label, hint, error, action, size, isOptional, ...control }: ControlProps) {
  const wiring = useWiring(hint, error)
  return (
    <Frame {...look({ label, hint, error, action, size, isOptional })} id={wiring.id}>
      <input {...control} {...wiring} className={controlLook(size)} />
    </Frame>
  )
}

type AreaProps = FieldLook & Omit<ComponentProps<'textarea'>, 'className'> & { readonly isCode?: boolean }

export function TextArea({ label, hint, error, action, size, isOptional, isCode = false, ...control }: AreaProps) {
  const wiring = useWiring(hint, error)
  return (
    <Frame {...look({ label, hint, error, action, size, isOptional })} id={wiring.id}>
      <textarea rows={4} {...control} {...wiring} className={controlLook(size, isCode ? 'font-mono text-13' : undefined)} />
    </Frame>
  )
}

/** Shows what was typed on request; pasting and password managers work (WCAG 3.3.8). */
export function PasswordField({ label, hint, error, action, size, isOptional, ...control }: ControlProps) {
  const t = useFrameMessages()
  const [isShown, setShown] = useState(false)
  const wiring = useWiring(hint, error)
  return (
    <Frame {...look({ label, hint, error, action, size, isOptional })} id={wiring.id}>
      <div className="relative">
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...control}
          {...wiring}
          type={isShown ? 'text' : 'password'}
          className={controlLook(size, 'pe-24')}
        />
        <button
          type="button"
          aria-label={isShown ? t('hidePassword') : t('showPassword')}
          aria-controls={wiring.id}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-1 end-1 cursor-pointer rounded-sm px-2.5 text-13 font-medium text-muted hover:bg-hover hover:text-text"
        >
          {isShown ? t('hide') : t('show')}
        </button>
      </div>
    </Frame>
  )
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'className' | 'size'>, FieldLook {
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

export function SelectField({ label, hint, error, action, size, isOptional, options, ...control }: SelectProps) {
  const wiring = useWiring(hint, error)
  return (
    <Frame {...look({ label, hint, error, action, size, isOptional })} id={wiring.id}>
      <select {...control} {...wiring} className={controlLook(size)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** Without the members that are undefined, which exact optional types do not accept. */
const look = (given: { readonly [K in keyof FieldLook]: FieldLook[K] | undefined }): FieldLook =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as unknown as FieldLook

type CheckboxProps = Omit<ComponentProps<'input'>, 'className' | 'type'> & {
  readonly label: ReactNode
  readonly error?: string | undefined
}

export function Checkbox({ label, error, ...control }: CheckboxProps) {
  const wiring = useWiring(null, error)
  return (
    <div>
      <label className="flex min-h-(--target) cursor-pointer items-center gap-2.5 text-14">
        <span className="relative grid shrink-0 place-items-center">
          <input
            {...control}
            {...wiring}
            type="checkbox"
            className="peer size-4.5 cursor-pointer appearance-none rounded-sm border border-control bg-surface checked:border-accent-fill checked:bg-accent-fill focus-visible:outline-offset-2 aria-invalid:border-danger"
          />
          <Check
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none absolute hidden size-3 text-on-accent peer-checked:block"
          />
        </span>
        <span className="min-w-0">{label}</span>
      </label>
      <FieldError id={wiring.id}>{error}</FieldError>
    </div>
  )
}
