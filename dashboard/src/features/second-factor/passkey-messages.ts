/** The texts of passkeys: on the pages of a sign-in, and in the account area. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-en.ts'
import type { messages as signInEnglish } from './passkey-sign-in-en.ts'

export const messages = catalogue<typeof english>({
  en: () => import('./passkey-en.ts'),
  de: () => import('./passkey-de.ts'),
})

export const signInMessages = catalogue<typeof signInEnglish>({
  en: () => import('./passkey-sign-in-en.ts'),
  de: () => import('./passkey-sign-in-de.ts'),
})
