/** The frame of the account area: navigation at the side, below 900 px as a sheet, the user at the foot. */
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Menu as MenuIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { accountsQuery } from '../accounts.ts'
import { useSettings } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Tag } from '../components/layout.tsx'
import { Toasts } from '../components/toast.tsx'
import { followCurrentUser } from '../device-sessions.ts'
import { useFrameMessages } from '../messages.ts'
import { organizationQuery, useOrganizationId } from '../organizations.ts'
import { useSession, useSessionEnd } from '../session.ts'
import { AccountMenu } from './account-menu.tsx'
import { FrameNavigation, InstanceLink, useIsInstance } from './frame-navigation.tsx'
import { ImpersonationBar } from './impersonation-bar.tsx'
import { Mark } from './mark.tsx'
import { OrganizationNavigation } from './organization-navigation.tsx'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { Palette, PaletteField } from './palette.tsx'

/** Of the account area, of administration, or of the organization that is open. */
function Navigation({ onChoose }: { readonly onChoose?: () => void }) {
  const { organization } = useSettings()
  const id = useOrganizationId()
  const isInstance = useIsInstance()
  const { isLoadingError } = useQuery({ ...organizationQuery(id ?? ''), enabled: false })
  const close = onChoose && { onChoose }
  return (
    <>
      {organization ? <OrganizationSwitcher {...close} /> : <InstanceLink {...close} />}
      <PaletteField {...close} />
      {id === undefined || isInstance || isLoadingError ? (
        <FrameNavigation frame={isInstance ? 'admin' : 'account'} {...close} />
      ) : (
        <OrganizationNavigation id={id} {...close} />
      )}
    </>
  )
}

/** In administration with the environment: changes there may affect a real site. */
function AppName() {
  const t = useFrameMessages()
  const { appName, isDevelopment } = useSettings()
  return (
    <>
      <Mark className="size-6 shrink-0" />
      <span className="min-w-0 grow truncate">{appName}</span>
      {useIsInstance() ? <Tag>{isDevelopment ? t('development') : t('production')}</Tag> : null}
    </>
  )
}

/** The navigation below 900 px. */
function Sheet() {
  const t = useFrameMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger render={<Button variant="ghost" isIcon aria-label={t('openNavigation')} />}>
        <MenuIcon aria-hidden className="size-4" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-scrim" />
        <Dialog.Popup className="fixed inset-y-0 start-0 z-30 flex w-70 max-w-[85vw] flex-col overflow-y-auto bg-sunken p-3 shadow-dialog">
          <div className="mb-3 flex items-center gap-2 ps-2 text-14 font-semibold">
            <Dialog.Title className="sr-only">{t('mainNavigation')}</Dialog.Title>
            <AppName />
            <Dialog.Close render={<Button variant="ghost" isIcon aria-label={t('closeNavigation')} />}>
              <X aria-hidden className="size-4" />
            </Dialog.Close>
          </div>
          <Navigation onChoose={() => setOpen(false)} />
          <div className="mt-auto pt-3">
            <AccountMenu />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
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

export function AccountFrame() {
  useSessionEnd()
  useCurrentUser()
  useKnownAccounts()
  return (
    <Toasts>
      <ImpersonationBar />
      <Palette />
      <div className="grid grow grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] console:grid-cols-[14.5rem_minmax(0,1fr)] console:grid-rows-1">
        <header className="sticky top-(--fixed-bars) z-20 flex items-center gap-2 border-b border-border bg-sunken px-3 py-1.5 text-14 font-semibold console:hidden">
          <Sheet />
          <AppName />
        </header>
        <aside className="hidden border-e border-border bg-sunken console:block">
          <div className="sticky top-(--fixed-bars) flex h-[calc(100dvh-var(--bars))] flex-col overflow-y-auto p-3">
            <div className="mb-3 flex h-8 items-center gap-2 px-2 text-14 font-semibold">
              <AppName />
            </div>
            <Navigation />
            <div className="mt-auto pt-3">
              <AccountMenu />
            </div>
          </div>
        </aside>
        <main id="content" tabIndex={-1} className="w-full max-w-316 min-w-0 px-4 pt-6 pb-12 outline-none card:px-8">
          <Outlet />
        </main>
      </div>
    </Toasts>
  )
}
