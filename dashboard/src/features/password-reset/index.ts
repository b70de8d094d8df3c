/** Forgotten passwords: request a reset link, and choose a new password with it. */
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const passwordReset = screenFolder({
  messages,
  screens: [
    {
      path: '/forgot-password',
      title: 'forgotPassword',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./forgot-password.tsx'),
      exists: (settings) => settings.passwordReset,
    },
    {
      path: '/reset-password',
      title: 'newPassword',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./reset-password.tsx'),
      exists: (settings) => settings.emailPassword !== null,
    },
  ],
})
