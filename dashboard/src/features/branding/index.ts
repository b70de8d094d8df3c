/** The preview of a brand. */
import { Palette } from 'lucide-react'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const branding = screenFolder({
  messages,
  screens: [
    {
      path: '/admin/branding',
      title: 'branding',
      frame: 'admin',
      access: 'session',
      exists: ({ admin }) => admin !== null,
      load: () => import('./branding.tsx'),
      navigation: { icon: Palette, order: 35, group: 'system', permission: ['system', 'read'] },
    },
  ],
})
