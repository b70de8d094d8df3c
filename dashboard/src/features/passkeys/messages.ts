/** The texts of passkeys: on the pages of a sign-in, and in the account area. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'
import type { messages as signInEnglish } from './sign-in-en.ts'

export const messages = catalogue<typeof english>({
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
})

export const signInMessages = catalogue<typeof signInEnglish>({
  en: () => import('./sign-in-en.ts'),
  de: () => import('./sign-in-de.ts'),
})
