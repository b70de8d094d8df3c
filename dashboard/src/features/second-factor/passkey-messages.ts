/** The texts of passkeys: on the pages of a sign-in, and in the account area. */
import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('passkeys', {
  en: () => import('./passkey-en.ts'),
  de: () => import('./passkey-de.ts'),
})

export const signInMessages = catalogueOf('passkey-sign-in', {
  en: () => import('./passkey-sign-in-en.ts'),
  de: () => import('./passkey-sign-in-de.ts'),
})
