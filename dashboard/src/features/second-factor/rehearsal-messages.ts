/** The texts of the rehearsal of backup codes. They are loaded when one is due. */
import { catalogueOf } from '../../i18n/messages.ts'

export const rehearsalMessages = catalogueOf('rehearsal', {
  en: () => import('./rehearsal-en.ts'),
  de: () => import('./rehearsal-de.ts'),
})
