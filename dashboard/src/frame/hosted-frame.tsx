/** The frame of pages for visitors: one narrow column, the name of the installation above, the key line below. */
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSettings } from '../api.ts'
import { useFrameMessages } from '../messages.ts'
import { Brand, Keyline } from './mark.tsx'
import { FooterPreferences } from './preferences.tsx'

const footerItem = 'inline-flex min-h-8 items-center text-13 text-muted'

function FooterLinks() {
  const t = useFrameMessages()
  const { privacyURL, termsURL, helpURL } = useSettings().branding
  const links = [
    [privacyURL, t('privacy')],
    [termsURL, t('terms')],
    [helpURL, t('help')],
  ] as const
  return links.map(([href, label]) =>
    href ? (
      <li key={label}>
        <a href={href} className={`${footerItem} hover:text-text hover:underline`}>
          {label}
        </a>
      </li>
    ) : null,
  )
}

/** @param children in place of the page of the route, such as an error */
export function HostedFrame({ children }: { readonly children?: ReactNode }) {
  const t = useFrameMessages()
  return (
    <div className="grid grow grid-cols-[minmax(0,1fr)] grid-rows-[1fr_auto]">
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-112 px-6 pt-12 pb-10 outline-none card:pt-22">
        <Brand />
        {children ?? <Outlet />}
      </main>
      <footer className="pb-5">
        <Keyline />
        <ul className="mt-2.5 flex flex-wrap items-center justify-center gap-x-5 px-6">
          <li className={footerItem}>{t('securedBy')}</li>
          <FooterLinks />
          <li className="flex items-center gap-x-5">
            <FooterPreferences />
          </li>
        </ul>
      </footer>
    </div>
  )
}

interface HostedPageProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children?: ReactNode
}

/** The content of a hosted page: a title, a line of explanation, and at most one primary action. */
export const HostedPage = ({ title, lead, children }: HostedPageProps) => (
  <>
    <h1 className="text-24 tracking-[-0.018em] wrap-anywhere">{title}</h1>
    {lead ? <p className="mt-1 text-16 text-muted wrap-anywhere">{lead}</p> : null}
    <div className="mt-6 space-y-6">{children}</div>
  </>
)

/** Below the form: another way to go. */
export const HostedAlternative = ({ children }: { readonly children: ReactNode }) => (
  <p className="text-14 text-muted [&_a]:font-medium">{children}</p>
)
