/** Texts of the recent activity, which are loaded with its page. */
import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('activity', { en: () => import('./activity-en.ts'), de: () => import('./activity-de.ts') })
