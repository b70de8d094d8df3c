/** Pages on which redirects end: errors, and what has been done. They need no data but the session. */
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'
import type { messages as englishRedirects } from './redirects-en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

/** The sentences of redirect codes, loaded with the error page only. */
export const redirects = catalogue<typeof englishRedirects>({
  en: () => import('./redirects-en.ts'),
  de: () => import('./redirects-de.ts'),
})

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
      preload: (locale) => redirects.load(locale),
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
