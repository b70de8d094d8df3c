/** The texts of roles that an organization makes itself. They are loaded with the page of the roles. */
import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('organization-roles', {
  en: () => import('./own-roles-en.ts'),
  de: () => import('./own-roles-de.ts'),
})
