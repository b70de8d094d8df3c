/** The texts of the policy of second factors: of the settings, and of members whom it stops. They are loaded with what shows them. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './policy-en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./policy-en.ts'), de: () => import('./policy-de.ts') })
