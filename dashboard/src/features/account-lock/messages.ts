import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('account-lock', { en: () => import('./en.ts'), de: () => import('./de.ts') })
