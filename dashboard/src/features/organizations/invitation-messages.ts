/** The texts of invitations and of the user's own organizations. The page of an invitation does not need the others. */
import { catalogueOf } from '../../i18n/messages.ts'
import { loadOrganizationErrors } from '../../messages/index.ts'

export const messages = catalogueOf('invitations', {
  en: () => import('./invitations-en.ts'),
  de: () => import('./invitations-de.ts'),
})
export const loadInvitations = (locale: string) => Promise.all([messages.load(locale), loadOrganizationErrors(locale)])
