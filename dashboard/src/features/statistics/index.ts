/** The overview of the instance, for administrators. */
import { ChartLine } from 'lucide-react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { mailKindMessages } from '../../messages/mail-kinds.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const statistics = screenFolder({
  messages,
  screens: [
    {
      path: '/admin',
      title: 'overview',
      frame: 'admin',
      access: 'session',
      exists: ({ admin }: PublicSettings) => admin !== null,
      load: () => import('./overview.tsx'),
      preload: mailKindMessages.load,
      navigation: { icon: ChartLine, order: 10, group: 'main', permission: ['statistics', 'read'] },
    },
  ],
})
