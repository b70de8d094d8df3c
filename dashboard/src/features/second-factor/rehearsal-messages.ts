/** The texts of the rehearsal of backup codes. They are loaded when one is due. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './rehearsal-en.ts'

export const rehearsalMessages = catalogue<typeof english>({
  en: () => import('./rehearsal-en.ts'),
  de: () => import('./rehearsal-de.ts'),
})
