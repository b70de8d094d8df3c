/** Language and theme: the same choices on hosted pages and in the account area. */
import { Globe, SunMoon } from 'lucide-react'
import { languageTag } from '../../../src/lib/locale.ts'
import { lastSession, send, useSettings } from '../api/calls.ts'
import { setTheme, themes, useTheme } from '../browser/theme.ts'
import { useLocale } from '../i18n/messages.ts'
import { nameOfLocale } from '../i18n/names.ts'
import { useFrameMessages } from '../messages/index.ts'

interface Choice {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string; readonly lang?: string }[]
  readonly onChange: (value: string) => void
}

export function useLanguages(): Choice {
  const t = useFrameMessages()
  const { locale, setLocale } = useLocale()
  const { locales, userLocale } = useSettings()
  const choose = (value: string) => {
    setLocale(value)
    if (userLocale && lastSession()) void send('POST /update-user', { body: { locale: value } as object }).catch(() => undefined)
  }
  const options = locales.map((value) => ({ value, label: nameOfLocale(value, locales), lang: languageTag(value) }))
  return { label: t('language'), value: locale, options, onChange: choose }
}

export function useThemes(): Choice {
  const t = useFrameMessages()
  const labels = { system: t('themeSystem'), light: t('themeLight'), dark: t('themeDark') }
  return {
    label: t('theme'),
    value: useTheme(),
    options: themes.map((value) => ({ value, label: labels[value] })),
    onChange: (value) => setTheme(themes.find((theme) => theme === value) ?? 'system'),
  }
}

/** The list of the platform: hosted pages load no code for menus. */
const FooterChoice = ({ label, value, options, onChange, icon: Icon }: Choice & { readonly icon: typeof Globe }) => (
  <label className="inline-flex min-h-8 items-center gap-1.5 text-13 text-muted hover:text-text">
    <Icon aria-hidden className="size-4" />
    <span className="sr-only">{label}</span>
    <select
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="min-h-8 cursor-pointer rounded-sm bg-transparent text-13 [&>option]:bg-raised [&>option]:text-text"
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} lang={option.lang}>
          {option.label}
        </option>
      ))}
    </select>
  </label>
)

export function FooterPreferences() {
  const languages = useLanguages()
  return (
    <>
      {languages.options.length > 1 ? <FooterChoice {...languages} icon={Globe} /> : null}
      <FooterChoice {...useThemes()} icon={SunMoon} />
    </>
  )
}
