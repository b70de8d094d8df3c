/** Sign in and sign up with email and password. */
import { queryClient, sessionQuery } from '../../api.ts'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

/** If the session cannot be read, the form is shown. */
const preload = () => queryClient.prefetchQuery({ ...sessionQuery, retry: false })

export const emailPassword = screenFolder({
  messages,
  screens: [
    { path: '/sign-in', title: 'signIn', frame: 'hosted', access: 'anyone', load: () => import('./sign-in.tsx'), preload },
    {
      path: '/sign-up',
      title: 'signUp',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./sign-up.tsx'),
      exists: (settings) => settings.emailPassword?.signUp === true,
    },
  ],
})
