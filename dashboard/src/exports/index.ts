/** Exports of lists as files, which a daemon writes. */
import { catalogueOf } from '../i18n/messages.ts'

export const exportMessages = catalogueOf('exports', { en: () => import('./en.ts'), de: () => import('./de.ts') })
