/** Pages on which redirects end: errors, and what has been done. They need no data but the session. */
import { catalogue } from '../../i18n/messages.ts'
import { redirectMessages } from '../../messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

const load = {
  error: () => import('./error.tsx'),
  changed: () => import('./email-changed.tsx'),
  done: () => import('./done.tsx'),
}

export const meta = screenFolder({
  messages,
  screens: [
    {
      path: '/error',
      title: 'somethingWentWrong',
      frame: 'hosted',
      access: 'anyone',
      load: load.error,
      preload: (locale) => redirectMessages.load(locale),
    },
    {
      path: '/email-changed',
      title: 'emailChange',
      frame: 'hosted',
      access: 'optional-session',
      load: load.changed,
    },
    {
      path: '/account-deleted',
      title: 'accountDeletion',
      frame: 'hosted',
      access: 'anyone',
      load: () => load.done().then(({ AccountDeleted }) => ({ Screen: AccountDeleted })),
    },
    {
      path: '/signed-out',
      title: 'signedOut',
      frame: 'hosted',
      access: 'anyone',
      load: () => load.done().then(({ SignedOut }) => ({ Screen: SignedOut })),
    },
  ],
})
