/** The mark, a latchkey seen from the side, and the logo of an installation. */
import type { PublicSettings } from '../../../src/features/index.ts'
import { darkMedia } from '../browser/preferences.ts'

export const Mark = ({ className }: { readonly className?: string }) => (
  <svg
    aria-hidden="true"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    className={className}
  >
    <circle cx="7" cy="12" r="4.5" />
    <path d="M11.5 12H22M16.5 12v4M20.5 12v3" />
  </svg>
)

interface LogoProps {
  readonly branding: Pick<PublicSettings['branding'], 'logo' | 'logoDark'>
  /** Null: that of the system. */
  readonly theme: 'light' | 'dark' | null
  /** Pixels. */
  readonly height: number
  readonly alt: string
  readonly className: string
}

/** One image is loaded, of the theme in use. It has its place before it is loaded, so that nothing moves. */
export function Logo({ branding: { logo, logoDark }, theme, height, alt, className }: LogoProps) {
  if (!logo) return null
  const sizeOf = ({ ratio }: typeof logo) => (ratio === null ? {} : { width: Math.round(height * ratio), height })
  return (
    <picture className="contents">
      {logoDark && logoDark.url !== logo.url ? (
        <source media={darkMedia(theme)} srcSet={logoDark.url} {...sizeOf(logoDark)} />
      ) : null}
      <img src={logo.url} alt={alt} {...sizeOf(logo)} className={className} />
    </picture>
  )
}

/** A logo that is much wider than high has the name in it. */
export const isWordmark = ({ logo }: LogoProps['branding']): boolean => (logo?.ratio ?? 1) >= 2

/** The hairline at the foot of hosted pages that becomes a latchkey. */
export const Keyline = () => (
  <div aria-hidden="true" className="flex items-end text-brass">
    <i className="mb-[13px] h-px grow bg-border-strong" />
    <svg
      viewBox="0 0 60 28"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="block h-7 w-15"
    >
      <title>Latchkey</title>
      <circle cx="9" cy="14.5" r="8" />
      <path d="M17 14.5h42M42 14.5v7M51 14.5v5" />
    </svg>
    <i className="mb-[13px] h-px grow bg-border-strong" />
  </div>
)
