/** Texts of the hosted pages of terms. */
import { catalogueOf } from '../../i18n/messages.ts'

export const hostedMessages = catalogueOf('terms-pages', {
  en: () => import('./hosted-en.ts'),
  de: () => import('./hosted-de.ts'),
})
