/** Parts without behavior, the same on pages that the server renders and in the application. */
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFrameMessages } from '../messages/index.ts'
import { noteLook, skipLinkLook, type Tone } from './look.ts'

const icons: Record<Tone, typeof Info> = {
  neutral: Info,
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleAlert,
}

interface NoteProps {
  readonly tone?: Tone
  readonly title?: string
  readonly children?: ReactNode
  /** Whether it appears after an action, and is announced. */
  readonly isLive?: boolean
}

export function Note({ tone = 'neutral', title, children, isLive = false }: NoteProps) {
  const Icon = icons[tone]
  return (
    <div role={isLive ? (tone === 'danger' ? 'alert' : 'status') : undefined} className={noteLook(tone)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 grow space-y-0.5 wrap-anywhere">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children}
      </div>
    </div>
  )
}

/** Attributes of a control that connect it with its label, hint and error. */
export const wiringOf = (id: string, hint: ReactNode, error: string | undefined) => ({
  id,
  'aria-invalid': error === undefined ? undefined : (true as const),
  'aria-describedby': [error === undefined ? '' : `${id}-error`, hint ? `${id}-hint` : ''].filter(Boolean).join(' ') || undefined,
})

interface FieldErrorProps {
  /** Of the control. */
  readonly id: string
  readonly children: string | undefined
}

/** Hidden without an error: on hosted pages the script writes it. */
export const FieldError = ({ id, children }: FieldErrorProps) => (
  <p id={`${id}-error`} hidden={children === undefined} className="mt-1.5 flex gap-1.5 text-13 text-danger [&[hidden]]:hidden">
    <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    <span>{children}</span>
  </p>
)

export interface FieldLook {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** At the end of the line of the label, such as a link. */
  readonly action?: ReactNode
  readonly isOptional?: boolean
}

interface FieldFrameProps extends FieldLook {
  readonly id: string
  /** On hosted pages. */
  readonly isLarge?: boolean
  readonly children: ReactNode
}

/** Label above; hint and error below. */
export function FieldFrame({ id, label, hint, error, action, isOptional, isLarge, children }: FieldFrameProps) {
  const t = useFrameMessages()
  return (
    <div>
      <div className={`mb-1.5 flex items-baseline justify-between gap-3 ${isLarge ? 'text-14' : 'text-13'}`}>
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

/** @param page the path of a page whose base URL is another one */
export function SkipLink({ page = '' }: { readonly page?: string }) {
  const t = useFrameMessages()
  return (
    <a href={`${page}#content`} className={skipLinkLook}>
      {t('skipToContent')}
    </a>
  )
}
