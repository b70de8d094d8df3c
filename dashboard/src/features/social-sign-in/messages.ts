import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('social-sign-in', { en: () => import('./en.ts'), de: () => import('./de.ts') })
