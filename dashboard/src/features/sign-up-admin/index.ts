/** Who comes next, for administrators: invite links, and the waiting list. */
import { Hourglass, Ticket } from 'lucide-react'
import { lazy } from 'react'
import { exportMessages } from '../../exports/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

const PendingApplicants = lazy(() => import('./pending-count.tsx').then((module) => ({ default: module.PendingApplicants })))

const loadTexts = (locale: string) => import('./screen-messages.ts').then(({ screenMessages }) => screenMessages.load(locale))

const every = { frame: 'admin', access: 'session' } as const

export const signUpAdmin = screenFolder({
  messages,
  screens: [
    {
      ...every,
      path: '/admin/invite-links',
      title: 'inviteLinks',
      exists: ({ admin, inviteLinks }) => admin !== null && inviteLinks,
      load: () => import('./invite-links.tsx'),
      preload: loadTexts,
      navigation: { icon: Ticket, order: 31, group: 'main', permission: ['inviteLink', 'list'] },
    },
    {
      ...every,
      path: '/admin/waiting-list',
      title: 'waitingList',
      exists: ({ admin, waitingList }) => admin !== null && waitingList,
      load: () => import('./waiting-list.tsx'),
      preload: (locale) => Promise.all([loadTexts(locale), exportMessages.load(locale)]),
      navigation: {
        ...{ icon: Hourglass, order: 32, group: 'main', permission: ['waitingList', 'list'] },
        notice: PendingApplicants,
      },
    },
  ],
})
