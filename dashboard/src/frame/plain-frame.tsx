/** The frame of development pages: a bar at the top, and the whole width below. */
import { Link, Outlet } from '@tanstack/react-router'
import { useSettings } from '../api/calls.ts'
import { Tag } from '../components/layout.tsx'
import { useFrameMessages } from '../messages/index.ts'
import { Keyline, Mark } from './mark.tsx'
import { FooterPreferences } from './preferences.tsx'

const linkLook =
  'inline-flex min-h-(--target) items-center rounded-control px-2 text-13 font-medium text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-fill aria-[current=page]:text-text'

export function PlainFrame() {
  const t = useFrameMessages()
  const { appName, mailbox } = useSettings()
  return (
    <div className="grid grow grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto]">
      <header className="flex min-h-13 flex-wrap items-center gap-x-5 gap-y-1 border-b border-border bg-sunken px-4 py-1.5 card:px-8">
        <div className="flex min-w-0 items-center gap-2 text-14 font-semibold">
          <Mark className="size-6 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{appName}</span>
          <Tag tone="brass">{t('development')}</Tag>
        </div>
        <nav aria-label={t('mainNavigation')} className="-mx-2 flex flex-wrap gap-1 card:mx-0">
          <Link to="/" activeOptions={{ exact: true }} className={linkLook}>
            {t('startPage')}
          </Link>
          {mailbox ? (
            <Link to="/mailbox" activeOptions={{ includeSearch: false }} className={linkLook}>
              {t('mailbox')}
            </Link>
          ) : null}
        </nav>
        <div className="flex flex-wrap items-center gap-x-4 card:ms-auto">
          <FooterPreferences />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-268 min-w-0 px-4 pt-8 pb-12 outline-none card:px-8">
        <Outlet />
      </main>
      <footer className="pb-5">
        <Keyline />
      </footer>
    </div>
  )
}
