/** The deletion of the account by its user: in the account area, and with a mailed link. */
import { Trash2 } from 'lucide-react'
import { loadOrganizationErrors } from '../../messages/index.ts'
import { screenFolder } from '../../routes/screens.ts'
import { messages } from './messages.ts'

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
      navigation: { icon: Trash2, order: 20, group: 'data' },
    },
  ],
})
