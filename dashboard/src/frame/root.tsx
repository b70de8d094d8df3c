/** What every page has: the skip link, bars at the top, notifications, and the pages for unknown addresses and failures. */
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { FlaskConical, WifiOff } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { useSettings } from '../api.ts'
import { ButtonLink } from '../components/button.tsx'
import { LoadError } from '../components/feedback.tsx'
import { useLocale } from '../i18n/messages.ts'
import { hasNote } from '../impersonation.ts'
import { useFrameMessages } from '../messages.ts'
import { useSignInRequest } from '../sign-in-request.ts'
import { HostedPage } from './hosted-frame.tsx'

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
  return (
    <div role="status">
      {isOnline ? null : (
        <div className="flex min-h-10 items-center justify-center gap-3 bg-info-soft px-4 py-1 text-13 font-medium text-info">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {t('offline')}
        </div>
      )}
    </div>
  )
}

/** In development: where the emails go that a page announces. */
function DevelopmentBar() {
  const t = useFrameMessages()
  const { isDevelopment, mailbox } = useSettings()
  // Development pages link to the mailbox themselves.
  const isPlain = useRouterState({ select: ({ matches }) => matches.some(({ routeId }) => String(routeId) === '/plain') })
  if (!isDevelopment || !mailbox || isPlain) return null
  return (
    <aside
      aria-label={t('development')}
      className="bar min-h-10 bg-brass-soft px-4 py-2.5 text-center text-13 font-medium text-brass"
    >
      <FlaskConical aria-hidden className="me-2 inline-block size-4 align-text-bottom" />
      {t('developmentBar')}{' '}
      <Link to={'/mailbox' as string} className="py-0.5 underline underline-offset-3">
        {t('openMailbox')}
      </Link>
    </aside>
  )
}

/** On pages that do not read the session, in the tab where an impersonation has started. The other pages have it in their frame. */
function ImpersonationOfTab() {
  const isForVisitors = useRouterState({
    select: ({ matches }) => matches.some(({ routeId }) => ['/hosted', '/plain'].includes(String(routeId))),
  })
  return isForVisitors && hasNote() ? (
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
  useEffect(() => {
    document.title = title ? `${title} · ${appName}` : appName
  }, [title, appName])
  const former = useRef<string | undefined>(undefined)
  useEffect(() => {
    // The first page keeps the focus where the browser has put it: before the skip link.
    const isNavigation = former.current !== undefined && former.current !== path
    former.current = path
    if (isNavigation && document.activeElement === document.body) document.getElementById('content')?.focus()
  }, [path])
}

export function Root() {
  const t = useFrameMessages()
  const signIn = useSignInRequest()
  const here = useRouterState({ select: ({ location }) => location.publicHref.replace(/#.*/, '') })
  usePageChange()
  return (
    <>
      <a
        // The base URL of the page names the dashboard, so a fragment alone would leave this page.
        href={`${here}#content`}
        className="fixed start-2 -top-20 z-50 rounded-control bg-accent-fill px-3 py-2 text-on-accent focus:top-2"
      >
        {t('skipToContent')}
      </a>
      <OfflineBar />
      <DevelopmentBar />
      <ImpersonationOfTab />
      <Outlet />
      {signIn ? (
        <Suspense>
          <SignInAgain request={signIn} />
        </Suspense>
      ) : null}
    </>
  )
}

export function NotFound() {
  const t = useFrameMessages()
  return (
    <HostedPage title={t('notFound')} lead={t('notFoundText')}>
      <ButtonLink to="/" size="large">
        {t('goToStart')}
      </ButtonLink>
    </HostedPage>
  )
}

/** A new page names the files that the server has after an upgrade. Without a connection it would be lost. */
export function LoadFailed({ error }: { readonly error: unknown }) {
  const router = useRouter()
  const retry = () => (navigator.onLine ? location.reload() : void router.invalidate())
  return <LoadError heading="h1" error={error} retry={retry} />
}
