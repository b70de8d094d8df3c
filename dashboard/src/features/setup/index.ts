/** Setup links of administrators. */
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const setup = screenFolder({
  messages,
  screens: [
    {
      path: '/set-up',
      title: 'setPassword',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./set-up.tsx'),
      exists: (settings) => settings.emailPassword !== null,
    },
  ],
})
