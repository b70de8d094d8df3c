/** The overview of the instance and its sign-in policy, for administrators. */
import { ChartLine, ShieldCheck } from 'lucide-react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { mailKindMessages } from '../../messages/mail-kinds.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

const every = {
  frame: 'admin',
  access: 'session',
  exists: ({ admin }: PublicSettings) => admin !== null,
} as const

export const statistics = screenFolder({
  messages,
  screens: [
    {
      ...every,
      path: '/admin',
      title: 'overview',
      load: () => import('./overview.tsx'),
      preload: mailKindMessages.load,
      navigation: { icon: ChartLine, order: 10, group: 'main', permission: ['statistics', 'read'] },
    },
    {
      ...every,
      path: '/admin/sign-in-policy',
      title: 'signInPolicy',
      load: () => import('./policy.tsx'),
      preload: (locale) => import('./policy-messages.ts').then(({ policyMessages }) => policyMessages.load(locale)),
      navigation: { icon: ShieldCheck, order: 15, group: 'security', permission: ['statistics', 'read'] },
    },
  ],
})
