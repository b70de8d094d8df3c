/** The texts of the account area about second factors. */
import { catalogueOf } from '../../i18n/messages.ts'

export const messages = catalogueOf('second-factor', { en: () => import('./en.ts'), de: () => import('./de.ts') })
