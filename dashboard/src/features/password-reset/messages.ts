import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('password-reset', { en: () => import('./en.ts'), de: () => import('./de.ts') })
