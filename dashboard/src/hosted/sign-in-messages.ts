/** Texts of the sign-in page itself. */
import { catalogueOf } from '../i18n/messages.ts'

export const messages = catalogueOf('sign-in', {
  en: () => import('./messages/sign-in-en.ts'),
  de: () => import('./messages/sign-in-de.ts'),
})
