/** The deletion of the account by its user: in the account area, and with a mailed link. */
import { catalogue } from '../../i18n/messages.ts'
import { loadOrganizationErrors } from '../../messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const accountDeletion = screenFolder({
  messages,
  screens: [
    {
      path: '/account/delete',
      title: 'deleteAccount',
      frame: 'account',
      access: 'session',
      load: () => import('./account-deletion.tsx'),
      exists: (settings) => settings.accountDeletion !== null,
      // An organization may need its last owner.
      preload: loadOrganizationErrors,
      navigation: { icon: 'delete', group: 'data' },
    },
    {
      path: '/delete-account',
      title: 'deleteAccount',
      frame: 'hosted',
      access: 'session',
      load: () => import('./delete-account.tsx'),
      exists: (settings) => settings.accountDeletion !== null,
      preload: loadOrganizationErrors,
    },
  ],
})
