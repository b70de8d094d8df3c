/** Texts of the screens of terms, which load with them. */
import { catalogueOf } from '../../i18n/messages.ts'

export const screenMessages = catalogueOf('accepted-terms', {
  en: () => import('./screens-en.ts'),
  de: () => import('./screens-de.ts'),
})
