/** The audit log of the instance, for administrators. */
import { Link2 } from 'lucide-react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { exportMessages } from '../../exports/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const auditLog = screenFolder({
  messages,
  screens: [
    {
      path: '/admin/events',
      title: 'auditLog',
      frame: 'admin',
      access: 'session',
      exists: ({ admin }: PublicSettings) => admin !== null,
      load: () => import('./events.tsx'),
      preload: (locale) =>
        Promise.all([
          import('../../events/index.ts').then(({ loadEventMessages }) => loadEventMessages(locale)),
          exportMessages.load(locale),
        ]),
      navigation: { icon: Link2, order: 10, group: 'security', permission: ['event', 'list'] },
    },
  ],
})
