/** Terms: what the current user has accepted. */
import { FileText } from 'lucide-react'
import { catalogueOf } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'

export const messages = catalogueOf('terms', { en: () => import('./en.ts'), de: () => import('./de.ts') })

export const terms = screenFolder({
  messages,
  screens: [
    {
      path: '/account/terms',
      title: 'acceptedTerms',
      frame: 'account',
      access: 'session',
      load: () => import('./accepted.tsx'),
      preload: (locale) => import('./screen-messages.ts').then(({ screenMessages }) => screenMessages.load(locale)),
      exists: (settings) => settings.terms !== null,
      navigation: { icon: FileText, order: 5, group: 'data' },
    },
  ],
})
