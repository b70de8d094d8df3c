import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('sign-up', { en: () => import('./en.ts'), de: () => import('./de.ts') })
