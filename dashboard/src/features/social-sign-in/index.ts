/** Sign-in with providers, for administrators: the list of providers. */
import { Network } from 'lucide-react'
import { screenFolder } from '../../routes/screens.ts'
import { messages } from './messages.ts'

export const socialSignIn = screenFolder({
  messages,
  screens: [
    {
      path: '/admin/social-providers',
      title: 'socialProviders',
      frame: 'admin',
      access: 'session',
      load: () => import('./social-providers.tsx'),
      navigation: { icon: Network, order: 40, group: 'security', permission: ['provider', 'list'] },
    },
  ],
})
