/** The API keys of the current user. */
import { KeyRound } from 'lucide-react'
import { catalogue } from '../../i18n/messages.ts'
import { loadApiKeyErrors } from '../../messages/index.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const apiKeys = screenFolder({
  messages,
  screens: [
    {
      path: '/account/api-keys',
      title: 'apiKeys',
      frame: 'account',
      access: 'session',
      exists: (settings) => settings.apiKeys !== null,
      preload: loadApiKeyErrors,
      load: () => import('./api-keys.tsx'),
      navigation: { icon: KeyRound, order: 40, group: 'account' },
    },
  ],
})
