/** Exports of lists as files, which a daemon writes. */
import { catalogue } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const exportMessages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })
