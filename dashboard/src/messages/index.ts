/** The texts of the frame and of the components, which every page has, and those that several pages load when they need them. */
import { closestLocale } from '../../../src/lib/locale.ts'
import { catalogue, catalogueOf, type Translate, useMessages } from '../i18n/messages.ts'
import type { messages as englishAdmin } from './admin-errors-en.ts'
import type { messages as english } from './en.ts'

export const frameMessages = catalogueOf('frame', {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
})
export const useFrameMessages = (): Translate<typeof english> => useMessages(frameMessages)

/** A text of the configuration. @param label a text, or one per language, also per form of address */
export function textIn(locale: string, label: string | Readonly<Record<string, string>>): string {
  if (typeof label === 'string') return label
  return label[closestLocale(locale, Object.keys(label)) ?? 'en'] ?? Object.values(label)[0] ?? ''
}

/** The sentences of error codes. */
export const errorMessages = catalogueOf('errors', {
  en: () => import('./errors-en.ts'),
  de: () => import('./errors-de.ts'),
})

/** The sentences of redirect codes. */
export const redirectMessages = catalogueOf('redirects', {
  en: () => import('./redirects-en.ts'),
  de: () => import('./redirects-de.ts'),
})

/** Sign-in with a provider. */
export const socialMessages = catalogueOf('social', {
  en: () => import('./social-en.ts'),
  de: () => import('./social-de.ts'),
})
export const loadSocialMessages = (locale: string) => Promise.all([redirectMessages.load(locale), socialMessages.load(locale)])

/** The sentences of error codes of organizations: `preload` of their screens. */
export const organizationErrors = catalogueOf('organization-errors', {
  en: () => import('./organization-errors-en.ts'),
  de: () => import('./organization-errors-de.ts'),
})
export const loadOrganizationErrors = organizationErrors.load

/** The sentences of error codes of API keys: `preload` of their page. */
export const apiKeyErrors = catalogueOf('api-key-errors', {
  en: () => import('./api-key-errors-en.ts'),
  de: () => import('./api-key-errors-de.ts'),
})
export const loadApiKeyErrors = apiKeyErrors.load

/** What only the pages of passkeys need. */
export const passkeyErrors = catalogueOf('passkey-errors', {
  en: () => import('./passkey-errors-en.ts'),
  de: () => import('./passkey-errors-de.ts'),
})

/** The sentences of error codes of second factors: for the pages and dialogs that ask for one. */
export const factorErrors = catalogueOf('second-factor-errors', {
  en: () => import('./second-factor-errors-en.ts'),
  de: () => import('./second-factor-errors-de.ts'),
})

/** The sentences of error codes of administration: its frame loads them. */
export const adminErrors = catalogue<typeof englishAdmin>({
  en: () => import('./admin-errors-en.ts'),
  de: () => import('./admin-errors-de.ts'),
})
export const loadAdminErrors = adminErrors.load

/** Phone numbers: `preload` of their screens. */
export const phoneMessages = catalogueOf('phone', {
  en: () => import('./phone-en.ts'),
  de: () => import('./phone-de.ts'),
})

/** Usernames: `preload` of screens with their field. */
export const usernameMessages = catalogueOf('username', {
  en: () => import('./username-en.ts'),
  de: () => import('./username-de.ts'),
})
