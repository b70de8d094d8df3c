/** Texts of the pages for invite links and the waiting list, which load with them. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './screens-en.ts'

export const screenMessages = catalogue<typeof english>({
  en: () => import('./screens-en.ts'),
  de: () => import('./screens-de.ts'),
})
