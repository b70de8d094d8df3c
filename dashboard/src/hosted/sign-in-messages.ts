/** Texts of the sign-in page itself. */
import { catalogue } from '../i18n/messages.ts'
import type { messages as english } from './messages/sign-in-en.ts'

export const messages = catalogue<typeof english>({
  en: () => import('./messages/sign-in-en.ts'),
  de: () => import('./messages/sign-in-de.ts'),
})
