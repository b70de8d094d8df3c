/** The audit log of the instance, for administrators. */
import type { PublicSettings } from '../../../../src/features/index.ts'
import { eventMessages } from '../../events/index.ts'
import { exportMessages } from '../../exports/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
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
      preload: (locale) => Promise.all([eventMessages.load(locale), exportMessages.load(locale)]),
      navigation: { icon: 'events', group: 'security', permission: ['event', 'list'] },
    },
  ],
})
