/** The start page and the story page, for developers. */
import { catalogue } from '../../i18n/messages.ts'
import { loadSocialMessages, phoneMessages, usernameMessages } from '../../messages/index.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

export const development = screenFolder({
  messages,
  screens: [
    {
      path: '/',
      title: 'startPage',
      frame: 'plain',
      access: 'anyone',
      leadsTo: (settings) => (settings.isDevelopment ? null : '/account'),
      load: () => import('./start.tsx'),
    },
    {
      path: '/components',
      title: 'components',
      frame: 'plain',
      access: 'anyone',
      exists: (settings) => settings.isDevelopment,
      load: () => import('../../stories/index.tsx'),
      preload: (locale) => Promise.all([loadSocialMessages(locale), phoneMessages.load(locale), usernameMessages.load(locale)]),
    },
  ],
})
