/** Terms: what the current user has accepted, and for administrators how many users have accepted each version. */
import { FileText } from 'lucide-react'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

const preload = (locale: string) => import('./screen-messages.ts').then(({ screenMessages }) => screenMessages.load(locale))

export const terms = screenFolder({
  messages,
  screens: [
    {
      path: '/account/terms',
      title: 'acceptedTerms',
      frame: 'account',
      access: 'session',
      load: () => import('./accepted.tsx'),
      preload,
      exists: (settings) => settings.terms !== null,
      navigation: { icon: FileText, order: 5, group: 'data' },
    },
    {
      path: '/admin/terms',
      title: 'terms',
      frame: 'admin',
      access: 'session',
      load: () => import('./status.tsx'),
      preload,
      exists: (settings) => settings.admin !== null && settings.terms !== null,
      navigation: { icon: FileText, order: 30, group: 'main', permission: ['terms', 'read'] },
    },
  ],
})
