import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('email-verification', { en: () => import('./en.ts'), de: () => import('./de.ts') })
