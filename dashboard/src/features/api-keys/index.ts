/** The API keys of the current user, and of an organization. */
import { KeyRound } from 'lucide-react'
import { catalogueOf } from '../../i18n/messages.ts'
import { loadApiKeyErrors } from '../../messages/index.ts'
import { screenFolder } from '../../routes/screens.ts'

export const messages = catalogueOf('api-keys', { en: () => import('./en.ts'), de: () => import('./de.ts') })

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
    {
      // The entry of the navigation is one of organizations.
      path: '/organizations/$organizationId/api-keys',
      title: 'apiKeys',
      frame: 'organization',
      access: 'session',
      exists: (settings) => settings.organizationApiKeys !== null,
      preload: loadApiKeyErrors,
      load: () => import('./organization-keys.tsx'),
    },
  ],
})
