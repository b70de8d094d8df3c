/** The texts of the frame and of the components, which every page has, and those that several pages load when they need them. */
import { catalogue, type Translate, useMessages } from './i18n/messages.ts'
import type { messages as englishAdmin } from './messages/admin-errors-en.ts'
import type { messages as englishKeys } from './messages/api-key-errors-en.ts'
import type { messages as english } from './messages/en.ts'
import type { messages as englishOrganizations } from './messages/organization-errors-en.ts'
import type { messages as englishPhone } from './messages/phone-en.ts'
import type { messages as englishRedirects } from './messages/redirects-en.ts'
import type { messages as englishSocial } from './messages/social-en.ts'
import type { messages as englishUsername } from './messages/username-en.ts'

export const frameMessages = catalogue<typeof english>({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
})
export const useFrameMessages = (): Translate<typeof english> => useMessages(frameMessages)

/** The sentences of redirect codes. */
export const redirectMessages = catalogue<typeof englishRedirects>({
  en: () => import('./messages/redirects-en.ts'),
  de: () => import('./messages/redirects-de.ts'),
})

/** Sign-in with a provider. */
export const socialMessages = catalogue<typeof englishSocial>({
  en: () => import('./messages/social-en.ts'),
  de: () => import('./messages/social-de.ts'),
})
export const loadSocialMessages = (locale: string) => Promise.all([redirectMessages.load(locale), socialMessages.load(locale)])

/** The sentences of error codes of organizations: `preload` of their screens. */
export const organizationErrors = catalogue<typeof englishOrganizations>({
  en: () => import('./messages/organization-errors-en.ts'),
  de: () => import('./messages/organization-errors-de.ts'),
})
export const loadOrganizationErrors = organizationErrors.load

/** The sentences of error codes of API keys: `preload` of their page. */
export const apiKeyErrors = catalogue<typeof englishKeys>({
  en: () => import('./messages/api-key-errors-en.ts'),
  de: () => import('./messages/api-key-errors-de.ts'),
})
export const loadApiKeyErrors = apiKeyErrors.load

/** The sentences of error codes of administration: its frame loads them. */
export const adminErrors = catalogue<typeof englishAdmin>({
  en: () => import('./messages/admin-errors-en.ts'),
  de: () => import('./messages/admin-errors-de.ts'),
})
export const loadAdminErrors = adminErrors.load

/** Phone numbers: `preload` of their screens. */
export const phoneMessages = catalogue<typeof englishPhone>({
  en: () => import('./messages/phone-en.ts'),
  de: () => import('./messages/phone-de.ts'),
})

/** Usernames: `preload` of screens with their field. */
export const usernameMessages = catalogue<typeof englishUsername>({
  en: () => import('./messages/username-en.ts'),
  de: () => import('./messages/username-de.ts'),
})
