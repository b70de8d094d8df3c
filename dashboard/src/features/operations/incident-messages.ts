/** Texts of the page about an incident. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './incident-en.ts'

export const incidentMessages = catalogue<typeof english>({
  en: () => import('./incident-en.ts'),
  de: () => import('./incident-de.ts'),
})
