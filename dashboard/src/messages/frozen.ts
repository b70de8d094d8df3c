/** Texts of the bar about what is frozen: loaded when something is. */
import { catalogue } from '../i18n/messages.ts'
import type { messages as english } from './frozen-en.ts'

export const frozenMessages = catalogue<typeof english>({
  en: () => import('./frozen-en.ts'),
  de: () => import('./frozen-de.ts'),
})
