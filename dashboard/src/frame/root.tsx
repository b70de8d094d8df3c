/** What every page has: the skip link, bars at the top, notifications, and the pages for unknown addresses and failures. */

import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { FlaskConical, WifiOff } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { useSettings } from '../api/calls.ts'
import { hasNote } from '../browser/impersonation-note.ts'
import { useShownTitle } from '../browser/tab-title.ts'
import { ButtonLink } from '../components/button.tsx'
import { LoadError } from '../components/feedback.tsx'
import { SkipLink } from '../components/static.tsx'
import { useOverlaysFail } from '../components/use-overlays.ts'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { type SignInAgainMethod, useSignInRequest } from '../session/sign-in-request.ts'
import { Bar, barLink } from './bars.tsx'

const ImpersonationBar = lazy(() => import('./impersonation-bar.tsx').then((module) => ({ default: module.ImpersonationBar })))
const SignInAgain = lazy(() => import('./sign-in-again.tsx').then((module) => ({ default: module.SignInAgain })))

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

function OfflineBar() {
  const t = useFrameMessages()
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine)
  const isOpening = useOverlaysFail()
  return (
    <div role="status">
      {isOnline && !isOpening ? null : (
        <div className="flex min-h-10 items-center justify-center gap-3 bg-info-soft px-4 py-1 text-13 font-medium text-info">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {t(isOpening ? 'cannotOpenYet' : 'offline')}
        </div>
      )}
    </div>
  )
}

/** On development pages. */
const useIsPlain = () => useRouterState({ select: ({ matches }) => matches.some(({ routeId }) => String(routeId) === '/plain') })

/** In development: where the emails go that a page announces. */
function DevelopmentBar() {
  const t = useFrameMessages()
  const { isDevelopment, mailbox } = useSettings()
  // Development pages link to the mailbox themselves.
  const isPlain = useIsPlain()
  if (!isDevelopment || !mailbox || isPlain) return null
  return (
    <Bar icon={FlaskConical} tone="warning" label={t('development')}>
      {t('developmentBar')}{' '}
      <Link to={'/mailbox' as string} className={barLink}>
        {t('openMailbox')}
      </Link>
    </Bar>
  )
}

/** On pages that do not read the session, in the tab where an impersonation has started. The other pages have it in their frame. */
function ImpersonationOfTab() {
  const isPlain = useIsPlain()
  return isPlain && hasNote() ? (
    <Suspense>
      <ImpersonationBar />
    </Suspense>
  ) : null
}

/** Sets the title of the tab, and moves focus to the content after a navigation, as loading a page would. */
function usePageChange(): void {
  const { appName } = useSettings()
  const { locale } = useLocale()
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const title = useRouterState({
    select: (state) => state.matches.map(({ staticData }) => staticData.title?.(locale)).findLast(Boolean),
  })
  const thing = useShownTitle()
  useEffect(() => {
    document.title = [thing, title, appName].filter(Boolean).join(' · ')
  }, [thing, title, appName])
  const former = useRef<string | undefined>(undefined)
  useEffect(() => {
    // The first page keeps the focus where the browser has put it: before the skip link.
    const isNavigation = former.current !== undefined && former.current !== path
    former.current = path
    if (isNavigation && document.activeElement === document.body) document.getElementById('content')?.focus()
  }, [path])
}

interface RootProps {
  readonly signInAgainMethods: readonly SignInAgainMethod[]
}

export function Root({ signInAgainMethods }: RootProps) {
  const signIn = useSignInRequest()
  const here = useRouterState({ select: ({ location }) => location.publicHref.replace(/#.*/, '') })
  usePageChange()
  return (
    <>
      <SkipLink page={here} />
      <OfflineBar />
      <DevelopmentBar />
      <ImpersonationOfTab />
      <Outlet />
      {signIn ? (
        <Suspense>
          <SignInAgain request={signIn} methods={signInAgainMethods} />
        </Suspense>
      ) : null}
    </>
  )
}

export function NotFound() {
  const t = useFrameMessages()
  return (
    <div className="max-w-112">
      <h1 className="text-24 tracking-[-0.018em]">{t('notFound')}</h1>
      <p className="mt-1 mb-6 text-16 text-muted">{t('notFoundText')}</p>
      <ButtonLink to="/" size="large">
        {t('goToStart')}
      </ButtonLink>
    </div>
  )
}

/** A new page names the files that the server has after an upgrade. Without a connection it would be lost. */
export function LoadFailed({ error }: { readonly error: unknown }) {
  const router = useRouter()
  const retry = () => (navigator.onLine ? location.reload() : void router.invalidate())
  return <LoadError heading="h1" error={error} retry={retry} />
}
