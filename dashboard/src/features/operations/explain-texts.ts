/** The texts of the page, so that no other one loads them. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './explain-en.ts'

export const messages = catalogue<typeof english>({
  en: () => import('./explain-en.ts'),
  de: () => import('./explain-de.ts'),
})
