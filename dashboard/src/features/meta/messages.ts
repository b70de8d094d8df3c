import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('meta', { en: () => import('./en.ts'), de: () => import('./de.ts') })
