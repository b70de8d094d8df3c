/** Links of hosted pages: plain ones, because each page is a document. */
import type { ReactNode } from 'react'
import { type ButtonVariant, buttonLook, linkLook } from '../components/look.ts'
import { pagePath, usePage } from './page.ts'

interface LinkProps {
  /** A page of the dashboard. */
  readonly to: string
  readonly search?: Readonly<Record<string, string | undefined>>
  readonly children: ReactNode
}

/** @param isInline underlined, for links inside a sentence: color alone does not mark them */
export function TextLink({ to, search, isInline = false, children }: LinkProps & { readonly isInline?: boolean }) {
  const { site } = usePage()
  return (
    <a href={pagePath(site, to, search)} className={linkLook(isInline)}>
      {children}
    </a>
  )
}

export function ButtonLink({ to, search, variant, children }: LinkProps & { readonly variant?: ButtonVariant }) {
  const { site } = usePage()
  return (
    <a href={pagePath(site, to, search)} className={buttonLook({ variant, size: 'large' })}>
      {children}
    </a>
  )
}

/** A link out of the dashboard. */
export const ExternalButton = ({
  href,
  variant,
  describedBy,
  children,
}: {
  readonly href: string
  readonly variant?: ButtonVariant
  /** ID of an element. */
  readonly describedBy?: string
  readonly children: ReactNode
}) => (
  <a href={href} aria-describedby={describedBy} className={buttonLook({ variant, size: 'large' })}>
    {children}
  </a>
)

/** Back to the application that sent the visitor here, under the trusted-origin rules of the API; without one, to the account. */
export function ContinueLink({ label }: { readonly label: string }) {
  const { site, page } = usePage()
  const { callbackURL } = page.parameters
  const href = callbackURL ? `${site.api}/continue?${new URLSearchParams({ callbackURL })}` : pagePath(site, '/account')
  return (
    <a href={href} className={buttonLook({ variant: 'primary', size: 'large' })}>
      {label}
    </a>
  )
}
