/** The frame of pages for visitors whose sign-in is not complete: one narrow column, as on the hosted pages. */
import { Outlet } from '@tanstack/react-router'
import { useSettings } from '../api/calls.ts'
import { useTheme } from '../browser/theme.ts'
import { isWordmark, Keyline, Logo } from './mark.tsx'
import { FooterPreferences } from './preferences.tsx'

export function VisitorFrame() {
  return (
    <div className="grid grow grid-cols-[minmax(0,1fr)] grid-rows-[1fr_auto]">
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-112 px-6 pt-12 pb-10 outline-none card:pt-22">
        <Brand />
        <Outlet />
      </main>
      <footer className="grid gap-4 pb-5">
        <div className="mx-auto flex w-full max-w-112 flex-wrap items-center gap-x-4 px-6">
          <FooterPreferences />
        </div>
        <Keyline />
      </footer>
    </div>
  )
}

function Brand() {
  const { appName, branding } = useSettings()
  const theme = useTheme()
  const isName = isWordmark(branding)
  return (
    <div className="mb-8 flex items-center gap-3 text-16 font-semibold">
      {branding.logo ? (
        <Logo
          branding={branding}
          theme={theme === 'system' ? null : theme}
          height={40}
          alt={isName ? appName : ''}
          className="h-10 w-auto max-w-full shrink-0 object-contain object-left"
        />
      ) : (
        <span aria-hidden className="grid size-10 shrink-0 place-content-center rounded-card bg-text text-20 text-bg">
          {[...appName][0]?.toUpperCase()}
        </span>
      )}
      {branding.logo && isName ? null : <span className="min-w-0 wrap-anywhere">{appName}</span>}
    </div>
  )
}
