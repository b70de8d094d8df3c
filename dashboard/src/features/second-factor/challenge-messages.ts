/** The texts with which a second factor is proven: on the page of a sign-in, and in the dialog of a dangerous action. */
import { catalogueOf } from '../../i18n/messages.ts'

export const challengeMessages = catalogueOf('challenge', {
  en: () => import('./challenge-en.ts'),
  de: () => import('./challenge-de.ts'),
})
