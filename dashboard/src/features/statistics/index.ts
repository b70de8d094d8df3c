/** The overview of the instance, for administrators. */
import type { PublicSettings } from '../../../../src/features/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
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
      navigation: { icon: 'overview', group: 'main', permission: ['statistics', 'read'] },
    },
  ],
})
