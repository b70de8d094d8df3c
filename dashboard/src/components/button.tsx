/** Buttons and links that look like buttons. One filled button a view; destructive ones are filled only in the confirming dialog. */
import { Link, type LinkProps } from '@tanstack/react-router'
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { type ButtonLook, buttonLook, linkLook } from './look.ts'

interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'className'> {
  /** While the action runs: the button stays focusable, shows a spinner and does nothing. */
  readonly isBusy?: boolean
}

/** A disabled button stays focusable, so that keyboard users find it and hear why. */
export function Button({
  variant,
  size,
  isIcon = false,
  isBusy = false,
  disabled = false,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const isOff = disabled || isBusy
  return (
    <button
      type="button"
      {...rest}
      className={buttonLook({ variant, size, isIcon }, disabled && !isBusy)}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => (isOff ? event.preventDefault() : onClick?.(event))}
    >
      {isBusy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : null}
      {children}
    </button>
  )
}

interface ButtonLinkProps extends ButtonLook {
  readonly to: NonNullable<LinkProps['to']>
  readonly search?: Record<string, string | undefined>
  readonly children: ReactNode
}

export const ButtonLink = ({ variant, size, to, search, children }: ButtonLinkProps) => (
  <Link to={to} search={search as never} className={buttonLook({ variant, size })}>
    {children}
  </Link>
)

interface ExternalButtonProps extends ButtonLook {
  readonly href: string
  /** Name of the file, for a link that saves it. */
  readonly download?: string
  readonly children: ReactNode
}

/** A link to a page outside of the dashboard that looks like a button. */
export const ExternalButton = ({ variant, size, href, download, children }: ExternalButtonProps) => (
  <a href={href} download={download} className={buttonLook({ variant, size })}>
    {children}
  </a>
)

interface TextLinkProps extends Omit<ButtonLinkProps, keyof ButtonLook> {
  /** Underlined, for links inside a sentence: color alone does not mark them. */
  readonly isInline?: boolean
}
export const TextLink = ({ to, search, children, isInline = false }: TextLinkProps) => (
  <Link to={to} search={search as never} className={linkLook(isInline)}>
    {children}
  </Link>
)
