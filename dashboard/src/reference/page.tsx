/** The document of a page: the name of the installation and a search above, all calls at the start, the content next to them. */

import type { ReactNode } from 'react'
import { directionOf, languageTag } from '../../../src/lib/locale.ts'
import { buttonLook, controlLook } from '../components/look.ts'
import { SkipLink } from '../components/static.tsx'
import { isWordmark, Keyline, Logo } from '../frame/mark.tsx'
import { footerItem, Preferences } from '../hosted/footer.tsx'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { Method } from './call.tsx'
import type { Group } from './document.ts'
import { useReferenceMessages } from './messages.ts'
import { objectsName, overviewName, useReference } from './site.ts'
import { TryTemplate } from './try-form.tsx'

interface DocumentProps {
  readonly title: string
  readonly children: ReactNode
}

export function Document({ title, children }: DocumentProps) {
  const { settings, style, files, request } = useReference()
  const { locale } = useLocale()
  const { appName, branding } = settings
  return (
    <html lang={languageTag(locale)} dir={directionOf(locale)} data-theme={request.theme ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <title>{`${title} · ${appName}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={request.theme ?? 'light dark'} />
        <link rel="icon" href={branding.favicon ?? files.icon} />
        <link rel="stylesheet" href={files.style} />
        {style === '' ? null : <style>{style}</style>}
        <script type="module" src={files.script} />
      </head>
      <body>
        <div id="root">
          <SkipLink />
          <Header />
          <div className="grid grow grid-cols-[minmax(0,1fr)] console:grid-cols-[17rem_minmax(0,1fr)]">
            <Calls />
            <div className="flex min-w-0 flex-col">
              <main id="content" tabIndex={-1} className="w-full max-w-320 grow px-4 pt-8 pb-12 outline-none card:px-8">
                {children}
              </main>
              <Foot />
            </div>
          </div>
        </div>
        <TryTemplate />
      </body>
    </html>
  )
}

function Header() {
  const t = useReferenceMessages()
  const { settings, request, base, documentPath } = useReference()
  const { appName, branding } = settings
  return (
    <header className="z-10 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-bg px-4 py-1.5 card:px-8 console:sticky console:top-0">
      <a href={base} className="flex min-w-0 items-center gap-2 rounded-sm text-14 font-semibold">
        {branding.logo ? (
          <Logo
            branding={branding}
            theme={request.theme}
            height={28}
            alt={isWordmark(branding) ? appName : ''}
            className="h-7 w-auto max-w-40 object-contain"
          />
        ) : (
          <span aria-hidden className="grid size-7 shrink-0 place-content-center rounded-control bg-text text-16 text-bg">
            {[...appName][0]?.toUpperCase()}
          </span>
        )}
        {isWordmark(branding) ? null : <span className="min-w-0 wrap-anywhere">{appName}</span>}
        <span className="font-normal text-muted">{t('apiReference')}</span>
      </a>
      <span className="ms-auto flex flex-wrap items-center gap-2">
        <button type="button" popoverTarget="calls" className={`${buttonLook({})} console:hidden`}>
          {t('calls')}
        </button>
        <a href={documentPath} download="openapi.json" className={buttonLook({})}>
          {t('openAPIDocument')}
        </a>
      </span>
    </header>
  )
}

const entryLook =
  'flex min-h-8 items-baseline gap-2 rounded-control px-2 py-1.5 text-13 text-text no-underline hover:bg-hover aria-[current]:bg-fill aria-[current]:font-medium'

/** All calls: at the start of the page, or on narrow screens above it, without a script. */
function Calls() {
  const t = useReferenceMessages()
  const { groups, base, request } = useReference()
  const link = (name: string, label: string) => (
    <a
      href={name === overviewName ? base : `${base}/${name}`}
      aria-current={request.name === name ? 'page' : undefined}
      className={entryLook}
    >
      {label}
    </a>
  )
  return (
    <nav
      id="calls"
      popover="auto"
      aria-label={t('calls')}
      className="m-auto h-[85dvh] w-[min(24rem,90vw)] overflow-y-auto rounded-dialog border border-border-strong bg-raised p-4 text-text console:rounded-none"
    >
      <div data-search className="mb-3 [@media(scripting:none)]:hidden">
        <label htmlFor="search" className="sr-only">
          {t('searchCalls')}
        </label>
        <input
          id="search"
          type="search"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('searchCalls')}
          aria-describedby="search-hint"
          className={controlLook()}
        />
        <p id="search-hint" className="mt-1 text-12 text-muted">
          {t('searchHint')}
        </p>
        <p role="status" data-none={t('noMatches')} className="text-12 text-muted" />
      </div>
      {link(overviewName, t('overview'))}
      {groups.map((group) => (
        <GroupCalls key={group.name} group={group} />
      ))}
      {link(objectsName, t('objects'))}
    </nav>
  )
}

function GroupCalls({ group: { name, title, calls } }: { readonly group: Group }) {
  const { base, request } = useReference()
  const isCurrent = name === request.name
  return (
    <details open={isCurrent} lang="en">
      <summary className="cursor-pointer rounded-control px-2 py-1.5 text-13 font-medium hover:bg-hover">{title}</summary>
      <ul className="mb-2 border-s border-border ms-3 ps-1">
        {calls.map(({ method, path, operation: { operationId, summary } }) => (
          <li key={operationId} data-path={path}>
            <a href={isCurrent ? `#${operationId}` : `${base}/${name}#${operationId}`} className={entryLook}>
              <span className="w-9 shrink-0">
                <Method method={method} />
              </span>
              <span className="min-w-0 wrap-anywhere">{summary}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Foot() {
  const f = useFrameMessages()
  const { settings, request, base } = useReference()
  const path = request.name === overviewName ? base : `${base}/${request.name}`
  return (
    <footer className="pb-5">
      <Keyline />
      <ul className="mt-2.5 flex flex-wrap items-center justify-center gap-x-5 px-6">
        <li className={footerItem}>{f('securedBy')}</li>
        <Preferences locales={settings.locales} theme={request.theme} hrefOf={(locale) => `${path}?lang=${locale}`} />
      </ul>
    </footer>
  )
}
