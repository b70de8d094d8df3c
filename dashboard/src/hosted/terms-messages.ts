/** Texts of the acceptance of terms at sign-up. */
import { catalogue } from '../i18n/messages.ts'
import type { messages as english } from './messages/terms-en.ts'
import type { messages as englishErrors } from './messages/terms-errors-en.ts'

export const termsMessages = catalogue<typeof english>({
  en: () => import('./messages/terms-en.ts'),
  de: () => import('./messages/terms-de.ts'),
})

export const termsErrors = catalogue<typeof englishErrors>({
  en: () => import('./messages/terms-errors-en.ts'),
  de: () => import('./messages/terms-errors-de.ts'),
})
