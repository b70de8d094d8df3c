/** The foot of a hosted page: links of the installation, languages and theme. */

import { Globe, SunMoon } from 'lucide-react'
import { languageTag } from '../../../src/lib/locale.ts'
import { Keyline } from '../frame/mark.tsx'
import { useLocale } from '../i18n/messages.ts'
import { nameOfLocale } from '../i18n/names.ts'
import { textIn, useFrameMessages } from '../messages/index.ts'
import { pagePath, usePage } from './page.ts'

export const footerItem = 'inline-flex min-h-8 items-center text-13 text-muted'

export function Footer() {
  const t = useFrameMessages()
  const { locale } = useLocale()
  const { site, page } = usePage()
  const { privacyURL, termsURL, helpURL, supportEmail, footerLinks } = site.settings.branding
  const links = [
    [privacyURL, t('privacy')],
    [termsURL, t('terms')],
    [helpURL, t('help')],
    ...footerLinks.map(({ url, label }) => [url, textIn(locale, label)] as const),
    [supportEmail && `mailto:${supportEmail}`, supportEmail ?? ''],
  ] as const
  return (
    <footer className="pb-5">
      <Keyline />
      <ul className="mt-2.5 flex flex-wrap items-center justify-center gap-x-5 px-6">
        <li className={footerItem}>{t('securedBy')}</li>
        {links.map(([href, label]) =>
          href ? (
            <li key={`${href} ${label}`} className="min-w-0">
              <a href={href} className={`${footerItem} wrap-anywhere hover:text-text hover:underline`}>
                {label}
              </a>
            </li>
          ) : null,
        )}
        <Preferences
          locales={site.settings.locales}
          theme={page.theme}
          hrefOf={(lang) => pagePath(site, page.path, { ...page.parameters, lang })}
        />
      </ul>
    </footer>
  )
}

interface PreferencesProps {
  readonly locales: readonly string[]
  /** Null: that of the system. */
  readonly theme: 'light' | 'dark' | null
  /** The same page in another language. */
  readonly hrefOf: (locale: string) => string
}

/** Languages are links, which need no script; without one the theme follows the system. */
export function Preferences({ locales, theme, hrefOf }: PreferencesProps) {
  const t = useFrameMessages()
  const { locale: current } = useLocale()
  const themes = [
    ['', t('themeSystem')],
    ['light', t('themeLight')],
    ['dark', t('themeDark')],
  ] as const
  return (
    <>
      {locales.length > 1 ? (
        <li className={footerItem}>
          <nav aria-label={t('language')} className="flex flex-wrap items-center justify-center gap-1.5">
            <Globe aria-hidden className="size-4" />
            {locales.map((locale) => (
              <a
                key={locale}
                href={hrefOf(locale)}
                lang={languageTag(locale)}
                hrefLang={languageTag(locale)}
                aria-current={locale === current ? 'true' : undefined}
                className="inline-flex min-h-8 items-center px-1 hover:text-text hover:underline aria-[current]:font-semibold"
              >
                {nameOfLocale(locale, locales)}
              </a>
            ))}
          </nav>
        </li>
      ) : null}
      <li className={footerItem}>
        {/* It has its place before the script shows it, so that nothing moves. */}
        <label
          data-theme-choice
          className="invisible inline-flex min-h-8 items-center gap-1.5 hover:text-text [@media(scripting:none)]:hidden"
        >
          <SunMoon aria-hidden className="size-4" />
          <span className="sr-only">{t('theme')}</span>
          <select
            defaultValue={theme ?? ''}
            className="min-h-8 cursor-pointer rounded-sm bg-transparent text-13 [&>option]:bg-raised [&>option]:text-text"
          >
            {themes.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </li>
    </>
  )
}
