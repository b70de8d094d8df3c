/** Why something was refused, for support and operators. */
import { CircleHelp } from 'lucide-react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as titles } from './en.ts'

/** Of the navigation; the page loads its own texts. */
export const messages = catalogue<typeof titles>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const explanations = screenFolder({
  messages,
  screens: [
    {
      path: '/admin/explain',
      title: 'explain',
      frame: 'admin',
      access: 'session',
      exists: ({ admin }: PublicSettings) => admin !== null,
      load: () => import('./explain.tsx'),
      preload: (locale) => import('./texts.ts').then(({ explainMessages }) => explainMessages.load(locale)),
      navigation: { icon: CircleHelp, order: 15, group: 'security', permission: ['event', 'list'] },
    },
  ],
})
