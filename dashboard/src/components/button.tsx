/** Buttons and links that look like buttons. One filled button a view; destructive ones are filled only in the confirming dialog. */
import { type HistoryState, Link, type LinkProps } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-filled'
type Size = 'normal' | 'large'

interface Look {
  readonly variant?: Variant
  /** `large`: full width, for hosted pages. */
  readonly size?: Size
  /** A square with only an icon; needs `aria-label`. */
  readonly isIcon?: boolean
}

const variants: Record<Variant, string> = {
  primary: 'border-accent-fill bg-accent-fill text-on-accent hover:border-accent-hover hover:bg-accent-hover',
  secondary: 'border-border-strong bg-surface text-text hover:bg-hover',
  ghost: 'border-transparent text-text hover:bg-hover',
  danger: 'border-border-strong bg-surface text-danger hover:border-danger hover:bg-danger-soft',
  'danger-filled': 'border-danger bg-danger text-on-danger hover:border-danger-hover hover:bg-danger-hover',
}
const off = 'cursor-not-allowed border-border bg-sunken text-muted'

const lookOf = ({ variant = 'secondary', size = 'normal', isIcon = false }: Look, isOff = false): string =>
  clsx(
    'inline-flex shrink-0 items-center justify-center border font-medium no-underline transition-colors duration-120 ease-out rounded-control',
    size === 'large' ? 'min-h-11 w-full wrap-anywhere gap-2.5 px-4 py-2 text-16' : 'min-h-(--target) gap-1.5 text-13',
    size === 'normal' && (isIcon ? 'w-(--target)' : 'px-3 py-1'),
    isOff ? off : clsx('cursor-pointer', variants[variant]),
  )

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'className'> {
  /** While the action runs: the button stays focusable, shows a spinner and does nothing. */
  readonly isBusy?: boolean
}

/** A disabled button stays focusable, so that keyboard users find it and hear why. */
export function Button({ variant, size, isIcon, isBusy = false, disabled = false, onClick, children, ...rest }: ButtonProps) {
  const isOff = disabled || isBusy
  return (
    <button
      type="button"
      {...rest}
      className={lookOf({ ...(variant && { variant }), ...(size && { size }), ...(isIcon && { isIcon }) }, disabled && !isBusy)}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => (isOff ? event.preventDefault() : onClick?.(event))}
    >
      {isBusy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : null}
      {children}
    </button>
  )
}

interface ButtonLinkProps extends Look {
  readonly to: NonNullable<LinkProps['to']>
  readonly search?: Record<string, string | undefined>
  /** What the next page gets without showing it in its address; read when the link is followed. */
  readonly state?: () => HistoryState
  readonly children: ReactNode
}

const noState = () => ({})

export const ButtonLink = ({ variant, size, to, search, state = noState, children }: ButtonLinkProps) => (
  <Link to={to} search={search as never} state={state} className={lookOf({ ...(variant && { variant }), ...(size && { size }) })}>
    {children}
  </Link>
)

interface ExternalButtonProps extends Look {
  readonly href: string
  /** Name of the file, for a link that saves it. */
  readonly download?: string
  readonly children: ReactNode
}

/** A link to a page outside of the dashboard that looks like a button. */
export const ExternalButton = ({ variant, size, href, download, children }: ExternalButtonProps) => (
  <a href={href} download={download} className={lookOf({ ...(variant && { variant }), ...(size && { size }) })}>
    {children}
  </a>
)

const linkLook = 'rounded-sm text-accent underline-offset-3 hover:underline'

interface TextLinkProps extends Omit<ButtonLinkProps, keyof Look> {
  /** Underlined, for links inside a sentence: color alone does not mark them. */
  readonly isInline?: boolean
}
export const TextLink = ({ to, search, state = noState, children, isInline = false }: TextLinkProps) => (
  <Link to={to} search={search as never} state={state} className={clsx(linkLook, isInline ? 'underline' : 'inline-block py-0.5')}>
    {children}
  </Link>
)
