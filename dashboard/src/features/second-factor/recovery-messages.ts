/** The texts of the hosted pages for users who have lost their second factors. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './recovery-en.ts'

export const recoveryMessages = catalogue<typeof english>({
  en: () => import('./recovery-en.ts'),
  de: () => import('./recovery-de.ts'),
})
