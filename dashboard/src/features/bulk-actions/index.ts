/** Actions on several users, for administrators: their progress, and whom they could not change. */
import { ListChecks } from 'lucide-react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { exportMessages } from '../../exports/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

const every = {
  frame: 'admin',
  access: 'session',
  exists: ({ admin }: PublicSettings) => admin !== null,
} as const

export const bulkActions = screenFolder({
  messages,
  screens: [
    {
      ...every,
      path: '/admin/bulk-actions',
      title: 'bulkActions',
      load: () => import('./bulk-actions.tsx'),
      navigation: { icon: ListChecks, order: 25, group: 'main', permission: ['user', 'list'] },
    },
    {
      ...every,
      path: '/admin/bulk-actions/$bulkActionId',
      title: 'bulkAction',
      load: () => import('./bulk-action.tsx'),
      preload: exportMessages.load,
    },
  ],
})
