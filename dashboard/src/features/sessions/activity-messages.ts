/** Texts of the recent activity, which are loaded with its page. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './activity-en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./activity-en.ts'), de: () => import('./activity-de.ts') })
