/** How controls, buttons and notes look: the same on hosted pages, which the server renders, and in the application. */
import { clsx } from 'clsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-filled'

export interface ButtonLook {
  readonly variant?: ButtonVariant | undefined
  /** `large`: full width, for hosted pages. */
  readonly size?: 'normal' | 'large' | undefined
  /** A square with only an icon; needs `aria-label`. */
  readonly isIcon?: boolean
}

const variants: Record<ButtonVariant, string> = {
  primary: 'border-accent-edge bg-accent-fill text-on-accent hover:bg-accent-hover',
  secondary: 'border-border-strong bg-surface text-text hover:bg-hover',
  ghost: 'border-transparent text-text hover:bg-hover',
  danger: 'border-border-strong bg-surface text-danger hover:border-danger hover:bg-danger-soft',
  'danger-filled': 'border-danger bg-danger text-on-danger hover:border-danger-hover hover:bg-danger-hover',
}
const off = 'cursor-not-allowed border-border bg-sunken text-muted'

export const buttonLook = ({ variant = 'secondary', size = 'normal', isIcon = false }: ButtonLook, isOff = false): string =>
  clsx(
    'inline-flex shrink-0 items-center justify-center border font-medium no-underline transition-colors duration-120 ease-out rounded-control',
    size === 'large' ? 'min-h-11 w-full text-center wrap-anywhere gap-2.5 px-4 py-2 text-16' : 'min-h-(--target) gap-1.5 text-13',
    size === 'normal' && (isIcon ? 'w-(--target)' : 'px-3 py-1'),
    isOff ? off : clsx('cursor-pointer', variants[variant]),
  )

/** @param isInline inside a sentence: underlined, because color alone does not mark a link */
export const linkLook = (isInline = false): string =>
  clsx('rounded-sm text-accent underline-offset-3 hover:underline', isInline ? 'underline' : 'inline-block py-0.5')

export const controlLook = (size: ButtonLook['size'] = 'normal', more?: string): string =>
  clsx(
    'block w-full rounded-control border border-control bg-surface text-text placeholder:text-muted',
    'focus-visible:border-accent aria-invalid:border-danger aria-invalid:focus-visible:outline-danger',
    '[input&:read-only]:bg-sunken disabled:border-border disabled:bg-sunken disabled:text-muted',
    size === 'large' ? 'min-h-11 px-3 py-2 text-16' : 'min-h-[max(2.25rem,var(--target))] px-2.5 py-1.5 text-14',
    more,
  )

/** With forced colors the browser draws the box, whose tick would be lost otherwise. */
export const checkboxLook =
  'peer size-4.5 cursor-pointer appearance-none rounded-sm border border-control bg-surface checked:border-accent-edge checked:bg-accent-fill focus-visible:outline-offset-2 aria-invalid:border-danger forced-colors:appearance-auto'

/** The button in a password field that shows what was typed. */
export const showButtonLook =
  'absolute inset-y-1 end-1 cursor-pointer rounded-sm px-2.5 text-13 font-medium text-muted hover:bg-hover hover:text-text'

/** Above the page until it has the focus. */
export const skipLinkLook =
  'fixed start-2 -top-20 z-50 rounded-control border border-accent-edge bg-accent-fill px-3 py-2 text-on-accent focus:top-2'

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger'

const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-text',
  info: 'bg-info-soft text-info',
  success: 'bg-success-soft text-success',
  warning: 'bg-brass-soft text-brass',
  danger: 'bg-danger-soft text-danger',
}
export const noteLook = (tone: Tone): string => clsx('flex gap-2.5 rounded-control px-3 py-2.5 text-13', tones[tone])
