/** The texts of the hosted pages for users who have lost their second factors. */
import { catalogueOf } from '../../i18n/messages.ts'

export const recoveryMessages = catalogueOf('recovery', {
  en: () => import('./recovery-en.ts'),
  de: () => import('./recovery-de.ts'),
})
