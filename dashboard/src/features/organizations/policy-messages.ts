/** The texts of the policy of second factors: of the settings, and of members whom it stops. They are loaded with what shows them. */
import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('organization-policy', {
  en: () => import('./policy-en.ts'),
  de: () => import('./policy-de.ts'),
})
