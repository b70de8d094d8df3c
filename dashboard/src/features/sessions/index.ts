/** The sessions of the current user, and what happened to the security of the account. */
import { History, MonitorSmartphone } from 'lucide-react'
import { catalogueOf } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'

export const messages = catalogueOf('sessions', { en: () => import('./en.ts'), de: () => import('./de.ts') })

export const sessions = screenFolder({
  messages,
  screens: [
    {
      path: '/account/activity',
      title: 'activity',
      frame: 'account',
      access: 'session',
      load: () => import('./activity.tsx'),
      preload: (locale) => import('./activity-messages.ts').then((own) => own.messages.load(locale)),
      navigation: { icon: History, order: 27, group: 'account' },
    },
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
