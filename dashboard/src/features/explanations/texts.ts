/** The texts of the page, so that no other one loads them. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './texts-en.ts'

export const explainMessages = catalogue<typeof english>({
  en: () => import('./texts-en.ts'),
  de: () => import('./texts-de.ts'),
})
