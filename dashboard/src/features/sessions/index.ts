/** The sessions of the current user. */
import { MonitorSmartphone } from 'lucide-react'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const sessions = screenFolder({
  messages,
  screens: [
    {
      path: '/account/sessions',
      title: 'sessions',
      frame: 'account',
      access: 'session',
      load: () => import('./sessions.tsx'),
      navigation: { icon: MonitorSmartphone, order: 30, group: 'account' },
    },
  ],
})
