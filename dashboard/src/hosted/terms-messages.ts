/** Texts of the acceptance of terms at sign-up. */
import { catalogueOf } from '../i18n/messages.ts'

export const termsMessages = catalogueOf('sign-up-terms', {
  en: () => import('./messages/terms-en.ts'),
  de: () => import('./messages/terms-de.ts'),
})

export const termsErrors = catalogueOf('terms-errors', {
  en: () => import('./messages/terms-errors-en.ts'),
  de: () => import('./messages/terms-errors-de.ts'),
})
