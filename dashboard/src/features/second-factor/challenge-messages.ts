/** The texts with which a second factor is proven: on the page of a sign-in, and in the dialog of a dangerous action. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './challenge-en.ts'

export const challengeMessages = catalogue<typeof english>({
  en: () => import('./challenge-en.ts'),
  de: () => import('./challenge-de.ts'),
})
