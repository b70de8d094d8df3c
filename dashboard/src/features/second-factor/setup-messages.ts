/** The texts of the pages between a sign-in and the application: a second factor is set up, or new backup codes are created. */
import { catalogueOf } from '../../i18n/messages.ts'

export const setupMessages = catalogueOf('second-factor-setup', {
  en: () => import('./setup-en.ts'),
  de: () => import('./setup-de.ts'),
})
