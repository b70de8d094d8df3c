/** Texts of the hosted pages of terms. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './hosted-en.ts'

export const hostedMessages = catalogue<typeof english>({
  en: () => import('./hosted-en.ts'),
  de: () => import('./hosted-de.ts'),
})
