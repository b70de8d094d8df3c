/**
 * Form fields with a label, a hint and an error that assistive technology announces. They are controls of the platform: the form
 * library validates, and hosted pages load no more code than they need.
 */
import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useFrameMessages } from '../messages/index.ts'
import { checkboxLook, controlLook, showButtonLook } from './look.ts'
import { FieldError, FieldFrame, type FieldLook, wiringOf } from './static.tsx'

function useWiring(hint: ReactNode, error: string | undefined) {
  return wiringOf(useId(), hint, error)
}

type ControlProps = FieldLook & Omit<ComponentProps<'input'>, 'className' | 'size'>

export function TextField({ label, hint, error, action, isOptional, ...control }: ControlProps) {
  const wiring = useWiring(hint, error)
  return (
    <FieldFrame {...look({ label, hint, error, action, isOptional })} id={wiring.id}>
      <input {...control} {...wiring} className={controlLook()} />
    </FieldFrame>
  )
}

type AreaProps = FieldLook & Omit<ComponentProps<'textarea'>, 'className'> & { readonly isCode?: boolean }

export function TextArea({ label, hint, error, action, isOptional, isCode = false, ...control }: AreaProps) {
  const wiring = useWiring(hint, error)
  return (
    <FieldFrame {...look({ label, hint, error, action, isOptional })} id={wiring.id}>
      <textarea rows={4} {...control} {...wiring} className={controlLook('normal', isCode ? 'font-mono text-13' : undefined)} />
    </FieldFrame>
  )
}

/** Shows what was typed on request; pasting and password managers work (WCAG 3.3.8). */
export function PasswordField({ label, hint, error, action, isOptional, ...control }: ControlProps) {
  const t = useFrameMessages()
  const [isShown, setShown] = useState(false)
  const wiring = useWiring(hint, error)
  return (
    <FieldFrame {...look({ label, hint, error, action, isOptional })} id={wiring.id}>
      <div className="relative">
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...control}
          {...wiring}
          type={isShown ? 'text' : 'password'}
          className={controlLook('normal', 'pe-24')}
        />
        <button
          type="button"
          aria-label={isShown ? t('hidePassword') : t('showPassword')}
          aria-controls={wiring.id}
          onClick={() => setShown(!isShown)}
          className={showButtonLook}
        >
          {isShown ? t('hide') : t('show')}
        </button>
      </div>
    </FieldFrame>
  )
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'className' | 'size'>, FieldLook {
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

export function SelectField({ label, hint, error, action, isOptional, options, ...control }: SelectProps) {
  const wiring = useWiring(hint, error)
  return (
    <FieldFrame {...look({ label, hint, error, action, isOptional })} id={wiring.id}>
      <select {...control} {...wiring} className={controlLook()}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
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
          <input {...control} {...wiring} type="checkbox" className={checkboxLook} />
          <Check
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none absolute hidden size-3 text-on-accent peer-checked:block forced-colors:hidden!"
          />
        </span>
        <span className="min-w-0">{label}</span>
      </label>
      <FieldError id={wiring.id}>{error}</FieldError>
    </div>
  )
}
