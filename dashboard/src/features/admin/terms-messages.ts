/** Texts of the page about the acceptance of terms, which load with it. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './terms-en.ts'

export const termsMessages = catalogue<typeof english>({
  en: () => import('./terms-en.ts'),
  de: () => import('./terms-de.ts'),
})
