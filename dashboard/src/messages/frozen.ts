/** Texts of the bar about what is frozen: loaded when something is. */
import { catalogueOf } from '../i18n/messages.ts'

export const frozenMessages = catalogueOf('frozen', {
  en: () => import('./frozen-en.ts'),
  de: () => import('./frozen-de.ts'),
})
