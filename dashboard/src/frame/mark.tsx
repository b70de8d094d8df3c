/** The mark, a latchkey seen from the side, and the name of the installation. */
import { useSettings } from '../api.ts'
import { useTheme } from '../theme.ts'

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

/** The configured logo, else a tile with the first letter of the name. */
export function Brand() {
  const { appName, branding } = useSettings()
  const theme = useTheme()
  const isDark = theme === 'dark' || (theme === 'system' && document.documentElement.dataset.theme === 'dark')
  const logo = (isDark && branding.logoDark) || branding.logo
  return (
    <div className="mb-8 flex items-center gap-3 text-16 font-semibold">
      {logo ? (
        <img src={logo} alt="" className="h-10 max-w-40 object-contain" />
      ) : (
        <span aria-hidden className="grid size-10 shrink-0 place-content-center rounded-card bg-text text-20 text-bg">
          {[...appName][0]?.toUpperCase()}
        </span>
      )}
      <span className="min-w-0 wrap-anywhere">{appName}</span>
    </div>
  )
}
