/** The export of the user's own data. */
import { Download } from 'lucide-react'
import { catalogueOf } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'

export const messages = catalogueOf('data-export', { en: () => import('./en.ts'), de: () => import('./de.ts') })

export const dataExport = screenFolder({
  messages,
  screens: [
    {
      path: '/account/data',
      title: 'exportData',
      frame: 'account',
      access: 'session',
      load: () => import('./data-export.tsx'),
      navigation: { icon: Download, order: 10, group: 'data' },
    },
  ],
})
