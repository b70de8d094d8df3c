/** The texts of the page on which a second factor is set up before a sign-in is complete. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './setup-en.ts'

export const setupMessages = catalogue<typeof english>({ en: () => import('./setup-en.ts'), de: () => import('./setup-de.ts') })
