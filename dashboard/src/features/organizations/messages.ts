import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('organizations', { en: () => import('./en.ts'), de: () => import('./de.ts') })
