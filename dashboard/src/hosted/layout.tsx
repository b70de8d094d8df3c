/** The document of a hosted page: one narrow column, the name of the installation above, the key line below. */

import { FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { directionOf, languageTag } from '../../../src/lib/locale.ts'
import { SkipLink } from '../components/static.tsx'
import { isWordmark, Logo } from '../frame/mark.tsx'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { errorMessages, socialMessages, useFrameMessages } from '../messages/index.ts'
import { Footer } from './footer.tsx'
import { Note } from './note.tsx'
import { pagePath, usePage } from './page.ts'
import { haveMark } from './provider-mark.tsx'

interface DocumentProps {
  readonly title: string
  readonly children: ReactNode
}

export function Document({ title, children }: DocumentProps) {
  const { site, page, files } = usePage()
  const { locale } = useLocale()
  const { appName, branding, socialProviders } = site.settings
  return (
    <html lang={languageTag(locale)} dir={directionOf(locale)} data-theme={page.theme ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <title>{`${title} · ${appName}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={page.theme ?? 'light dark'} />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        {page.refresh === null ? null : <meta httpEquiv="refresh" content={`0;url=${page.refresh}`} />}
        {branding.favicon ? (
          <link rel="icon" href={branding.favicon} />
        ) : (
          <link rel="icon" type="image/svg+xml" href={files.icon} />
        )}
        {/* The first page has it, too: a font that is not there after 100 ms is used from the next page on. */}
        {branding.font ? <link rel="preload" as="font" type="font/woff2" href={branding.font} crossOrigin="anonymous" /> : null}
        <link rel="stylesheet" href={haveMark(socialProviders) ? files.styleWithMarks : files.style} />
        {site.style === '' ? null : <style>{site.style}</style>}
        <script type="module" src={files.script} />
      </head>
      <body>
        <div id="root">
          <SkipLink />
          <DevelopmentBar />
          <ReadOnlyBar />
          <div
            className={`grid grow grid-cols-[minmax(0,1fr)] ${branding.cover ? 'console:grid-cols-[minmax(30rem,5fr)_minmax(0,6fr)]' : ''}`}
          >
            <div className="grid grid-cols-[minmax(0,1fr)] grid-rows-[1fr_auto]">
              <main id="content" tabIndex={-1} className="mx-auto w-full max-w-112 px-6 pt-12 pb-10 outline-none card:pt-22">
                <Brand />
                {children}
              </main>
              <Footer />
            </div>
            {branding.cover ? <div aria-hidden className="cover hidden console:block" /> : null}
          </div>
        </div>
        <Offline />
        <Impersonation />
      </body>
    </html>
  )
}

/** The script shows it in a form that it could not send. */
function Offline() {
  const { locale } = useLocale()
  return (
    <template id="offline">
      <Note tone="danger" isLive>
        <p className="font-semibold">{errorMessages.translate(locale)('OFFLINE')}</p>
      </Note>
    </template>
  )
}

/** The script shows it in the tab in which an administrator acts as another user. */
function Impersonation() {
  const t = useFrameMessages()
  const { site } = usePage()
  return (
    <template id="impersonation">
      <aside
        aria-label={t('impersonation')}
        className="flex min-h-12 flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-amber px-4 py-1.5 text-13 text-on-amber"
      >
        <span className="font-semibold">{t('actingAsAnother')}</span>
        <a href={pagePath(site, '/account')} className="underline underline-offset-3">
          {t('continueToAccount')}
        </a>
      </aside>
    </template>
  )
}

/** In an incident: forms of this page fail until it is over. */
function ReadOnlyBar() {
  const { locale } = useLocale()
  const { page } = usePage()
  if (!page.isReadOnly) return null
  return (
    <p role="status" className="bar min-h-10 bg-danger-soft px-4 py-2.5 text-center text-13 font-medium text-danger">
      {errorMessages.translate(locale)('READ_ONLY')}
    </p>
  )
}

/** In development: where the emails go that a page announces. */
function DevelopmentBar() {
  const t = useFrameMessages()
  const { site } = usePage()
  if (!site.settings.isDevelopment || !site.settings.mailbox) return null
  return (
    <aside
      aria-label={t('development')}
      className="bar min-h-10 bg-brass-soft px-4 py-2.5 text-center text-13 font-medium text-brass"
    >
      <FlaskConical aria-hidden className="me-2 inline-block size-4 align-text-bottom" />
      {t('developmentBar')}{' '}
      <a href={pagePath(site, '/mailbox')} className="py-0.5 underline underline-offset-3">
        {t('openMailbox')}
      </a>
    </aside>
  )
}

/** The configured logo, else a tile with the first letter of the name. What the logo says already is not said again. */
function Brand() {
  const { site, page } = usePage()
  const { appName, branding } = site.settings
  const { logo } = branding
  const name = <span className="min-w-0 wrap-anywhere">{appName}</span>
  const image = (className: string, alt = '') => (
    <Logo branding={branding} theme={page.theme} height={40} alt={alt} className={className} />
  )
  if (logo && isWordmark(branding))
    return <div className="mb-8">{image('h-10 w-auto max-w-full object-contain object-left', appName)}</div>
  // Without its size, the name would move when it is loaded.
  if (logo && logo.ratio === null)
    return (
      <div className="mb-8 grid gap-2 text-14 font-semibold">
        {image('h-10 w-full object-contain object-left')}
        {name}
      </div>
    )
  return (
    <div className="mb-8 flex items-center gap-3 text-16 font-semibold">
      {logo ? (
        image('h-10 w-auto shrink-0')
      ) : (
        <span aria-hidden className="grid size-10 shrink-0 place-content-center rounded-card bg-text text-20 text-bg">
          {[...appName][0]?.toUpperCase()}
        </span>
      )}
      {name}
    </div>
  )
}

interface HostedPageProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children?: ReactNode
}

/** The content of a hosted page: a title, a line of explanation, and at most one primary action. */
export const Content = ({ title, lead, children }: HostedPageProps) => (
  <>
    <h1 className="text-24 tracking-[-0.018em] wrap-anywhere">{title}</h1>
    {lead ? <p className="mt-1 text-16 text-muted wrap-anywhere">{lead}</p> : null}
    <div className="mt-6 space-y-6">{children}</div>
  </>
)

/** Below the form: another way to go. */
export const Alternative = ({ children }: { readonly children: ReactNode }) => (
  <p className="text-14 text-muted [&_a]:font-medium">{children}</p>
)

/** On pages that end in an error. */
export function Support() {
  const t = useFrameMessages()
  const { supportEmail } = usePage().site.settings.branding
  if (!supportEmail) return null
  return (
    <Alternative>
      {t('contactSupport')}{' '}
      <a href={`mailto:${supportEmail}`} className="text-accent underline underline-offset-3 wrap-anywhere">
        {supportEmail}
      </a>
      .
    </Alternative>
  )
}

/** Between two ways. */
export function OrDivider() {
  const t = useMessages(socialMessages)
  return (
    <div className="flex items-center gap-3 text-13 text-muted before:grow before:border-t before:border-border after:grow after:border-t after:border-border">
      {t('or')}
    </div>
  )
}
