/** The frame of the account area: navigation at the side, below 900 px as a sheet, the user at the foot. */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Menu as MenuIcon, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSettings } from '../api/calls.ts'
import { useFrozen } from '../browser/frozen.ts'
import { useTheme } from '../browser/theme.ts'
import { Button } from '../components/button.tsx'
import { Sheet } from '../components/dialog.tsx'
import { Toasts } from '../components/toast.tsx'
import { useFrameMessages } from '../messages/index.ts'
import type { Area } from '../routes/screens.ts'
import { accountsQuery } from '../session/accounts.ts'
import { followCurrentUser } from '../session/device-sessions.ts'
import { organizationQuery, useOrganizationId } from '../session/organizations.ts'
import { useSession, useSessionEnd } from '../session/session.ts'
import { AccountMenu } from './account-menu.tsx'
import { EnvironmentBar, UserChangeBar, WarningBars } from './bars.tsx'
import { FrameNavigation, InstanceLink, useIsInstance } from './frame-navigation.tsx'
import { ImpersonationBar } from './impersonation-bar.tsx'
import { isWordmark, Logo, Mark } from './mark.tsx'
import { Palette, PaletteField } from './palette.tsx'
import { SessionEndBar } from './session-end-bar.tsx'

interface AreaProps {
  /** Of organizations; null without them. */
  readonly area: Area | null
}

/** Of the account area, of administration, or of the organization that is open. */
function Navigation({ area, onChoose }: AreaProps & { readonly onChoose?: () => void }) {
  const id = useOrganizationId()
  const isInstance = useIsInstance()
  const { isLoadingError } = useQuery({ ...organizationQuery(id ?? ''), enabled: false })
  const close = onChoose && { onChoose }
  return (
    <>
      {area ? <area.Switcher {...close} /> : <InstanceLink {...close} />}
      <PaletteField {...close} />
      {!area || id === undefined || isInstance || isLoadingError ? (
        <FrameNavigation frame={isInstance ? 'admin' : 'account'} {...close} />
      ) : (
        <area.Navigation id={id} {...close} />
      )}
    </>
  )
}

/** In administration with the environment: changes there may affect a real site. */
function AppName() {
  const t = useFrameMessages()
  const { appName, branding, environment, isDevelopment } = useSettings()
  const theme = useTheme()
  const hasName = isWordmark(branding)
  const known = environment ?? t(isDevelopment ? 'development' : 'production')
  return (
    <>
      {branding.logo ? (
        <Logo
          branding={branding}
          theme={theme === 'system' ? null : theme}
          height={24}
          alt={hasName ? appName : ''}
          className={hasName ? 'h-6 w-auto max-w-36 min-w-0 object-contain object-left' : 'size-6 shrink-0 object-contain'}
        />
      ) : (
        <Mark className="size-6 shrink-0" />
      )}
      <span className="grid min-w-0 grow">
        {hasName ? null : <span className="line-clamp-2 wrap-anywhere">{appName}</span>}
        {useIsInstance() ? (
          <span translate={environment === null ? undefined : 'no'} className="truncate text-12 font-medium text-muted">
            {known}
          </span>
        ) : null}
      </span>
    </>
  )
}

/** The navigation below 900 px. */
function NavigationSheet({ area }: AreaProps) {
  const t = useFrameMessages()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="ghost"
        isIcon
        aria-label={t('openNavigation')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden className="size-4" />
      </Button>
      <Sheet
        isOpen={isOpen}
        onClose={close}
        label={t('mainNavigation')}
        side="start"
        className="flex w-70 max-w-[85vw] flex-col bg-sunken p-3"
      >
        <div className="mb-3 flex items-center gap-2 ps-2 text-14 font-semibold">
          <AppName />
          <Button variant="ghost" isIcon aria-label={t('closeNavigation')} onClick={close}>
            <X aria-hidden className="size-4" />
          </Button>
        </div>
        <Navigation area={area} onChoose={close} />
        <div className="mt-auto pt-3">
          <AccountMenu />
        </div>
      </Sheet>
    </>
  )
}

/** Signing in again needs to know the sign-in methods when they can no longer be read. */
function useKnownAccounts(): void {
  const { socialProviders } = useSettings()
  useQuery({ ...accountsQuery, enabled: socialProviders.length > 0, staleTime: Number.POSITIVE_INFINITY })
}

/** Pages in other tabs are loaded again as those of the user of the newest one. */
function useCurrentUser(): void {
  const { user } = useSession()
  useEffect(() => followCurrentUser(user.id), [user.id])
}

const FrozenBar = lazy(() => import('./frozen-bar.tsx').then((module) => ({ default: module.FrozenBar })))
const FactorDueBar = lazy(() => import('./factor-due-bar.tsx').then((module) => ({ default: module.FactorDueBar })))

export function AccountFrame({ area }: AreaProps) {
  const { twoFactor } = useSettings()
  const frozen = useFrozen()
  useSessionEnd()
  useCurrentUser()
  useKnownAccounts()
  return (
    <>
      <EnvironmentBar />
      <WarningBars />
      {frozen ? (
        <Suspense>
          <FrozenBar frozen={frozen} />
        </Suspense>
      ) : null}
      <UserChangeBar />
      <ImpersonationBar />
      <SessionEndBar />
      {twoFactor?.isRequired ? (
        <Suspense>
          <FactorDueBar />
        </Suspense>
      ) : null}
      <Palette />
      <div className="grid grow grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] console:grid-cols-[14.5rem_minmax(0,1fr)] console:grid-rows-1">
        <header className="sticky top-(--fixed-bars) z-20 flex items-center gap-2 border-b border-border bg-sunken px-3 py-1.5 text-14 font-semibold console:hidden">
          <NavigationSheet area={area} />
          <AppName />
        </header>
        <aside className="hidden border-e border-border bg-sunken console:block">
          <div className="sticky top-(--fixed-bars) flex h-[calc(100dvh-var(--bars))] flex-col overflow-y-auto p-3">
            <div className="mb-3 flex min-h-8 shrink-0 items-center gap-2 px-2 text-14 font-semibold">
              <AppName />
            </div>
            <Navigation area={area} />
            <div className="mt-auto pt-3">
              <AccountMenu />
            </div>
          </div>
        </aside>
        <main id="content" tabIndex={-1} className="w-full max-w-316 min-w-0 px-4 pt-6 pb-12 outline-none card:px-8">
          <Outlet />
        </main>
      </div>
      <Toasts />
    </>
  )
}
