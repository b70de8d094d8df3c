/** The development mailbox: the emails that were caught instead of sent. */
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const mailbox = screenFolder({
  messages,
  screens: [
    {
      path: '/mailbox',
      title: 'mailbox',
      frame: 'plain',
      access: 'anyone',
      exists: (settings) => settings.mailbox,
      load: () => import('./mailbox.tsx'),
    },
  ],
})
