/** The texts of the pages between a sign-in and the application: a second factor is set up, or new backup codes are created. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './setup-en.ts'

export const setupMessages = catalogue<typeof english>({ en: () => import('./setup-en.ts'), de: () => import('./setup-de.ts') })
