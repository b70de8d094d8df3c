import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })
